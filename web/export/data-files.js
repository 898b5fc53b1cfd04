import {npz} from '../engine/files/npz.js';
import {SnapshotError, snapshotFormat, snapshotToJson} from '../views/snapshot.js';
import {csv} from './csv.js';

/** @import {Measure} from '../views/readability.js' */
/** @import {Extent, Snapshot, VectorKind} from '../views/snapshot.js' */

/**
 * What is saved, and where it comes from.
 *
 * @typedef {object} Content
 * @property {Snapshot} snapshot  with every matrix of the extent fetched
 * @property {Extent} [extent]
 * @property {string} text
 * @property {string} model  its name
 * @property {string} [interventions]  what was changed in it, as fields of an address; unless given, nothing
 * @property {Measure} [measure]  what the numbers of its matrices are; weights, unless given
 */

/**
 * A row for each weight: layer, head, query, key, their tokens, the weight, and of which model, changed
 * how. Another measure has its name in the place of the weight's.
 *
 * @param {Content} content
 */
export function csvFile(content) {
  const {model, interventions = '', measure = 'weight'} = content;
  const {queryTokens, keyTokens} = content.snapshot;
  const places = ['layer', 'head', 'query', 'key', 'query_token', 'key_token'];
  /** @type {(string | number)[][]} */
  const rows = [[...places, measure, 'model', 'interventions']];
  for (const {layer, head, matrix} of matrices(content)) {
    queryTokens.forEach((queryToken, query) => {
      keyTokens.forEach((keyToken, key) => {
        const weight = matrix[query * keyTokens.length + key];
        const place = [layer, head, query, key, queryToken, keyToken];
        rows.push([...place, weight, model, interventions]);
      });
    });
  }
  return csv(rows);
}

/**
 * A snapshot that every `<bert-scope>` draws. Heads that were left out are null.
 *
 * @param {Content} content
 */
export function jsonFile({snapshot, extent, ...about}) {
  const {text, model, interventions = '', measure = 'weight'} = about;
  const json = isSelfAttention(snapshot)
    ? snapshotToJson(snapshot, extent)
    : crossAttention(snapshotToJson(snapshot, extent), snapshot);
  return JSON.stringify({...snapshotFormat, text, model, interventions, measure, ...json});
}

/**
 * NumPy arrays, named as `bertscope attend -o x.npz` names them: `attentions` of the layers and
 * heads that `layers` and `heads` list, of as many as `model_shape` says; their numbers are those of
 * `measure`. `text`, `model` and `interventions` say where they come from.
 *
 * @param {Content} content
 */
export function npzFile(content) {
  const {snapshot, extent = {}} = content;
  const {text, model, interventions = '', measure = 'weight'} = content;
  const {queryTokens, keyTokens, sentenceB, headDim = 0, vectors} = snapshot;
  const {layers, heads} = chosen(snapshot, extent);
  const [rows, columns] = [queryTokens.length, keyTokens.length];
  const joined = (/** @type {Float32Array[]} */ parts, /** @type {number} */ size) => {
    const values = new Float32Array(parts.length * size);
    parts.forEach((part, i) => values.set(part, i * size));
    return values;
  };
  const isCross = !isSelfAttention(snapshot);
  const attention = matrices(content).map(({matrix}) => matrix);
  const shape = [layers.length, heads.length, rows, columns];
  /** @param {VectorKind} kind */
  const vectorsOf = (kind) => ({
    values: joined(
      layers.flatMap((layer) =>
        heads.map((head) => fetched(vectors?.(kind, layer, head), layer, head)),
      ),
      rows * headDim,
    ),
    shape: [layers.length, heads.length, rows, headDim],
  });
  const types = queryTokens.map((_, i) => Number(sentenceB !== null && i >= sentenceB));
  return npz({
    tokens: {values: [...queryTokens], shape: [rows]},
    ...(isCross ? {key_tokens: {values: [...keyTokens], shape: [columns]}} : {}),
    text: {values: [text], shape: [1]},
    model: {values: [model], shape: [1]},
    interventions: {values: [interventions], shape: [1]},
    measure: {values: [measure], shape: [1]},
    token_type_ids: {values: Int32Array.from(types), shape: [rows]},
    layers: {values: Int32Array.from(layers), shape: [layers.length]},
    heads: {values: Int32Array.from(heads), shape: [heads.length]},
    model_shape: {values: Int32Array.of(snapshot.layers, snapshot.heads), shape: [2]},
    attentions: {values: joined(attention, rows * columns), shape},
    ...(extent.vectors && vectors
      ? {queries: vectorsOf('queries'), keys: vectorsOf('keys'), values: vectorsOf('values')}
      : {}),
  });
}

/** @param {Content} content */
function matrices({snapshot, extent = {}}) {
  const {layers, heads} = chosen(snapshot, extent);
  return layers.flatMap((layer) =>
    heads.map((head) => ({
      layer,
      head,
      matrix: fetched(snapshot.attention(layer, head), layer, head),
    })),
  );
}

/** @param {Float32Array | undefined} matrix @param {number} layer @param {number} head */
function fetched(matrix, layer, head) {
  if (matrix) return matrix;
  throw new SnapshotError(`Layer ${layer}, head ${head} is not part of this picture.`);
}

/** Unless given, all that there are. @param {Snapshot} snapshot @param {Extent} extent */
function chosen({layers: depth, heads: width, has = () => true}, {layers, heads}) {
  const range = (/** @type {number} */ length) => Array.from({length}, (_, i) => i);
  return {
    layers: layers ?? range(depth).filter((layer) => range(width).some((head) => has(layer, head))),
    heads: heads ?? range(width).filter((head) => range(depth).some((layer) => has(layer, head))),
  };
}

/** @param {Snapshot} snapshot */
function isSelfAttention({queryTokens, keyTokens}) {
  return (
    queryTokens.length === keyTokens.length &&
    queryTokens.every((token, i) => token === keyTokens[i])
  );
}

/** @param {ReturnType<typeof snapshotToJson>} json @param {Snapshot} snapshot */
function crossAttention({attentions}, {queryTokens, keyTokens}) {
  return {decoder_tokens: queryTokens, encoder_tokens: keyTokens, cross_attention: attentions};
}
