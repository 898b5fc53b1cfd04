/** @import {Field} from './field-table.js' */

/**
 * Reads what a script or a framework has set a property to. Frameworks write `heads="0.4"` as the property, so the text
 * of an attribute is understood too. What is not understood is replaced, so that nothing else has to expect it.
 *
 * @template T
 * @param {Pick<Field<T>, 'initial' | 'codec'>} field
 * @param {unknown} given  null and undefined mean the initial value, and so does an empty text that is not understood:
 *   Preact sets it in place of null
 * @returns {{value: T, unread: string}}  `unread`: what is not understood, as text; empty if all is
 */
export function readProperty({initial, codec}, given) {
  if (given === null || given === undefined) return {value: initial, unread: ''};
  try {
    if (codec.takes?.(given)) return {value: /** @type {T} */ (given), unread: ''};
    const isText = typeof given === 'string';
    const text = isText ? given : codec.format(/** @type {T} */ (given));
    if (text === null) return {value: initial, unread: ''};
    const value = codec.parse(text);
    if (value !== undefined && (isText || canonical(value) === canonical(given))) {
      return {value, unread: codec.unread?.(text) ?? ''};
    }
  } catch {
    // A codec can write only values of its own type.
  }
  return {value: initial, unread: textOf(given)};
}

/**
 * Returns a text that is the same for equal values. The order and the repetitions of a list do not count, nor do fields
 * that are undefined.
 *
 * @param {any} value
 * @returns {string}
 */
function canonical(value) {
  if (Array.isArray(value)) return `[${[...new Set(value.map(canonical))].sort()}]`;
  if (typeof value !== 'object' || !value) return JSON.stringify(value) ?? typeof value;
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  return `{${names.sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)}}`;
}

/** The most characters of a value that a message repeats. */
const mostShown = 80;

/** Writes any value for a message. @param {unknown} value */
function textOf(value) {
  /** @type {string} */
  let text = typeof value;
  try {
    text =
      typeof value === 'object'
        ? (JSON.stringify(value) ?? text)
        : String(/** @type {symbol} */ (value));
  } catch {
    // It refers to itself, or has a number that JSON does not know.
  }
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text;
}
