import {html} from 'lit';
import {formatProbability} from '../../views/parts/number-format.js';

/**
 * Named numbers as bars.
 *
 * @param {string} caption
 * @param {readonly {name: string, number: string, share: number}[]} rows  `share`: the length of the bar, from 0 to 1;
 *   below 0 for a number with a minus
 */
export function bars(caption, rows) {
  return html`<table class="bars">
    <caption>
      ${caption}
    </caption>
    <tbody>
      ${rows.map(
        ({name, number, share}) =>
          html`<tr>
            <th scope="row"><bdi>${name}</bdi></th>
            <td class="share">${number}</td>
            <td class="length" aria-hidden="true">
              <span
                class=${share < 0 ? 'minus' : ''}
                style="inline-size: ${(Math.abs(share) * 100).toFixed(1)}%"
              ></span>
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/**
 * What a model guesses in place of a blank, as bars.
 *
 * @param {string} caption
 * @param {readonly {token: string, probability: number}[]} guesses  the likeliest first
 */
export const guessBars = (caption, guesses) =>
  html`<div class="guesses">
    ${bars(
      caption,
      guesses.map(({token, probability}) => ({
        ...{name: token, number: formatProbability(probability), share: probability},
      })),
    )}
  </div>`;
