import {usualSpecialTokens} from './special-tokens.js';

/** @import {Side, Slice} from './selection.js' */

/**
 * What every view draws from: tokens, and attention by layer and head. A snapshot does not know
 * how the attention was made, so live results, imported files and frozen pages draw alike.
 *
 * @typedef {object} Snapshot
 * @property {readonly string[]} queryTokens  rows: the tokens that attend
 * @property {readonly string[]} keyTokens  columns: the tokens attended to (for self-attention the same array)
 * @property {Record<Side, readonly boolean[]>} special  which tokens the tokenizer put around the text
 * @property {number | null} sentenceB  index of the first token of sentence B; null for one sentence
 * @property {number} layers
 * @property {number} heads
 * @property {(layer: number, head: number) => Float32Array | undefined} attention
 *   `[queries * keys]`, row-major, each row sums to 1; undefined where it has not been fetched
 * @property {number} [headDim]  length of a head's vectors, where they are known
 * @property {(kind: VectorKind, layer: number, head: number) => Float32Array | undefined} [vectors]
 *   `[tokens * headDim]`; undefined where they have not been fetched
 * @property {boolean} [isDifference]  weights are differences, from -1 to 1
 * @property {{query: Slice[], key: Slice[]}} [runs]  for a reading whose rows are not the tokens
 *   themselves: the tokens of the original that each row and column stands for
 *
 * @typedef {'queries' | 'keys' | 'values'} VectorKind
 */

/** What a saved snapshot says of itself. */
export const snapshotFormat = Object.freeze({format: 'bertscope-snapshot', version: 1});

/** Attention that does not fit its tokens: says what was expected and what was found. */
export class SnapshotError extends Error {
  code = 'bad-snapshot';
}

/**
 * @param {object} parts
 * @param {readonly string[]} parts.tokens
 * @param {readonly string[]} [parts.keyTokens]  for cross-attention
 * @param {ArrayLike<number> | null} [parts.tokenTypeIds]  0 for sentence A, then 1 for sentence B
 * @param {readonly boolean[]} [parts.special]  of `tokens`; unless given, their usual names tell
 * @param {number} parts.layers
 * @param {number} parts.heads
 * @param {Snapshot['attention']} parts.attention
 * @param {number} [parts.headDim]
 * @param {Snapshot['vectors']} [parts.vectors]
 * @returns {Snapshot}
 */
export function createSnapshot({
  tokens,
  keyTokens = tokens,
  tokenTypeIds,
  special,
  layers,
  heads,
  attention,
  headDim,
  vectors,
}) {
  const size = tokens.length * keyTokens.length;
  if (special && special.length !== tokens.length) {
    throw new SnapshotError(
      `There should be one mark of special tokens for each of the ${tokens.length} tokens, found ${special.length}.`,
    );
  }
  const ofQueries = special ?? usualSpecialTokens(tokens);
  return {
    queryTokens: tokens,
    keyTokens,
    special: {
      query: ofQueries,
      key: keyTokens === tokens ? ofQueries : usualSpecialTokens(keyTokens),
    },
    sentenceB: findSentenceB(tokens, tokenTypeIds),
    layers,
    heads,
    headDim,
    vectors,
    attention(layer, head) {
      const matrix = attention(layer, head);
      if (matrix && matrix.length !== size) {
        throw new SnapshotError(
          `Attention of layer ${layer}, head ${head} should have ${size} weights ` +
            `(${tokens.length} queries × ${keyTokens.length} keys), found ${matrix.length}.`,
        );
      }
      return matrix;
    },
  };
}

/**
 * @param {readonly string[]} tokens
 * @param {ArrayLike<number> | null} [types]
 */
function findSentenceB(tokens, types) {
  if (!types) return null;
  if (types.length !== tokens.length) {
    throw new SnapshotError(
      `There should be one token type for each of the ${tokens.length} tokens, found ${types.length}.`,
    );
  }
  const start = Array.prototype.indexOf.call(types, 1);
  if (start < 0) return null;
  for (let i = start; i < types.length; i++) {
    if (types[i] !== 1) {
      throw new SnapshotError(
        `Sentence B starts at token ${start}, so token ${i} should have type 1, found ${types[i]}.`,
      );
    }
  }
  return start;
}

/**
 * The plain form, as `bertscope attend` writes it and frozen pages carry it.
 *
 * @typedef {object} SnapshotJson
 * @property {string[]} tokens
 * @property {number[] | null} [token_type_ids]
 * @property {number[][][][]} attentions  `[layer][head][query][key]`
 */

/**
 * @param {Snapshot} snapshot  with every matrix fetched
 * @returns {SnapshotJson}
 */
export function snapshotToJson({queryTokens, keyTokens, sentenceB, layers, heads, attention}) {
  const range = (/** @type {number} */ length) => Array.from({length}, (_, i) => i);
  const columns = keyTokens.length;
  return {
    tokens: [...queryTokens],
    token_type_ids: queryTokens.map((_, i) => (sentenceB !== null && i >= sentenceB ? 1 : 0)),
    attentions: range(layers).map((layer) =>
      range(heads).map((head) => {
        const matrix = attention(layer, head);
        if (!matrix) {
          throw new SnapshotError(`Attention of layer ${layer}, head ${head} was not fetched.`);
        }
        return queryTokens.map((_, i) =>
          Array.from(matrix.subarray(i * columns, (i + 1) * columns)),
        );
      }),
    ),
  };
}
