import {strings} from '../strings/index.js';
import {read} from './field-table.js';
import {attributeOf, fieldNames, fields} from './state-fields.js';

/** @import {PropertyDeclaration} from 'lit' */
/** @import {FieldTable} from './field-table.js' */
/** @import {FieldName} from './state-fields.js' */

/** @type {FieldTable} */
const table = fields;

/**
 * The reactive properties of `<bert-scope>`, which their attributes reflect. If an attribute is not understood, it
 * stays as its author wrote it, and the property has its initial value.
 */
export const properties = /** @type {Record<FieldName, PropertyDeclaration>} */ (
  Object.fromEntries(
    fieldNames.map((name) => {
      const {initial, codec} = table[name];
      const attribute = attributeOf(name);
      if (!attribute) return [name, {attribute}];
      return [
        name,
        {
          attribute,
          reflect: true,
          converter: {
            fromAttribute: (/** @type {string | null} */ text) => read(codec, text, initial),
            toAttribute: codec.format,
          },
          // An equal pin that is set again counts as a change: a new text came with it.
          hasChanged: (/** @type {unknown} */ value, /** @type {unknown} */ before = initial) =>
            value !== before && (name === 'token' || codec.format(value) !== codec.format(before)),
        },
      ];
    }),
  )
);

/**
 * Returns a sentence about the first attribute of an element that is not understood.
 *
 * @param {Element} element
 * @returns {string}  empty if all are understood
 */
export function attributeProblem(element) {
  for (const name of fieldNames) {
    const {codec, alias} = table[name];
    const attribute = attributeOf(name);
    if (!attribute) continue;
    for (const each of [{name: attribute, codec}, ...(alias ? [alias] : [])]) {
      const {parse, unread, expected = ''} = each.codec;
      const text = element.getAttribute(each.name);
      if (text === null) continue;
      const isUnread = parse(text) === undefined;
      const misread = isUnread ? text : (unread?.(text) ?? '');
      if (!isUnread && !misread) continue;
      return strings.scope.badAttribute(each.name, expected, misread);
    }
  }
  return '';
}
