/** Parses JSON from files that others wrote, and quotes values in messages. */

import {BertscopeError} from './errors.js';

/** @import {ErrorCode} from './error-code.d.ts' */

/**
 * @param {string} text
 * @param {string} name The name of the text, for messages.
 * @param {ErrorCode} code The code of the error if the text is not a JSON object.
 * @returns {Record<string, unknown>}
 */
export function parseJsonObject(text, name, code) {
  let json;
  try {
    json = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BertscopeError(code, `${name}: expected JSON, found text that is not (${reason})`);
  }
  if (!isRecord(json)) {
    throw new BertscopeError(code, `${name}: expected a JSON object, found ${quote(json)}`);
  }
  return json;
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
export function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Describes a value for a message: briefly, and by its kind if it is nested.
 * @param {unknown} value
 */
export function quote(value) {
  if (Array.isArray(value)) {
    const isShort = value.length <= 4 && value.every((item) => typeof item === 'number');
    return isShort ? `[${value}]` : `a list of ${value.length}`;
  }
  if (isRecord(value)) return 'an object';
  // JSON has no NaN, no Infinity and no bigint.
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return shorten(JSON.stringify(value) ?? 'nothing');
}

/**
 * The most characters of a token, a label or a name that are drawn. Real ones have at most a few
 * hundred: the longest of DeepSeek has 256.
 */
export const MAX_DRAWN = 512;

/**
 * @param {string} text
 * @param {number} [most] How many characters there may be. A longer text ends in `…`.
 */
export function shorten(text, most = 80) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
