import {attributeOf, fields} from '../scope/state-fields.js';

/** @import {Field} from '../scope/field-table.js' */
/** @import {FieldName} from '../scope/state-fields.js' */

/**
 * A field of `<bert-scope>` as Python has it. Python's class and the widget are both derived from this list.
 *
 * @typedef {object} Trait
 * @property {FieldName} field
 * @property {string} name  the field's name in Python
 * @property {'text' | 'number' | 'integer' | 'flag' | 'integers'} type
 * @property {readonly string[]} words  for a text, all that it can be; for another type, words beside its values;
 *   none: a text may be anything
 * @property {boolean} isWritten  whether Python has the value as the attribute's text, because it has parts
 */

/** The fields whose values mean something in a page only: no notebook has its files, panels and addresses. */
const ofPages = ['poster', 'loading'];

/** The names that are taken: every widget has a method `open`. @type {Record<string, string>} */
const otherNames = {open: 'opened'};

/** @param {string} field */
const nameInPython = (field) =>
  otherNames[field] ?? field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** @param {FieldName} field @returns {Trait} */
function traitOf(field) {
  const {initial, codec} = /** @type {Field<any>} */ (fields[field]);
  const name = nameInPython(field);
  const isList = Array.isArray(initial);
  const isWritten = Object(initial) === initial ? !isList : initial === null;
  const words = codec.words ?? [];
  const type = isWritten || typeof initial === 'string' ? 'text' : typeOfValue(initial, codec);
  return {field, name, type, words, isWritten};
}

/** @param {unknown} initial @param {Field<any>['codec']} codec @returns {Trait['type']} */
function typeOfValue(initial, codec) {
  if (Array.isArray(initial)) return 'integers';
  if (typeof initial === 'boolean') return 'flag';
  return codec.parse('0.5') === undefined ? 'integer' : 'number';
}

export const traits = /** @type {FieldName[]} */ (Object.keys(fields))
  .filter((field) => attributeOf(field) && !ofPages.includes(field))
  .map(traitOf);
