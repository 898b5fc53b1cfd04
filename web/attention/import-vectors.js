import {vectorFields} from '../engine/measures.js';
import {matricesOf, presentHeads} from './missing-heads.js';
import {asTensor} from './numbers-of-lists.js';
import {SnapshotError} from './snapshot.js';

/** @import {Fields} from './file-fields.js' */
/** @import {PlainSnapshot, Snapshot} from './snapshot.js' */

/**
 * Reads the queries, keys and values that `attend --with qkv` writes, and what else scores are made of, if the file has
 * them.
 *
 * @param {Fields} fields
 * @param {PlainSnapshot} part  the attention in the file
 * @returns {Pick<PlainSnapshot, 'headDim' | 'vectors' | 'scoreDivisors' | 'hasPositionScores'>}
 */
export function vectorsOf(fields, {layers, heads, queryTokens: {length: tokens}}) {
  const {queries, keys, values, position_scores: ofPositions, score_divisors: divisors} = fields;
  if (!queries || !keys || !values) return {};
  // Files before position_scores say or deny in these fields what distances add. The softmax would be false without it.
  if (!ofPositions && (fields.score_biases || fields.distance_products)) return {};
  /** @type {number | undefined} */
  let headDim;
  const read = (/** @type {string} */ name, /** @type {number} */ columns) => {
    const {lists, places} = presentHeads(fields[name]);
    const tensor = asTensor(lists, name);
    const shape = places ? [places.layers, places.heads, ...tensor.shape.slice(2)] : tensor.shape;
    const wanted = columns || (headDim ??= shape[3]);
    if (String(shape) !== String([layers, heads, tokens, wanted])) {
      throw new SnapshotError(
        `“${name}” should be ${layers} layers × ${heads} heads × ${tokens} tokens × ${wanted}, found ${shape.join(' × ')}.`,
      );
    }
    if (!tensor.values.every(Number.isFinite))
      throw new SnapshotError(`“${name}” should be finite numbers.`);
    return matricesOf(tensor, places);
  };
  const hasPositionScores = Boolean(ofPositions);
  const vectors = Object.fromEntries(
    vectorFields({hasPositionScores}, tokens).map(({kind, name, columns}) => [
      kind,
      read(name, columns),
    ]),
  );
  const scoreDivisors = divisors ? [...asTensor(divisors, 'score_divisors').values] : undefined;
  return {headDim, vectors, hasPositionScores, scoreDivisors};
}

/**
 * @param {Pick<Snapshot, 'layers' | 'scoreDivisors'>} snapshot
 * @throws {SnapshotError} unless each layer has a divisor
 */
export function checkDivisors({layers, scoreDivisors}) {
  const isDivisor = (/** @type {number} */ value) => Number.isFinite(value) && value > 0;
  if (scoreDivisors && !(scoreDivisors.length === layers && scoreDivisors.every(isDivisor))) {
    throw new SnapshotError(
      `“score_divisors” should be a number over 0 for each of the ${layers} layers, found ${scoreDivisors.slice(0, 8).join(', ')}.`,
    );
  }
}
