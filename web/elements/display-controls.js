import {html, nothing} from 'lit';
import {strings} from '../strings.js';

/** @import {Display} from '../views/readability.js' */

const {display: words} = strings;

/**
 * How the attention is made readable: pieces to words, special tokens, the strongest share.
 *
 * @param {Display & {large: boolean}} state
 * @param {boolean} open
 * @param {(changed: Partial<Display & {large: boolean}>) => void} choose
 */
export function displayControls(state, open, choose) {
  return html`<details class="display" ?open=${open}>
    <summary>${words.title}</summary>
    ${checkbox(words.words, state.words, (on) => choose({words: on}), words.wordsRule)}
    ${checkbox(words.meanLayers, state.meanLayers, (on) => choose({meanLayers: on}))}
    ${checkbox(words.large, state.large, (on) => choose({large: on}))}
    <label class="field">
      <span>${words.special}</span>
      <select
        .value=${state.special}
        @change=${(/** @type {Event} */ {target}) =>
          choose({special: /** @type {any} */ (target).value})}
      >
        ${Object.entries(words.specialChoices).map(
          ([value, label]) =>
            html`<option value=${value} ?selected=${value === state.special}>${label}</option>`,
        )}
      </select>
    </label>
    <label class="field">
      <span>${words.strongest(Math.round(state.strongest * 100))}</span>
      <input
        type="range"
        min="10"
        max="100"
        step="5"
        .value=${String(Math.round(state.strongest * 100))}
        @input=${(/** @type {Event} */ {target}) =>
          choose({strongest: Number(/** @type {any} */ (target).value) / 100})}
      />
    </label>
  </details>`;
}

/**
 * @param {string} label
 * @param {boolean} checked
 * @param {(checked: boolean) => void} choose
 * @param {string} [rule]
 */
function checkbox(label, checked, choose, rule) {
  return html`<label class="check">
    <input
      type="checkbox"
      .checked=${checked}
      @change=${(/** @type {Event} */ {target}) => choose(/** @type {any} */ (target).checked)}
    />
    <span>${label}${rule && checked ? html`<small>${rule}</small>` : nothing}</span>
  </label>`;
}
