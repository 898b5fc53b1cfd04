/** @import {Codec} from './codecs.js' */

/**
 * @template T
 * @typedef {object} Field
 * @property {T} initial
 * @property {Codec<T>} codec
 * @property {false} [attribute]  false if `<bert-scope>` has no attribute for the field; by default, the
 *   attribute is the field's name with hyphens
 * @property {string | false} [key]  its key in an address, false if an address never has it; by default, the
 *   field's name with hyphens
 * @property {{name: string, codec: Codec<T>}} [alias]  another key in an address and, for a field that has an
 *   attribute, another attribute
 * @property {string} [prefix]  the beginning of the field's keys, if it has several keys in an address; its text
 *   consists of these keys, without the prefix, and their values
 * @property {Codec<T>} [inAddress]  the codec for addresses; by default, `codec.inAddress` or `codec` itself
 * @property {true} [leavesChoice]  says that an address can state the field without choosing what is shown of its text,
 *   so that the page looks for a finding
 * @property {'layers' | 'heads'} [counts]  says that the field holds layers or heads, which a model may lack
 * @property {'source' | 'view' | 'page'} [role]  what depends on the field: the numbers (`source`), how they are
 *   shown (`view`, the default), or nothing in the picture (`page`)
 */

/**
 * @template T
 * @param {T} initial
 * @param {Codec<T>} codec
 * @param {Omit<Field<T>, 'initial' | 'codec'>} [names]
 * @returns {Field<T>}
 */
export const field = (initial, codec, names) => ({initial, codec, ...names});

/** @typedef {Readonly<Record<string, Field<any>>>} FieldTable */

/** @template {FieldTable} T @typedef {{[Name in keyof T]: T[Name]['initial']}} ValuesOf  the value of each field */

/** The initial value of each field. @template {FieldTable} T @param {T} table @returns {Readonly<ValuesOf<T>>} */
export const initialOf = (table) =>
  /** @type {any} */ (
    Object.fromEntries(Object.entries(table).map(([name, {initial}]) => [name, initial]))
  );

/** @param {string} name */
export const withHyphens = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The key of a field in an address. @param {string} name @param {Field<any>} field */
export const keyOf = (name, {key}) => key || withHyphens(name);

/**
 * Reads a text; without one that is understood, it returns `otherwise`.
 *
 * @template T
 * @param {Codec<T>} codec
 * @param {string | null} text  null if there is no text
 * @param {T} otherwise
 */
export const read = (codec, text, otherwise) =>
  (text === null ? undefined : codec.parse(text)) ?? otherwise;

/**
 * Reads fields from the parameters of an address. If one is missing or not understood, it has its value in `base`.
 *
 * @template {FieldTable} T
 * @param {T} table
 * @param {URLSearchParams} parameters
 * @param {Readonly<ValuesOf<NoInfer<T>>>} base
 * @returns {ValuesOf<T>}
 */
export function parseFields(table, parameters, base) {
  const value = (/** @type {keyof T & string} */ name) => {
    const {codec, inAddress = codec.inAddress ?? codec, alias, prefix} = table[name];
    const text =
      prefix === undefined
        ? parameters.get(keyOf(name, table[name]))
        : `${new URLSearchParams(
            [...parameters]
              .filter(([key]) => key.startsWith(prefix))
              .map(([key, part]) => [key.slice(prefix.length), part]),
          )}`;
    return text || !alias
      ? read(inAddress, text, base[name])
      : read(alias.codec, parameters.get(alias.name), base[name]);
  };
  return /** @type {any} */ (
    Object.fromEntries(Object.keys(table).map((name) => [name, value(name)]))
  );
}

/**
 * Writes fields as parameters of an address, without those that have their initial value.
 *
 * @template {FieldTable} T
 * @param {T} table
 * @param {ValuesOf<T>} state
 * @param {readonly string[]} [always]  the fields that are written even with their initial value
 * @returns {string[][]}
 */
export function formatFields(table, state, always = []) {
  return Object.entries(table).flatMap(([name, each]) => {
    const {initial, codec, inAddress = codec.inAddress ?? codec, prefix} = each;
    const text = inAddress.format(state[name]);
    if (text === inAddress.format(initial) && !always.includes(name)) return [];
    if (prefix === undefined) return [[keyOf(name, each), text ?? '']];
    return [...new URLSearchParams(text ?? '')].map(([key, value]) => [prefix + key, value]);
  });
}
