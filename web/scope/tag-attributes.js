import {attributeOf, fieldNames, fields} from './state-fields.js';

/** @import {Field} from './field-table.js' */
/** @import {State} from './state-fields.js' */

/**
 * Returns the attributes of a tag that shows the same picture.
 *
 * @param {State} state
 * @param {readonly Field<any>['role'][]} [roles]  the roles of the fields to write; `view` alone is for a tag
 *   that contains its numbers
 * @returns {Record<string, string | true>}
 */
export function attributesOf(state, roles = ['source', 'view']) {
  /** @type {Record<string, string | true>} */
  const attributes = {};
  for (const name of fieldNames) {
    const {initial, codec, role = 'view'} = /** @type {Field<any>} */ (fields[name]);
    const attribute = attributeOf(name);
    const text = codec.format(state[name]);
    if (!attribute || !roles.includes(role) || text === codec.format(initial)) continue;
    attributes[attribute] = text || true;
  }
  return attributes;
}
