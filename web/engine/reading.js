/** Reads what a caller gives. Each message names the place of a mistake, what was expected there, and what was found. */

import {BertscopeError} from './errors.js';
import {isRecord, quote} from './json.js';

/** @import {ErrorCode} from './error-code.d.ts' */

/** @typedef {{code: ErrorCode, path: string}} Place Where a value stands, and the code of an error in it. */

/**
 * Checks and converts one value.
 * @template T
 * @typedef {(value: unknown, place: Place) => T} Read
 */

/** @param {Place} place @param {string} step @returns {Place} */
export const inside = ({code, path}, step) => ({code, path: path + step});

/**
 * @param {Place} place
 * @param {string} expected
 * @param {unknown} found
 * @returns {never}
 */
function refuse({code, path}, expected, found) {
  throw new BertscopeError(code, `${path}: expected ${expected}, found ${quote(found)}`);
}

/** @type {Read<boolean>} */
export function flag(value, place) {
  return typeof value === 'boolean' ? value : refuse(place, 'true or false', value);
}

/** @param {string[]} names @returns {Read<string>} */
export const oneOf = (names) => (value, place) => {
  if (typeof value === 'string' && names.includes(value)) return value;
  const listed = names.map((name) => `'${name}'`).join(', ');
  return refuse(place, listed.replace(/, ([^,]*)$/, ' or $1'), value);
};

/** @param {number} least @param {number} greatest @returns {Read<number>} */
export const number = (least, greatest) => (value, place) => {
  if (typeof value === 'number' && value >= least && value <= greatest) return value;
  return refuse(place, `a number from ${least} to ${greatest}`, value);
};

/** @param {number} least @param {number} greatest @returns {Read<number>} */
export const wholeNumber = (least, greatest) => (value, place) =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= greatest
    ? Number(value)
    : refuse(place, `a whole number from ${least} to ${greatest}`, value);

/** @param {number} count */
export const index = (count) => wholeNumber(0, count - 1);

/** @template T @param {Read<T>} read @returns {Read<T[]>} */
export const listOf = (read) => (value, place) => {
  if (!Array.isArray(value)) refuse(place, 'a list', value);
  return /** @type {unknown[]} */ (value).map((entry, at) => read(entry, inside(place, `[${at}]`)));
};

/** @template T, U @param {Read<T>} read @param {U} otherwise @returns {Read<T | U>} */
export const optional = (read, otherwise) => (value, place) =>
  value === undefined ? otherwise : read(value, place);

/**
 * @param {Record<string, Read<any>>} fields
 * @returns {Read<any>} Reads an object with exactly these fields.
 */
export const recordOf = (fields) => (value, place) => {
  const names = Object.keys(fields).join(', ');
  if (!isRecord(value)) return refuse(place, `an object of ${names}`, value);
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined) refuse(place, names, unknown);
  return fieldsOf(fields)(value, place);
};

/**
 * @template {Record<string, Read<any>>} Fields
 * @param {Fields} fields
 * @returns {(value: {[Name in keyof Fields]?: unknown}, place: Place) => {[Name in keyof Fields]: ReturnType<Fields[Name]>}}
 *   Reads these fields of an object, whatever else it has.
 */
export const fieldsOf = (fields) => (value, place) => {
  const read = Object.entries(fields).map(([name, read]) => [
    name,
    read(value[name], inside(place, `.${name}`)),
  ]);
  return /** @type {any} */ (Object.fromEntries(read));
};
