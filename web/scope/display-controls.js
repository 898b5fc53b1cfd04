import {html, nothing} from 'lit';
import {strings} from '../strings/index.js';
import {liveParts} from './live-parts.js';

/** @import {Display} from '../attention/display.js' */

const {display: words} = strings;

/**
 * The controls of the display: words, special tokens, the strongest share. The neuron view has none of these,
 * because it shows the numbers of the model.
 *
 * @param {Display & {large: boolean, view: string, isOpen: boolean, isLive: boolean}} state  `isLive`:
 *   whether an engine can compute other measures than the weights
 * @param {(changed: Partial<Display & {large: boolean}>) => void} choose
 * @param {unknown} more  more controls, which come last
 */
export function displayControls(state, choose, more) {
  const percent = Math.round(state.strongest * 100);
  const large = checkbox(words.large, state.large, (on) => choose({large: on}));
  return html`<details class="display" ?open=${state.isOpen}>
    <summary>${words.title}</summary>
    ${
      state.view === 'neuron'
        ? html`<p>${words.neuron}</p>`
        : html`${state.isLive ? liveParts?.measureChoice(state, choose) : nothing}
            ${checkbox(words.words, state.words, (on) => choose({words: on}), words.wordsRule)}
            ${
              state.view === 'model'
                ? nothing
                : checkbox(words.meanLayers, state.meanLayers === 'all', (on) =>
                    choose({meanLayers: on ? 'all' : []}),
                  )
            }
            ${
              state.view === 'matrix'
                ? checkbox(words.fullScale, state.fullScale, (on) => choose({fullScale: on}))
                : nothing
            }
            <label class="field">
              <span>${words.special}</span>
              <select
                class="framed"
                @change=${(/** @type {Event} */ {target}) =>
                  choose({special: /** @type {any} */ (target).value})}
              >
                ${Object.entries(words.specialChoices).map(
                  ([value, label]) =>
                    html`<option value=${value} .selected=${value === state.special}>
                      ${label}
                    </option>`,
                )}
              </select>
            </label>
            <label class="field">
              <span>${words.strongest(percent)}</span>
              <input
                type="range"
                min="10"
                max="100"
                step="5"
                .value=${String(percent)}
                @input=${(/** @type {Event} */ {target}) =>
                  choose({strongest: Number(/** @type {any} */ (target).value) / 100})}
              />
            </label>`
    }
    ${large} ${more}
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
