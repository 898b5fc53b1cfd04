/** The options of the lab's operations: their defaults, and a check of each by its name. */

import {BertscopeError} from '../errors.js';
import {quote} from '../json.js';

/** Undefined as a default marks an option that must be given. */
export const INPUTS = {query: undefined, key: undefined, value: undefined};
export const MASKING = {causal: false, keep: null};
export const ATTENDING = {scale: 'head', axis: 'keys', ...MASKING};
export const LAYER = {
  heads: undefined,
  seed: undefined,
  intermediate: null,
  norm: 'post',
  ...ATTENDING,
};

/** @type {Record<string, string[]>} */
const CHOICES = {
  scale: ['head', 'hidden', 'none'],
  axis: ['keys', 'queries'],
  norm: ['pre', 'post'],
  kind: ['learned', 'sinusoidal'],
  positions: ['learned', 'sinusoidal', 'none'],
};

const FLAGS = new Set(['causal', 'output', 'parameters']);
const SIZES = ['features', 'inFeatures', 'outFeatures', 'tokens', 'hiddenSize', 'intermediate'];
const COUNTS = new Set([...SIZES, 'heads', 'layers', 'labels']);
/** Options that may be null. */
const OPTIONAL = new Set(['keep', 'targetKeep', 'intermediate']);

/**
 * Whether shapes fit together is checked in C++, where they are used.
 * @param {string} operation
 * @param {string} name
 * @param {any} value
 */
export function checkOption(operation, name, value) {
  /** @param {string} expected */
  const refuse = (expected) => {
    const message = `${operation}: expected ${expected} as ${name}, found ${quote(value)}`;
    throw new BertscopeError('bad-option', message);
  };
  if (OPTIONAL.has(name) && value === null) return value;
  if (name in CHOICES) {
    if (!CHOICES[name].includes(value)) refuse(CHOICES[name].join(' or '));
  } else if (FLAGS.has(name)) {
    if (typeof value !== 'boolean') refuse('true or false');
  } else if (COUNTS.has(name)) {
    if (!isCount(value)) refuse('a whole number from 1');
  } else if (name === 'seed') {
    if (!Number.isSafeInteger(value) || value < 0) refuse('a whole number from 0');
  } else if (name === 'epsilon' || name === 'probability') {
    if (typeof value !== 'number') refuse('a number');
  } else if (name === 'shape') {
    if (!isShape(value)) refuse('a list of whole numbers from 1');
  } else {
    if (!isShape(value?.shape) || typeof value.data?.length !== 'number') {
      refuse('a tensor, {shape, data}');
    }
    const data = value.data instanceof Float32Array ? value.data : Float32Array.from(value.data);
    return {shape: value.shape, data};
  }
  return value;
}

/** @param {unknown} value */
function isCount(value) {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) < 2 ** 31;
}

/** @param {unknown} value */
function isShape(value) {
  return Array.isArray(value) && value.length > 0 && value.every(isCount);
}
