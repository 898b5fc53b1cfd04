import {html} from 'lit';
import {live} from 'lit/directives/live.js';
import {checkbox, segment, select} from '../../controls/fields.js';

/** @import {StepContext} from '../step.js' */

/**
 * @param {StepContext} context
 * @param {string} name  of the choice
 * @param {string} label
 */
export function toggle({choices, choose}, name, label) {
  return checkbox(label, Boolean(choices[name]), (isOn) => choose({[name]: isOn}));
}

/**
 * @param {StepContext} context
 * @param {string} name
 * @param {string} label
 * @param {Record<string, string> | readonly (string | number)[]} options  values, with their labels
 */
export function segments({choices, choose}, name, label, options) {
  const entries = Array.isArray(options)
    ? options.map((value) => [value, String(value)])
    : Object.entries(options);
  return html`<fieldset class="segments">
    <legend>${label}</legend>
    ${entries.map(([value, text]) =>
      segment(`lesson-${name}`, text, choices[name] === value, () => choose({[name]: value})),
    )}
  </fieldset>`;
}

/**
 * A button that chooses a new seed for the random numbers.
 *
 * @param {StepContext} context
 * @param {string} label
 * @param {string} [name]
 */
export function reroll({choices, choose}, label, name = 'seed') {
  return html`<button
    type="button"
    class="reroll"
    @click=${() => choose({[name]: Number(choices[name]) + 1})}
  >
    ${label} <span class="seed">#${choices[name]}</span>
  </button>`;
}

/**
 * A field for a word.
 *
 * @param {StepContext} context
 * @param {string} name
 * @param {string} label
 * @param {{size?: number, usual?: string}} [options]  `size`: in characters; `usual`: the word that an empty field
 *   stands for
 */
export function wordField({choices, choose}, name, label, {size = 8, usual = ''} = {}) {
  return html`<label class="word-field">
    ${label}
    <input
      dir="auto"
      size=${size}
      autocomplete="off"
      spellcheck="false"
      placeholder=${usual}
      .value=${live(String(choices[name]))}
      @input=${(/** @type {Event} */ {target}) =>
        choose({[name]: /** @type {HTMLInputElement} */ (target).value})}
    />
  </label>`;
}

/**
 * A row of buttons that chooses one of the tokens; in large type a list, which is lower.
 *
 * @param {StepContext} context
 * @param {string} name
 * @param {string} label
 * @param {readonly string[]} tokens
 * @param {number} chosen
 */
export function tokenChoice({choose, large}, name, label, tokens, chosen) {
  if (large) return select(label, tokens, chosen, (value) => choose({[name]: Number(value)}));
  return html`<fieldset class="segments tokens">
    <legend>${label}</legend>
    ${tokens.map((token, i) =>
      segment(`lesson-${name}`, html`<bdi>${token}</bdi>`, i === chosen, () => choose({[name]: i})),
    )}
  </fieldset>`;
}
