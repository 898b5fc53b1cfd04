import {html} from 'lit';
import {formatGuess} from '../../views/parts/number-format.js';

/**
 * Named numbers as bars.
 *
 * @param {string} caption
 * @param {readonly {name: string, number: string, share: number}[]} rows  `share`: the length of the bar, from 0 to 1;
 *   below 0 for a number with a minus
 */
export function bars(caption, rows) {
  const below = Math.max(0, ...rows.map(({share}) => -share));
  const above = Math.max(0, ...rows.map(({share}) => share));
  // Bars without a minus have the whole length for a share of 1.
  const whole = below ? below + above : 1;
  const percent = (/** @type {number} */ share) => `${((share / whole) * 100).toFixed(1)}%`;
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
                style="inline-size: ${percent(Math.abs(share))}; margin-inline-start: ${percent(below + Math.min(0, share))}"
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
        ...{name: token, number: formatGuess(probability), share: probability},
      })),
    )}
  </div>`;
