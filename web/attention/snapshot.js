import {BertscopeError} from '../engine/errors.js';
import {vectorFields, vectorKindsOf} from '../engine/measures.js';
import {range} from './range.js';
import {holds, withHas} from './shape.js';
import {usualSpecialTokens} from './special-tokens.js';

/** @import {Measure} from './display.js' */
/** @import {LazyParts, PlainParts, SnapshotParts} from './import-attention.js' */
/** @import {Side, Slice} from './selection.js' */

/**
 * Tokens and attention, which every view draws. A snapshot does not know how the attention was made, so live results,
 * opened files and saved pages are drawn in the same way. `attentionOf`, `vectorsOf` and `holds` read both kinds.
 *
 * @typedef {PlainSnapshot | LazySnapshot} Snapshot
 *
 * @typedef {object} SnapshotFields  what both kinds have
 * @property {readonly string[]} queryTokens  rows: the tokens that attend
 * @property {readonly string[]} keyTokens  columns: the tokens attended to (for self-attention the same array)
 * @property {Record<Side, readonly boolean[]>} special  which tokens the tokenizer put around the text
 * @property {number | null} sentenceB  index of the first token of sentence B; null for one sentence
 * @property {number} layers
 * @property {number} heads
 * @property {readonly boolean[]} [held]  whether the data hold each head, `[layers * heads]`; unless given, they hold all
 * @property {number} [headDim]  length of a head's vectors, where they are known
 * @property {readonly number[]} [scoreDivisors]  what the products of queries and keys are divided by in each layer; the
 *   root of `headDim` unless given
 * @property {boolean} [hasPositionScores]  whether its vectors have `positionScores`, which are added to the scores
 * @property {boolean} [isDifference]  whether weights are differences, from -1 to 1
 * @property {{query: Slice[], key: Slice[]}} [runs]  the tokens of the original snapshot that each row and column
 *   stands for, where they are not the tokens themselves
 * @property {readonly (Offset | null)[]} [offsets]  where each query token stands in its sentence, if known;
 *   null for a token that the tokenizer put around the text
 * @property {readonly number[]} [ids]  of the query tokens, where a model has run them: a text alone does not tell which
 *   tokens it was
 * @property {boolean} [isByteLevel]  whether the tokens are bytes in GPT-2's spelling (`Ġcaf`, `Ã©`), as the
 *   tokenizer says; unless given, the tokens are examined
 * @property {boolean} [isNumbered]  whether the tokens have no names and are numbered instead
 * @property {About} [about]  where saved attention comes from
 *
 * @typedef {object} PlainMatrices  one for each head, `[layers * heads]`; undefined where it has not been fetched
 * @property {Matrices} attention  each `[queries * keys]`, row-major; each row sums to 1
 * @property {Partial<Record<VectorKind, Matrices>>} [vectors]  each `[tokens * headDim]`; of positionScores
 *   `[tokens * tokens]`
 * @property {PlainParts} [before]  the baseline of a saved comparison
 *
 * @typedef {(Float32Array | undefined)[]} Matrices
 *
 * @typedef {SnapshotFields & PlainMatrices} PlainSnapshot  a snapshot as plain data. The engine's matrices arrive in its
 *   lists, files are read to it, and it can be sent to another thread
 *
 * @typedef {object} LazyMatrices  functions that return the same
 * @property {(layer: number, head: number) => Float32Array | undefined} attention
 * @property {(kind: VectorKind, layer: number, head: number) => Float32Array | undefined} [vectors]
 * @property {(layer: number, head: number) => boolean} [has]  says what `held` does
 * @property {{before: LazySnapshot, after: LazySnapshot}} [sides]  the two snapshots that a difference is made from
 * @property {LazyParts} [before]
 *
 * @typedef {SnapshotFields & LazyMatrices} LazySnapshot  a snapshot that is derived from another, as with merged words.
 *   Its matrices are computed when they are drawn: a picture shows few heads of many, and each choice of a reader makes
 *   another picture. Pages that use the package have such snapshots too
 *
 * @typedef {object} About  what a file says of itself; a field is empty where it says nothing
 * @property {string} text  the text that was run
 * @property {string} model  the name of the model
 * @property {string} interventions  the interventions, as fields of an address
 * @property {string} measure  the name of the measure
 * @property {string} name  the name of a side of a comparison
 * @property {string} shown  how the picture had them: attributes of its element, as an address has them
 *
 * @typedef {readonly [start: number, end: number]} Offset  in UTF-16 code units, `end` excluded
 *
 * @typedef {import('../engine/measures.js').VectorKind} VectorKind
 * @typedef {import('../engine/measures.js').MatrixRef} MatrixRef
 */

export {vectorFields, vectorKindsOf};

/** The format and version that every saved snapshot names. */
export const snapshotFormat = Object.freeze({format: 'bertscope-snapshot', version: 1});

/** This is thrown for attention that cannot be used. The message says what was expected and what was found. */
export class SnapshotError extends BertscopeError {
  /** @param {string} message  which may name what is in a file */
  constructor(message) {
    super('bad-snapshot', message);
  }
}

/**
 * @param {Snapshot} snapshot
 * @param {number} layer
 * @param {number} head
 * @returns {Float32Array | undefined}  undefined where it has not been fetched
 */
export function attentionOf(snapshot, layer, head) {
  const {attention} = snapshot;
  if (typeof attention === 'function') return attention(layer, head);
  return holds(snapshot, layer, head) ? attention[layer * snapshot.heads + head] : undefined;
}

/**
 * @param {Snapshot} snapshot
 * @param {VectorKind} kind
 * @param {number} layer
 * @param {number} head
 * @returns {Float32Array | undefined}  undefined where they have not been fetched
 */
export function vectorsOf(snapshot, kind, layer, head) {
  const {vectors} = snapshot;
  if (typeof vectors === 'function') return vectors(kind, layer, head);
  return holds(snapshot, layer, head)
    ? vectors?.[kind]?.[layer * snapshot.heads + head]
    : undefined;
}

/** Gives a snapshot the functions by which pages ask for its matrices. @param {Snapshot} snapshot @returns {LazySnapshot} */
export function lazySnapshot(snapshot) {
  const {attention, vectors, before} = snapshot;
  if (typeof attention === 'function') return /** @type {LazySnapshot} */ (snapshot);
  return {
    ...withHas(snapshot),
    attention: (layer, head) => attentionOf(snapshot, layer, head),
    vectors: vectors && ((kind, layer, head) => vectorsOf(snapshot, kind, layer, head)),
    before: before && lazyParts(before),
  };
}

/** @param {SnapshotParts} parts @returns {LazyParts} */
export const lazyParts = (parts) =>
  Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, lazySnapshot(part)]));

/**
 * @param {Pick<Parameters<typeof createSnapshot>[0], 'tokens' | 'keyTokens' | 'tokenTypeIds' | 'special'> &
 *   Omit<PlainSnapshot, 'queryTokens' | 'keyTokens' | 'special' | 'sentenceB' | 'before'>} parts
 * @returns {Omit<PlainSnapshot, 'before'>}
 */
export function plainSnapshot({tokens, keyTokens = tokens, tokenTypeIds, special, ...rest}) {
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
    ...rest,
  };
}

/**
 * @param {object} parts
 * @param {readonly string[]} parts.tokens
 * @param {readonly string[]} [parts.keyTokens]  only for cross-attention
 * @param {ArrayLike<number> | null} [parts.tokenTypeIds]  0 for sentence A, then 1 for sentence B
 * @param {readonly boolean[]} [parts.special]  which of `tokens` are special; unless given, their names decide
 * @param {number} parts.layers
 * @param {number} parts.heads
 * @param {LazySnapshot['attention']} parts.attention
 * @param {number} [parts.headDim]
 * @param {LazySnapshot['vectors']} [parts.vectors]
 * @param {readonly number[]} [parts.scoreDivisors]
 * @param {boolean} [parts.hasPositionScores]
 * @param {Snapshot['offsets']} [parts.offsets]
 * @param {Snapshot['ids']} [parts.ids]
 * @param {Snapshot['isByteLevel']} [parts.isByteLevel]
 * @returns {LazySnapshot}
 */
export function createSnapshot({attention, vectors, ...parts}) {
  const snapshot = plainSnapshot({...parts, attention: []});
  const [rows, columns] = [snapshot.queryTokens.length, snapshot.keyTokens.length];
  return {
    ...snapshot,
    vectors,
    attention(layer, head) {
      const matrix = attention(layer, head);
      if (matrix && matrix.length !== rows * columns) {
        throw new SnapshotError(
          `Attention of layer ${layer}, head ${head} should have ${rows * columns} weights ` +
            `(${rows} queries × ${columns} keys), found ${matrix.length}.`,
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
 * A snapshot as JSON, as `bertscope attend` writes it and saved pages contain it.
 *
 * @typedef {object} SnapshotJson
 * @property {string} [format]
 * @property {number} [version]
 * @property {string} [text]  the text that was run
 * @property {string} [model]
 * @property {string} [interventions]
 * @property {string} [measure]
 * @property {string[]} tokens
 * @property {number[] | null} [token_type_ids]
 * @property {number[]} [special_tokens_mask]
 * @property {readonly (Offset | null)[]} [offsets]  the place of each token; null for a token around the text
 * @property {number[]} [ids]  of the tokens, where a model has run them
 * @property {boolean} [byte_level]  whether the tokens are bytes in GPT-2's spelling
 * @property {readonly (string | null)[]} [unknown]  the piece of the text that each token stands for which the vocabulary
 *   lacks; null for the others; it is written and never read
 * @property {string} [headline]  what the page said over compared pictures; it is written and never read
 * @property {string} [name]  the name of a side of a comparison
 * @property {SnapshotJson} [before]  the baseline of a comparison
 * @property {DifferenceJson} [difference]  after minus before; it is written and never read
 * @property {(number[][] | null)[][]} attentions  `[layer][head][query][key]`; null: a head that is left out
 * @property {(number[][] | null)[][]} [queries]  `[layer][head][token][dimension]`
 * @property {(number[][] | null)[][]} [keys]
 * @property {(number[][] | null)[][]} [values]
 * @property {readonly number[]} [score_divisors]  what products of queries and keys are divided by in each layer, if not
 *   by the root of a head's size
 * @property {(number[][] | null)[][]} [position_scores]  `[layer][head][query][key]`, where they are added to scores
 *
 * @typedef {object} DifferenceJson  tokens that differ are written `before | after`
 * @property {string[]} query_tokens
 * @property {string[]} key_tokens
 * @property {(number[][] | null)[][]} attentions  `[layer][head][query][key]`, from -1 to 1
 *
 * @typedef {object} Extent  the part of a snapshot that is saved: all layers and heads, unless given
 * @property {readonly number[]} [layers]
 * @property {readonly number[]} [heads]
 * @property {boolean} [vectors]  whether queries, keys and values are saved too; default false
 * @property {number} [digits]  significant digits of each number; default 9, which keep a float32 exactly
 */

/**
 * @param {Snapshot} snapshot  has fetched every matrix of the extent
 * @param {Extent} [extent]
 * @returns {SnapshotJson}
 * @throws {SnapshotError} if a matrix was not fetched
 */
export function snapshotToJson(snapshot, {layers, heads, vectors = false, digits = 9} = {}) {
  const {queryTokens, keyTokens, sentenceB, special, offsets, ids, isByteLevel} = snapshot;
  const number = (/** @type {number} */ value) => Number(value.toPrecision(digits));
  /**
   * @param {(layer: number, head: number) => Float32Array | undefined} matrixOf
   * @param {number} columns
   */
  const nested = (matrixOf, columns) =>
    range(snapshot.layers).map((layer) =>
      range(snapshot.heads).map((head) => {
        const isWanted = (layers?.includes(layer) ?? true) && (heads?.includes(head) ?? true);
        if (!isWanted || !holds(snapshot, layer, head)) return null;
        const matrix = matrixOf(layer, head);
        if (!matrix) {
          throw new SnapshotError(`Attention of layer ${layer}, head ${head} was not fetched.`);
        }
        const row = (/** @type {number} */ i) => matrix.subarray(i * columns, (i + 1) * columns);
        return queryTokens.map((_, i) => Array.from(row(i), number));
      }),
    );
  const {scoreDivisors} = snapshot;
  return {
    tokens: [...queryTokens],
    token_type_ids: queryTokens.map((_, i) => (sentenceB !== null && i >= sentenceB ? 1 : 0)),
    special_tokens_mask: special.query.map(Number),
    ...(offsets ? {offsets} : {}),
    ...(ids ? {ids: [...ids]} : {}),
    ...(isByteLevel === undefined ? {} : {byte_level: isByteLevel}),
    attentions: nested((layer, head) => attentionOf(snapshot, layer, head), keyTokens.length),
    ...(vectors && snapshot.vectors
      ? Object.fromEntries(
          vectorFields(snapshot, keyTokens.length).map(({kind, name, columns}) => [
            name,
            nested((layer, head) => vectorsOf(snapshot, kind, layer, head), columns),
          ]),
        )
      : {}),
    ...(vectors && scoreDivisors ? {score_divisors: scoreDivisors} : {}),
  };
}
