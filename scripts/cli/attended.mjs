/** What `attend` writes of one text. */

import {npz} from '../../web/engine/files/npz-writer.js';
import {vectorFields} from '../../web/engine/measures.js';
import {matrixToJson} from './float32.mjs';

/** @import {Quantity} from '../../web/engine/host/held-trace.js' */
/** @import {Attended, LoadedModel} from '../../web/engine/host/loaded-model.js' */
/** @import {NumpyArray} from '../../web/engine/files/npz-writer.js' */

/**
 * @typedef {object} WantedParts
 * @property {boolean} attention
 * @property {boolean} qkv
 * @property {boolean} hidden
 * @property {boolean} mlm
 * @property {number} topK
 */

/**
 * One line of JSON, in pieces: the whole of a long text would not fit into a string.
 * @param {LoadedModel} model
 * @param {Attended} attended
 * @param {WantedParts} parts
 * @returns {AsyncGenerator<string, void>}
 */
export async function* attendedToJson(model, attended, parts) {
  const {layers, heads, headDim} = model.shape;
  const {tokens, ids, tokenTypeIds} = attended;
  const shape = {layers, heads, tokens: tokens.length, head_dim: headDim};
  yield JSON.stringify({tokens, ids, token_type_ids: tokenTypeIds, shape}).slice(0, -1);
  for (const {name, quantity, sizes} of tensorsOf(model, attended, parts)) {
    const columns = sizes[sizes.length - 1];
    /** @param {number[]} indices */
    const matrix = async function* (...indices) {
      yield matrixToJson(await model.pull(attended.pass, quantity, indices), columns);
    };
    const [outer, inner] = sizes;
    yield `,"${name}":`;
    if (sizes.length === 3) yield* jsonArray(outer, (index) => matrix(index));
    else {
      yield* jsonArray(outer, (layer) => jsonArray(inner, (head) => matrix(layer, head)));
    }
  }
  const divisors = parts.qkv && model.shape.scoreDivisors;
  if (divisors) yield `,"score_divisors":${JSON.stringify(divisors.map(Math.fround))}`;
  if (parts.mlm) {
    const predictions = await model.predictions(attended.pass, parts.topK);
    const stated = ['index', 'top', 'token', 'id', 'probability'];
    yield `,"predictions":${JSON.stringify(predictions, stated)}`;
  }
  yield '}\n';
}

/**
 * @param {LoadedModel} model
 * @param {Attended} attended
 * @param {WantedParts} parts
 * @returns {Promise<Uint8Array>} The arrays of the JSON under the same names; predictions as
 *   `prediction_index` [places], `prediction_ids` and `prediction_probabilities` [places, k].
 */
export async function attendedToNpz(model, attended, parts) {
  const {tokens, pass} = attended;
  /** @type {Record<string, NumpyArray>} */
  const arrays = {
    tokens: {values: tokens, shape: [tokens.length]},
    ids: {values: pass.ids, shape: [tokens.length]},
    token_type_ids: {values: pass.tokenTypes, shape: [tokens.length]},
  };
  for (const {name, quantity, sizes} of tensorsOf(model, attended, parts)) {
    const matrices = [];
    for (let outer = 0; outer < sizes[0]; outer++) {
      if (sizes.length === 3) matrices.push(await model.pull(pass, quantity, [outer]));
      else {
        for (let head = 0; head < sizes[1]; head++) {
          matrices.push(await model.pull(pass, quantity, [outer, head]));
        }
      }
    }
    arrays[name] = {values: concatenate(matrices), shape: sizes};
  }
  const divisors = parts.qkv && model.shape.scoreDivisors;
  if (divisors) {
    arrays.score_divisors = {values: Float32Array.from(divisors), shape: [divisors.length]};
  }
  if (parts.mlm) {
    const predictions = await model.predictions(pass, parts.topK);
    const top = predictions.flatMap((prediction) => prediction.top);
    const places = predictions.length;
    const shape = [places, places && top.length / places];
    arrays.prediction_index = {
      values: Int32Array.from(predictions, (p) => p.index),
      shape: [places],
    };
    arrays.prediction_ids = {values: Int32Array.from(top, (t) => t.id), shape};
    arrays.prediction_probabilities = {values: Float32Array.from(top, (t) => t.probability), shape};
  }
  return npz(arrays);
}

/**
 * @param {LoadedModel} model
 * @param {Attended} attended
 * @param {WantedParts} parts
 */
function tensorsOf({shape}, {tokens: {length: tokens}}, parts) {
  const perHead = [shape.layers, shape.heads, tokens];
  /** @type {{name: string, quantity: Quantity, sizes: number[], wanted: boolean}[]} */
  const tensors = [
    {
      name: 'attentions',
      quantity: 'attention',
      sizes: [...perHead, tokens],
      wanted: parts.attention,
    },
    {
      name: 'hidden_states',
      quantity: 'hiddenStates',
      sizes: [shape.layers + 1, tokens, shape.hiddenSize],
      wanted: parts.hidden,
    },
    ...vectorFields(shape, tokens).map(({kind, name, columns}) => ({
      name,
      quantity: kind,
      sizes: [...perHead, columns],
      wanted: parts.qkv,
    })),
  ];
  return tensors.filter(({wanted}) => wanted);
}

/**
 * @param {number} length
 * @param {(index: number) => AsyncIterable<string>} element
 * @returns {AsyncGenerator<string, void>}
 */
async function* jsonArray(length, element) {
  for (let index = 0; index < length; index++) {
    yield index === 0 ? '[' : ',';
    yield* element(index);
  }
  yield ']';
}

/** @param {Float32Array[]} parts Of one length. */
function concatenate(parts) {
  const all = new Float32Array(parts.length * parts[0].length);
  parts.forEach((part, index) => all.set(part, index * part.length));
  return all;
}
