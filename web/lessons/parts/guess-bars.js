import {html} from 'lit';
import {formatProbability} from '../../views/parts/number-format.js';

/**
 * What a model guesses in place of a blank, as bars.
 *
 * @param {string} caption
 * @param {readonly {token: string, probability: number}[]} guesses  the likeliest first
 */
export function guessBars(caption, guesses) {
  return html`<table class="guesses">
    <caption>
      ${caption}
    </caption>
    <tbody>
      ${guesses.map(
        ({token, probability}) =>
          html`<tr>
            <th scope="row"><bdi>${token}</bdi></th>
            <td class="share">${formatProbability(probability)}</td>
            <td class="length" aria-hidden="true">
              <span style="inline-size: ${(probability * 100).toFixed(1)}%"></span>
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
