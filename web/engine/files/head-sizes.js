/** Reads how large the heads of a model are, and how many share keys and values. */

import {quote} from '../json.js';

/** @import {Choices, ModelConfig} from '../wasm-module.d.ts' */

/**
 * @param {string} field
 * @param {unknown} given What the configuration says of it.
 * @param {Pick<ModelConfig, 'hiddenSize' | 'heads'>} sizes
 * @param {string[]} wrong Gets what the engine cannot express.
 * @returns {number} The size of a head; 0 if the heads divide the hidden size.
 */
export function readHeadSize(field, given, {hiddenSize, heads}, wrong) {
  const size = given ?? hiddenSize / heads;
  if (heads > 0 && !(Number.isInteger(size) && Number(size) > 0)) {
    wrong.push(`${field} to be a positive integer, found ${quote(size)}`);
  }
  return size === hiddenSize / heads ? 0 : Number(size);
}

/**
 * @param {Record<string, unknown>} json `config.json`
 * @param {number} heads
 * @param {string[]} wrong Gets what the engine cannot express.
 * @returns {Pick<Choices, 'keyValueHeads'>}
 */
export function readSharedKeys({num_key_value_heads: count}, heads, wrong) {
  const keyValueHeads = Number(count ?? heads);
  const isCount = Number.isInteger(count ?? heads) && keyValueHeads > 0;
  if (heads > 0 && !(isCount && heads % keyValueHeads === 0)) {
    wrong.push(`num_key_value_heads to divide ${heads} heads, found ${quote(count)}`);
  }
  return {keyValueHeads};
}
