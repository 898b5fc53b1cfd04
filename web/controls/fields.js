import {html, nothing} from 'lit';

/**
 * A radio button that looks like a cell of a row.
 *
 * @param {string} name  of the row
 * @param {unknown} label
 * @param {boolean} checked
 * @param {() => void} choose
 * @param {string} [help]
 * @param {boolean} [disabled]
 */
export function segment(name, label, checked, choose, help, disabled = false) {
  return html`<label class="segment" title=${help ?? nothing}>
    <input type="radio" name=${name} .checked=${checked} ?disabled=${disabled} @change=${choose} />
    <span>${label}</span>
  </label>`;
}

/**
 * @param {string} label
 * @param {boolean} checked
 * @param {(checked: boolean) => void} choose
 * @param {string} [rule]  said while the box is checked
 */
export function checkbox(label, checked, choose, rule) {
  return html`<label class="check">
    <input
      type="checkbox"
      .checked=${checked}
      @change=${(/** @type {Event} */ {target}) => choose(/** @type {any} */ (target).checked)}
    />
    <span>${label}${rule && checked ? html`<small>${rule}</small>` : nothing}</span>
  </label>`;
}

/**
 * A list to choose from.
 *
 * @param {string} label
 * @param {Record<string, string> | readonly string[]} choices  the names by their values; in a list, a value is an index
 * @param {unknown} chosen  a value
 * @param {(value: any) => void} choose
 */
export function select(label, choices, chosen, choose) {
  return html`<label class="field">
    <span>${label}</span>
    <select @change=${(/** @type {Event} */ {target}) => choose(/** @type {any} */ (target).value)}>
      ${Object.entries(choices).map(
        ([value, name]) =>
          html`<option value=${value} .selected=${value === String(chosen)}>${name}</option>`,
      )}
    </select>
  </label>`;
}

/**
 * @param {string} label
 * @param {{min: number, max: number, step: number | 'any', value: number}} range
 * @param {(value: number) => void} choose
 */
export function slider(label, {min, max, step, value}, choose) {
  return html`<label class="field">
    <span>${label}</span>
    <input
      type="range"
      min=${min}
      max=${max}
      step=${step}
      .value=${String(value)}
      @input=${(/** @type {Event} */ {target}) => choose(Number(/** @type {any} */ (target).value))}
    />
  </label>`;
}
