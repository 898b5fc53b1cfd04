import {headArithmetic} from '../../web/attention/head-arithmetic.js';
import {createSnapshot} from '../../web/attention/snapshot.js';

const tokens = ['[CLS]', 'time', 'flies', '[SEP]', 'arrows', 'do', '[SEP]'];
const headDim = 4;

/**
 * Makes a snapshot of two sentences, two layers and two heads, whose vectors follow from a number.
 *
 * @param {number} seed
 */
export function exampleSnapshot(seed) {
  const vectorsOf = (/** @type {number} */ kind, /** @type {number} */ head) =>
    Float32Array.from(
      {length: tokens.length * headDim},
      (_, at) => (((at + 3) * (at + seed + 5 * kind + 2 * head)) % 13) / 4 - 1.5,
    );
  const heads = [0, 1, 2, 3].map((head) => {
    const [queries, keys, values] = [0, 1, 2].map((kind) => vectorsOf(kind, head));
    const rows = tokens.map((_, query) =>
      Array.from(headArithmetic({queries, keys, values, headDim}, query).softmax),
    );
    /** @type {Record<string, Float32Array>} */
    const matrices = {queries, keys, values, attention: Float32Array.from(rows.flat())};
    return matrices;
  });
  return createSnapshot({
    tokens,
    tokenTypeIds: [0, 0, 0, 0, 1, 1, 1],
    layers: 2,
    heads: 2,
    attention: (layer, head) => heads[2 * layer + head].attention,
    headDim,
    vectors: (kind, layer, head) => heads[2 * layer + head][kind],
  });
}
