/** Several texts as one batch of tokens, padded to one length. */

import {BertscopeError} from '../errors.js';
import {quote} from '../json.js';

/** @import {Encoding, Tokenizer} from './tokenizer.js' */

/** @typedef {{shape: number[], data: Int32Array}} IntTensor A tensor in row-major order. */

/**
 * @typedef {object} TokenBatch
 * @property {IntTensor} ids `[texts, tokens]`
 * @property {IntTensor} tokenTypeIds `[texts, tokens]`
 * @property {IntTensor} attentionMask `[texts, tokens]`: 1 for a token, 0 for padding.
 * @property {string[][]} tokens
 */

/**
 * @typedef {object} BatchOptions
 * @property {boolean} [padding] Whether to pad the shorter texts. Without it, texts of different
 *   lengths are refused.
 * @property {boolean} [specialTokens] Whether to put `[CLS]` and `[SEP]` around each text; the
 *   default is true.
 */

/**
 * @param {Tokenizer} tokenizer
 * @param {string[]} texts They are cut off after `maxTokens` tokens.
 * @param {BatchOptions & {maxTokens: number}} options
 * @returns {TokenBatch}
 */
export function tokenizeBatch(tokenizer, texts, {padding = false, specialTokens, maxTokens}) {
  if (!Array.isArray(texts)) {
    throw new BertscopeError('bad-option', `expected a list of texts, found ${quote(texts)}`);
  }
  const encodings = texts.map((text) => tokenizer.encode(text, {specialTokens, maxTokens}));
  const lengths = encodings.map(({ids}) => ids.length);
  const tokens = Math.max(0, ...lengths);
  if (tokens === 0) {
    throw new BertscopeError('empty-text', 'expected texts of at least one token, found none');
  }
  if (!padding && lengths.some((length) => length !== tokens)) {
    const message = `expected texts of equally many tokens, or padding, found ${lengths.join(', ')}`;
    throw new BertscopeError('bad-batch', message);
  }
  /** @param {(encoding: Encoding) => number[]} row @param {number} filler */
  const padded = (row, filler) => {
    const data = new Int32Array(texts.length * tokens).fill(filler);
    encodings.forEach((encoding, index) => data.set(row(encoding), index * tokens));
    return {shape: [texts.length, tokens], data};
  };
  const pad = tokenizer.token(tokenizer.padId);
  return {
    ids: padded(({ids}) => ids, tokenizer.padId),
    tokenTypeIds: padded(({tokenTypeIds}) => tokenTypeIds, 0),
    attentionMask: padded(({ids}) => ids.map(() => 1), 0),
    tokens: encodings.map((encoding) => [
      ...encoding.tokens,
      ...Array(tokens - encoding.tokens.length).fill(pad),
    ]),
  };
}

/** @param {unknown} shape @returns {shape is number[]} */
export const isShape = (shape) =>
  Array.isArray(shape) && shape.every((size) => Number.isInteger(size) && size >= 0);

/**
 * @param {TokenBatch} batch
 * @returns {Int32Array} The number of tokens of each text without padding. Padding must follow
 *   them.
 */
export function lengthsOf({ids, tokenTypeIds, attentionMask}) {
  for (const [name, tensor] of Object.entries({ids, tokenTypeIds, attentionMask})) {
    if (isShape(tensor?.shape) && tensor.data instanceof Int32Array) continue;
    const message = `expected ${name} of a batch as {shape, data}, with whole numbers in an Int32Array, found ${quote(tensor)}`;
    throw new BertscopeError('bad-batch', message);
  }
  const [texts, tokens] = attentionMask.shape;
  if (String(ids.shape) !== String(attentionMask.shape)) {
    const message = `expected an attention mask of the ids' shape [${ids.shape}], found [${attentionMask.shape}]`;
    throw new BertscopeError('bad-batch', message);
  }
  const count = Math.min(ids.data.length, attentionMask.data.length);
  if (attentionMask.shape.length !== 2 || count !== texts * tokens || count === 0) {
    const message = `expected ids and an attention mask with as many values as their shape [${ids.shape}] says, found ${count}`;
    throw new BertscopeError('bad-batch', message);
  }
  return Int32Array.from({length: texts}, (_, text) => {
    const row = attentionMask.data.subarray(text * tokens, (text + 1) * tokens);
    const length = row.indexOf(0) < 0 ? tokens : row.indexOf(0);
    if (row.subarray(length).some((kept) => kept !== 0)) {
      const message = `expected an attention mask of ones, then zeros, found [${row}]`;
      throw new BertscopeError('bad-batch', message);
    }
    return length;
  });
}
