import {html, nothing} from 'lit';
import {measures} from '../attention/display.js';
import {strings} from '../strings/index.js';
import {liveStrings} from '../strings/live.js';

/** @import {Display} from '../attention/display.js' */

const {analysis: words} = liveStrings;

/**
 * The choice of the measure, with a sentence about what it shows and what it does not.
 *
 * @param {Display} display
 * @param {(changed: Partial<Display>) => void} choose
 */
export function measureChoice({measure}, choose) {
  const {name, shows, caution} = words.measures[measure];
  return html`<label class="field">
      <span>${words.measure}</span>
      <select
        class="framed"
        title=${name}
        @change=${(/** @type {Event} */ {target}) =>
          choose({measure: /** @type {any} */ (target).value})}
      >
        ${measures.map(
          (each) =>
            html`<option value=${each} .selected=${each === measure}>
              ${words.measures[each].name}
            </option>`,
        )}
      </select>
    </label>
    ${
      measure === 'weight'
        ? nothing
        : html`<small
            >${strings.text.sentences([shows, caution, ...(measure === 'norm' ? [words.normalised] : [])])}</small
          >`
    }`;
}
