import {flagOf} from './file-fields.js';
import {matricesOf, presentHeads} from './missing-heads.js';
import {asTensor} from './numbers-of-lists.js';
import {SnapshotError} from './snapshot.js';

/** @import {Fields} from './file-fields.js' */
/** @import {PlainSnapshot, Snapshot, VectorKind} from './snapshot.js' */

/**
 * Reads the queries, keys and values that `attend --with qkv` writes, if the file has them.
 *
 * @param {Fields} fields
 * @param {PlainSnapshot} part  the attention in the file
 * @returns {Pick<PlainSnapshot, 'headDim' | 'vectors' | 'scoreDivisors' | 'scoreBiases' | 'hasDistanceProducts'>}
 */
export function vectorsOf(fields, {layers, heads, queryTokens: {length: tokens}}) {
  const {queries, keys, values} = fields;
  if (!queries || !keys || !values) return {};
  /** @type {number | undefined} */
  let headDim;
  const read = (/** @type {unknown} */ vectors, /** @type {VectorKind} */ name) => {
    const {lists, places} = presentHeads(vectors);
    const tensor = asTensor(lists, name);
    const shape = places ? [places.layers, places.heads, ...tensor.shape.slice(2)] : tensor.shape;
    headDim ??= shape[3];
    if (String(shape) !== String([layers, heads, tokens, headDim])) {
      throw new SnapshotError(
        `“${name}” should be ${layers} layers × ${heads} heads × ${tokens} tokens × ${headDim}, found ${shape.join(' × ')}.`,
      );
    }
    return matricesOf(tensor, places);
  };
  const vectors = {
    queries: read(queries, 'queries'),
    keys: read(keys, 'keys'),
    values: read(values, 'values'),
  };
  const hasDistanceProducts = flagOf(fields, 'distance_products');
  return {headDim, vectors, hasDistanceProducts, ...scoringOf(fields, tokens)};
}

/**
 * Reads what the scores of a head are made of besides queries and keys, if the file says so.
 *
 * @param {Fields} fields
 * @param {number} tokens
 * @returns {Pick<Snapshot, 'scoreDivisors' | 'scoreBiases'>}
 */
function scoringOf(fields, tokens) {
  const {score_biases: biases} = fields;
  const divisors = fields.score_divisors;
  const scoreDivisors = divisors ? [...asTensor(divisors, 'score_divisors').values] : undefined;
  if (!biases) return {scoreDivisors};
  const {shape, values} = asTensor(biases, 'score_biases');
  if (shape.length !== 2 || shape[1] !== 2 * tokens - 1) {
    throw new SnapshotError(
      `“score_biases” should be heads × ${2 * tokens - 1} distances, found ${shape.join(' × ')}.`,
    );
  }
  return {scoreDivisors, scoreBiases: Float32Array.from(values)};
}

/**
 * @param {Pick<Snapshot, 'layers' | 'heads' | 'scoreDivisors' | 'scoreBiases'>} snapshot
 * @param {number} tokens
 * @throws {SnapshotError} unless each layer has a divisor and each head has its biases
 */
export function checkScoring({layers, heads, scoreDivisors, scoreBiases}, tokens) {
  const isDivisor = (/** @type {number} */ value) => Number.isFinite(value) && value > 0;
  if (scoreDivisors && !(scoreDivisors.length === layers && scoreDivisors.every(isDivisor))) {
    throw new SnapshotError(
      `“score_divisors” should be a number over 0 for each of the ${layers} layers, found ${scoreDivisors.slice(0, 8).join(', ')}.`,
    );
  }
  const rows = (scoreBiases?.length ?? 0) / (2 * tokens - 1);
  if (scoreBiases && !(rows === heads && scoreBiases.every(Number.isFinite))) {
    throw new SnapshotError(
      `“score_biases” should be numbers for each of the ${heads} heads, found ${rows} rows of them.`,
    );
  }
}
