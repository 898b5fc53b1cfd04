import {range} from './range.js';
import {usualSpecialTokens} from './special-tokens.js';

/** @import {Measure} from './display.js' */
/** @import {Parts} from './import-attention.js' */
/** @import {Side, Slice} from './selection.js' */

/**
 * What every view draws from: tokens, and attention by layer and head. A snapshot does not know
 * how the attention was made, so live results, opened files and saved pages draw alike.
 *
 * @typedef {object} Snapshot
 * @property {readonly string[]} queryTokens  rows: the tokens that attend
 * @property {readonly string[]} keyTokens  columns: the tokens attended to (for self-attention the same array)
 * @property {Record<Side, readonly boolean[]>} special  which tokens the tokenizer put around the text
 * @property {number | null} sentenceB  index of the first token of sentence B; null for one sentence
 * @property {number} layers
 * @property {number} heads
 * @property {(layer: number, head: number) => boolean} [has]  which heads the data hold; unless given, all
 * @property {(layer: number, head: number) => Float32Array | undefined} attention
 *   `[queries * keys]`, row-major, each row sums to 1; undefined where it has not been fetched
 * @property {number} [headDim]  length of a head's vectors, where they are known
 * @property {(kind: VectorKind, layer: number, head: number) => Float32Array | undefined} [vectors]
 *   `[tokens * headDim]`; undefined where they have not been fetched
 * @property {boolean} [isDifference]  weights are differences, from -1 to 1
 * @property {{before: Snapshot, after: Snapshot}} [sides]  what a difference is of
 * @property {{query: Slice[], key: Slice[]}} [runs]  for a reading whose rows are not the tokens
 *   themselves: the tokens of the original that each row and column stands for
 * @property {readonly (Offset | null)[]} [offsets]  where in its sentence each query token stands, where
 *   that is known; null for what the tokenizer put around the text
 * @property {boolean} [isByteLevel]  whether the tokens are bytes in GPT-2's spelling (`Ġcaf`, `Ã©`), where a
 *   tokenizer has said so; unless given, the tokens themselves tell
 * @property {boolean} [isNumbered]  the tokens have no names, and are called by their numbers
 * @property {About} [about]  of attention that was saved: where it comes from
 * @property {Parts} [before]  of a comparison that was saved: its baseline
 *
 * @typedef {object} About  empty where a file does not say
 * @property {string} text  what was run
 * @property {string} model  its name
 * @property {string} interventions  what was changed in it, as fields of an address
 * @property {string} measure  what the numbers are
 * @property {string} name  of a side of a comparison, as it was called
 *
 * @typedef {readonly [start: number, end: number]} Offset  in UTF-16 code units, `end` excluded
 *
 * @typedef {'queries' | 'keys' | 'values'} VectorKind
 *
 * Names one matrix of a pass.
 *
 * @typedef {object} MatrixRef
 * @property {'attention' | VectorKind} kind
 * @property {Measure} [measure]  of attention; its weights, unless given
 * @property {number} layer
 * @property {number} head
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
 * @param {Snapshot['offsets']} [parts.offsets]
 * @param {Snapshot['isByteLevel']} [parts.isByteLevel]
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
  offsets,
  isByteLevel,
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
    offsets,
    isByteLevel,
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
 * The plain form, as `bertscope attend` writes it and saved pages carry it.
 *
 * @typedef {object} SnapshotJson
 * @property {string} [format]
 * @property {number} [version]
 * @property {string} [text]  what was run
 * @property {string} [model]
 * @property {string} [interventions]
 * @property {string} [measure]
 * @property {string[]} tokens
 * @property {number[] | null} [token_type_ids]
 * @property {number[]} [special_tokens_mask]
 * @property {readonly (Offset | null)[]} [offsets]  of each token, null for what stands around the text
 * @property {boolean} [byte_level]  whether the tokens are bytes in GPT-2's spelling
 * @property {string} [name]  of a side of a comparison, as it was called
 * @property {SnapshotJson} [before]  of a comparison: its baseline
 * @property {DifferenceJson} [difference]  after minus before; only written, since a page subtracts for itself
 * @property {(number[][] | null)[][]} attentions  `[layer][head][query][key]`; null: left out
 * @property {(number[][] | null)[][]} [queries]  `[layer][head][token][dimension]`
 * @property {(number[][] | null)[][]} [keys]
 * @property {(number[][] | null)[][]} [values]
 *
 * @typedef {object} DifferenceJson  `before | after` where the tokens differ
 * @property {string[]} query_tokens
 * @property {string[]} key_tokens
 * @property {(number[][] | null)[][]} attentions  `[layer][head][query][key]`, from -1 to 1
 *
 * @typedef {object} Extent  what of a snapshot is saved; unless given, everything
 * @property {readonly number[]} [layers]
 * @property {readonly number[]} [heads]
 * @property {boolean} [vectors]  queries, keys and values too
 * @property {number} [digits]  of each number; nine are all that a float32 has
 */

/** @type {readonly VectorKind[]} */
const vectorKinds = ['queries', 'keys', 'values'];

/**
 * @param {Snapshot} snapshot  with every matrix of the extent fetched
 * @param {Extent} [extent]
 * @returns {SnapshotJson}
 * @throws {SnapshotError} where one was not
 */
export function snapshotToJson(snapshot, {layers, heads, vectors = false, digits = 9} = {}) {
  const {queryTokens, keyTokens, sentenceB, special, offsets, isByteLevel} = snapshot;
  const number = (/** @type {number} */ value) => Number(value.toPrecision(digits));
  /**
   * @param {(layer: number, head: number) => Float32Array | undefined} matrixOf
   * @param {number} columns
   */
  const nested = (matrixOf, columns) =>
    range(snapshot.layers).map((layer) =>
      range(snapshot.heads).map((head) => {
        const isWanted = (layers?.includes(layer) ?? true) && (heads?.includes(head) ?? true);
        if (!isWanted || snapshot.has?.(layer, head) === false) return null;
        const matrix = matrixOf(layer, head);
        if (!matrix) {
          throw new SnapshotError(`Attention of layer ${layer}, head ${head} was not fetched.`);
        }
        const row = (/** @type {number} */ i) => matrix.subarray(i * columns, (i + 1) * columns);
        return queryTokens.map((_, i) => Array.from(row(i), number));
      }),
    );
  const {headDim = 0, vectors: vectorsOf} = snapshot;
  return {
    tokens: [...queryTokens],
    token_type_ids: queryTokens.map((_, i) => (sentenceB !== null && i >= sentenceB ? 1 : 0)),
    special_tokens_mask: special.query.map(Number),
    ...(offsets ? {offsets} : {}),
    ...(isByteLevel === undefined ? {} : {byte_level: isByteLevel}),
    attentions: nested(snapshot.attention, keyTokens.length),
    ...(vectors && vectorsOf
      ? Object.fromEntries(
          vectorKinds.map((kind) => [
            kind,
            nested((layer, head) => vectorsOf(kind, layer, head), headDim),
          ]),
        )
      : {}),
  };
}
