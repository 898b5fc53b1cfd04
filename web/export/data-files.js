import {npz} from '../engine/files/npz-writer.js';
import {blockOf} from '../attention/shape.js';
import {
  SnapshotError,
  attentionOf,
  snapshotFormat,
  snapshotToJson,
  vectorFields,
  vectorsOf,
} from '../attention/snapshot.js';
import {csv} from './csv.js';

/** @import {NumpyArray} from '../engine/files/npz-writer.js' */
/** @import {Measure} from '../attention/display.js' */
/** @import {Extent, Snapshot} from '../attention/snapshot.js' */

/**
 * The numbers to save, and where they come from.
 *
 * @typedef {object} Content
 * @property {Snapshot} snapshot  with every matrix of the extent fetched
 * @property {Extent} [extent]
 * @property {string} text
 * @property {string} model  its name
 * @property {string} [interventions]  what was changed in it, as fields of an address; nothing, unless given
 * @property {Measure} [measure]  what the numbers of its matrices are; weights, unless given
 * @property {string} [shown]  how the picture shows them: attributes of its element, as an address has them
 * @property {readonly (string | null)[]} [unknown]  the piece of the text that each token stands for which the vocabulary
 *   lacks; null for the others
 * @property {string} [headline]  what the page says over compared pictures
 * @property {string} [name]  its name beside its baseline
 * @property {Content} [before]  its baseline
 * @property {Content} [difference]  after minus before, if the two can be subtracted
 */

/** The label of a token or a name that differs between the sides. */
const bothOf = (/** @type {string} */ before, /** @type {string} */ after) =>
  before === after ? after : `${before} | ${after}`;

/**
 * Writes one row for each weight: layer, head, query, key, their tokens, the weight, the model and what was
 * changed in it. The column of another measure has the name of that measure. A comparison has two more
 * columns: the text of the row, and its side, which is `before`, `after` or `difference`. Where tokens stand for what the
 * vocabulary lacks, two columns say for what.
 *
 * @param {Content} content
 */
export function csvFile(content) {
  const {measure = 'weight', before, difference} = content;
  const places = ['layer', 'head', 'query', 'key', 'query_token', 'key_token'];
  const isNamed = [content, before].some((side) => side && hasUnknown(side));
  const names = isNamed ? ['query_text', 'key_text'] : [];
  const header = [...places, measure, 'model', 'interventions', ...names];
  if (!before) return csv([header, ...rowsOf(content, isNamed)]);
  /** @param {Content} side @param {string} name */
  const sideOf = (side, name) => rowsOf(side, isNamed).map((row) => [...row, side.text, name]);
  const named = (/** @type {'text' | 'model' | 'interventions'} */ name) =>
    bothOf(before[name] ?? '', content[name] ?? '');
  const ofBoth = {
    text: named('text'),
    model: named('model'),
    interventions: named('interventions'),
  };
  return csv([
    [...header, 'text', 'side'],
    ...sideOf(before, 'before'),
    ...sideOf(content, 'after'),
    ...(difference ? sideOf({...difference, ...ofBoth, unknown: []}, 'difference') : []),
  ]);
}

/** @param {Pick<Content, 'unknown'>} content */
const hasUnknown = ({unknown = []}) => unknown.some((piece) => piece !== null);

/** @param {Content} content @param {boolean} isNamed  whether rows say what unknown tokens stand for */
function rowsOf(content, isNamed) {
  const {model, interventions = '', unknown = []} = content;
  const {queryTokens, keyTokens} = content.snapshot;
  /** @type {(string | number)[][]} */
  const rows = [];
  for (const {layer, head, matrix} of matrices(content)) {
    queryTokens.forEach((queryToken, query) => {
      keyTokens.forEach((keyToken, key) => {
        const weight = matrix[query * keyTokens.length + key];
        const place = [layer, head, query, key, queryToken, keyToken];
        const texts = isNamed ? [unknown[query] ?? '', unknown[key] ?? ''] : [];
        rows.push([...place, weight, model, interventions, ...texts]);
      });
    });
  }
  return rows;
}

/**
 * Writes a snapshot that every `<bert-scope>` draws. Heads that were left out are null. For a comparison,
 * it is the side after the change; `before` is a snapshot too, and `difference` is after minus before.
 *
 * @param {Content} content
 */
export function jsonFile({before, difference, ...content}) {
  return JSON.stringify({
    ...snapshotFormat,
    ...fieldsOf(content),
    ...(before ? {before: fieldsOf(before)} : {}),
    ...(difference ? {difference: differenceFields(difference)} : {}),
  });
}

/** @param {Content} content */
function fieldsOf({snapshot, extent, name, ...about}) {
  const {text, model, interventions = '', measure = 'weight', shown, headline} = about;
  const json = isSelfAttention(snapshot)
    ? snapshotToJson(snapshot, extent)
    : crossAttention(snapshotToJson(snapshot, extent), snapshot);
  const said = {
    ...(name ? {name} : {}),
    ...(shown ? {shown} : {}),
    ...(headline ? {headline} : {}),
    ...(hasUnknown(about) ? {unknown: about.unknown} : {}),
  };
  return {text, model, interventions, measure, ...said, ...json};
}

/** Rows of differences sum to 0, so this is not a snapshot. @param {Content} content */
function differenceFields({snapshot, extent}) {
  const {attentions} = snapshotToJson(snapshot, {...extent, vectors: false});
  return {query_tokens: snapshot.queryTokens, key_tokens: snapshot.keyTokens, attentions};
}

/**
 * Writes NumPy arrays under the names that `bertscope attend -o x.npz` uses. `attentions` has the layers and
 * heads that `layers` and `heads` list, `model_shape` says how many the model has, and `measure` names
 * the numbers. `text`, `model` and `interventions` say where they come from, `shown` how the picture has them. For a comparison, these are
 * the side after the change; names with `before_` are the other side, with `difference_` after minus before.
 *
 * @param {Content} content
 */
export function npzFile({before, difference, ...content}) {
  return npz({
    ...arraysOf(content),
    ...(before ? prefixed('before_', arraysOf(before)) : {}),
    ...(difference ? prefixed('difference_', differenceArrays(difference)) : {}),
  });
}

/** @param {string} prefix @param {Record<string, NumpyArray>} arrays */
function prefixed(prefix, arrays) {
  return Object.fromEntries(
    Object.entries(arrays).map(([name, array]) => [`${prefix}${name}`, array]),
  );
}

/** @param {Content} content @returns {Record<string, NumpyArray>} */
function differenceArrays({name: _, shown: __, headline: ___, ...content}) {
  const {queryTokens, keyTokens} = content.snapshot;
  const {layers, heads, attentions} = arraysOf({
    ...content,
    extent: {...content.extent, vectors: false},
  });
  return {
    query_tokens: {values: [...queryTokens], shape: [queryTokens.length]},
    key_tokens: {values: [...keyTokens], shape: [keyTokens.length]},
    layers,
    heads,
    attentions,
  };
}

/** @param {Content} content @returns {Record<string, NumpyArray>} */
function arraysOf(content) {
  const {snapshot, extent = {}} = content;
  const {queryTokens, keyTokens, sentenceB, ids, isByteLevel} = snapshot;
  const {layers, heads} = chosen(snapshot, extent);
  const [rows, columns] = [queryTokens.length, keyTokens.length];
  const isCross = !isSelfAttention(snapshot);
  const attention = matrices(content).map(({matrix}) => matrix);
  const shape = [layers.length, heads.length, rows, columns];
  const {scoreDivisors} = snapshot;
  /** @param {ReturnType<typeof vectorFields>[number]} field @returns {[string, NumpyArray]} */
  const vectorArray = ({kind, name, columns: width}) => [
    name,
    {
      values: joined(
        layers.flatMap((layer) =>
          heads.map((head) => fetched(vectorsOf(snapshot, kind, layer, head), layer, head)),
        ),
        rows * width,
      ),
      shape: [layers.length, heads.length, rows, width],
    },
  ];
  const types = queryTokens.map((_, i) => Number(sentenceB !== null && i >= sentenceB));
  return {
    tokens: {values: [...queryTokens], shape: [rows]},
    ...(isCross ? {key_tokens: {values: [...keyTokens], shape: [columns]}} : {}),
    ...saidArrays(content),
    token_type_ids: {values: Int32Array.from(types), shape: [rows]},
    ...offsetArrays(snapshot),
    ...(ids ? {ids: {values: Int32Array.from(ids), shape: [rows]}} : {}),
    ...(isByteLevel === undefined
      ? {}
      : {byte_level: {values: Int32Array.of(Number(isByteLevel)), shape: [1]}}),
    layers: {values: Int32Array.from(layers), shape: [layers.length]},
    heads: {values: Int32Array.from(heads), shape: [heads.length]},
    model_shape: {values: Int32Array.of(snapshot.layers, snapshot.heads), shape: [2]},
    attentions: {values: joined(attention, rows * columns), shape},
    ...(extent.vectors && snapshot.vectors
      ? {
          ...Object.fromEntries(vectorFields(snapshot, columns).map(vectorArray)),
          ...(scoreDivisors && {
            score_divisors: {
              values: Float32Array.from(scoreDivisors),
              shape: [scoreDivisors.length],
            },
          }),
        }
      : {}),
  };
}

/** Writes what the file says of itself. @param {Content} content @returns {Record<string, NumpyArray>} */
function saidArrays(content) {
  const {text, model, interventions = '', measure = 'weight', name, shown, headline} = content;
  /** @param {string} said @returns {NumpyArray} */
  const words = (said) => ({values: [said], shape: [1]});
  return {
    text: words(text),
    model: words(model),
    interventions: words(interventions),
    measure: words(measure),
    ...(name ? {name: words(name)} : {}),
    ...(shown ? {shown: words(shown)} : {}),
    ...(headline ? {headline: words(headline)} : {}),
    ...unknownArrays(content),
  };
}

/** Writes what unknown tokens stand for, if there are any. @param {Content} content @returns {Record<string, NumpyArray>} */
function unknownArrays({unknown = []}) {
  if (!hasUnknown({unknown})) return {};
  return {unknown: {values: unknown.map((piece) => piece ?? ''), shape: [unknown.length]}};
}

/** @param {Content['snapshot']} snapshot @returns {Record<string, NumpyArray>} */
function offsetArrays({offsets}) {
  if (!offsets) return {};
  // NumPy has no null: a token that the tokenizer added has the offset -1.
  const values = Int32Array.from(offsets.flatMap((at) => at ?? [-1, -1]));
  return {offsets: {values, shape: [offsets.length, 2]}};
}

/** Puts arrays of one size one after the other. @param {Float32Array[]} parts @param {number} size */
function joined(parts, size) {
  const values = new Float32Array(parts.length * size);
  parts.forEach((part, i) => values.set(part, i * size));
  return values;
}

/** @param {Content} content */
function matrices({snapshot, extent = {}}) {
  const {layers, heads} = chosen(snapshot, extent);
  return layers.flatMap((layer) =>
    heads.map((head) => ({
      layer,
      head,
      matrix: fetched(attentionOf(snapshot, layer, head), layer, head),
    })),
  );
}

/** @param {Float32Array | undefined} matrix @param {number} layer @param {number} head */
function fetched(matrix, layer, head) {
  if (matrix) return matrix;
  throw new SnapshotError(`Layer ${layer}, head ${head} is not part of this picture.`);
}

/** The layers and heads of an extent; by default, all. @param {Snapshot} snapshot @param {Extent} extent */
function chosen(snapshot, extent) {
  const all = blockOf(snapshot);
  return {layers: extent.layers ?? all.layers, heads: extent.heads ?? all.heads};
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
