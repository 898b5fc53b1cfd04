import {MAX_DRAWN, shorten} from '../engine/json.js';
import {SnapshotError, snapshotFormat} from './snapshot.js';

/** @import {About, Offset} from './snapshot.js' */
/** @import {NumberArray} from './numbers-of-lists.js' */

/**
 * What a file holds beside attention: its tokens, what it says of them, and what it says of itself.
 *
 * @typedef {Record<string, unknown>} Fields  the tensors, lists and numbers of a file by name
 */

/**
 * Reads what a file says of itself. NPZ holds arrays only, so a text there is a list of one item.
 *
 * @param {Fields} fields
 * @returns {About}
 */
export function aboutOf(fields) {
  const said = (/** @type {keyof About} */ name) => {
    const [text] = [fields[name]].flat();
    return typeof text === 'string' ? text : '';
  };
  const drawn = (/** @type {keyof About} */ name) => shorten(said(name), MAX_DRAWN);
  return {
    text: said('text'),
    model: drawn('model'),
    interventions: said('interventions'),
    measure: drawn('measure'),
    name: drawn('name'),
    shown: said('shown'),
  };
}

/** Whether bertscope wrote the file. @param {Fields} fields */
export function isOurs({format}) {
  return format === snapshotFormat.format;
}

/** Whether a field is an array of an NPZ file. @param {unknown} value @returns {value is NumberArray} */
export function isTensor(value) {
  return value instanceof Object && 'values' in value && value.values instanceof Float32Array;
}

/** @param {Fields} fields @param {string} name */
export function listOf(fields, name) {
  const list = fields[name];
  if (list === undefined) return null;
  if (!Array.isArray(list) || !list.every((token) => typeof token === 'string')) {
    throw new SnapshotError(`“${name}” should be a list of strings.`);
  }
  return /** @type {string[]} */ (list);
}

/** @param {Fields} fields @param {string} name */
export function numberOf(fields, name) {
  const value = fields[name];
  if (value === undefined || value === null) return null;
  return plainNumber(isTensor(value) ? value.values[0] : value);
}

/** @param {Fields} fields @returns {number[] | null} */
export function typesOf({token_type_ids: types}) {
  return types === undefined || types === null ? null : numbersOf(types);
}

/** Reads `byte_level`, which is a number in NPZ files. @param {Fields} fields @returns {boolean | undefined} */
export function byteLevelOf({byte_level: said}) {
  if (isTensor(said)) return Boolean(said.values[0]);
  return typeof said === 'boolean' ? said : undefined;
}

/** Reads `distance_products`, which is a number in NPZ files. @param {Fields} fields @returns {boolean | undefined} */
export function distanceProductsOf({distance_products: said}) {
  const stated = isTensor(said) ? Boolean(said.values[0]) : said;
  if (stated === undefined || typeof stated === 'boolean') return stated;
  throw new SnapshotError('“distance_products” should be true or false.');
}

/** Reads the mask that Hugging Face's tokenizers return. @param {Fields} fields @returns {boolean[] | undefined} */
export function specialOf({special_tokens_mask: mask}) {
  return mask === undefined || mask === null ? undefined : numbersOf(mask).map(Boolean);
}

/**
 * Reads where tokens stand in their sentence: pairs; null or negative for tokens around the text. Files of other
 * programs may use the name for something else, which is ignored.
 *
 * @param {Fields} fields
 * @param {number} count  the number of tokens
 * @returns {(Offset | null)[] | undefined}
 */
export function offsetsOf({offsets, ...fields}, count) {
  if (!offsets) return undefined;
  const places = isTensor(offsets) ? pairsOf(numbersOf(offsets)) : offsets;
  const isPlace = (/** @type {unknown} */ at) =>
    at === null || (Array.isArray(at) && at.length === 2 && at.every(Number.isInteger));
  if (!Array.isArray(places) || places.length !== count || !places.every(isPlace)) {
    if (!isOurs(fields)) return undefined;
    throw new SnapshotError(
      `“offsets” should have a start and an end, or null, for each of the ${count} tokens.`,
    );
  }
  return places.map((at) => (at?.[0] < 0 ? null : at));
}

/** @param {number[]} list */
function pairsOf(list) {
  return Array.from({length: list.length / 2}, (_, i) => list.slice(2 * i, 2 * i + 2));
}

/** @param {unknown} list */
function numbersOf(list) {
  if (isTensor(list)) return Array.from(list.values);
  return Array.isArray(list) ? list.map(plainNumber) : [];
}

/** Objects become NaN here, since `Number` may throw for them. @param {unknown} value */
function plainNumber(value) {
  return value instanceof Object ? NaN : Number(value);
}
