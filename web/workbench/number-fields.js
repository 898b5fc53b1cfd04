import {html} from 'lit';

/** @typedef {{least: number, most: number, step: number, value: number}} Range */

/** A field that the browser refuses must be in sight, so that it can say why. @param {Event} event */
const showInvalid = ({target}) =>
  /** @type {Element} */ (target).closest('details')?.setAttribute('open', '');

/**
 * Fields of a form for numbers.
 *
 * @template {Record<string, Range>} Ranges
 * @param {Ranges} ranges
 * @param {Readonly<Record<keyof Ranges & string, string>>} labels
 */
export const numberFields = (ranges, labels) =>
  Object.entries(ranges).map(
    ([name, {least, most, step, value}]) =>
      html`<label class="field">
        <span>${labels[name]}</span>
        <input
          type="number"
          required
          name=${name}
          min=${least}
          max=${most}
          step=${step}
          value=${value}
          @invalid=${showInvalid}
        />
      </label>`,
  );

/**
 * The numbers of such a form by the names of their fields.
 *
 * @template {string} Name
 * @param {HTMLFormElement} form
 * @returns {Record<Name, number>}
 */
export const numbersOf = (form) =>
  /** @type {Record<Name, number>} */ (
    Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, Number(value)]))
  );
