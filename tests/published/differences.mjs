/** Compares what a model computes here with what transformers computed. */

/** @import {LoadedModel} from '../../web/engine/host/loaded-model.js' */
/** @import {Expected, Text} from './expected.mjs' */

/**
 * @typedef {object} Differences  of all texts of a model
 * @property {number} texts
 * @property {number} otherIds  texts with other ids
 * @property {number} largestAttention
 * @property {number} meanAttention  over all weights
 * @property {number} sameTop  the share of rows of attention whose largest weight is at the same token
 * @property {number} largestHidden  over all layers
 * @property {number | null} meanCosine  of the sentence vectors of a text; null for models without
 * @property {number | null} leastCosine
 * @property {Ranking} graded  the pairs from equal in meaning to unrelated
 * @property {Ranking} neighbours  the first of the texts, each with the next, which is on something else
 *
 * @typedef {{ours: number[], theirs: number[]}} Ranking  the cosine of each pair; none for models without sentence
 *   vectors
 */

const NEIGHBOURS = 100;

/**
 * @param {LoadedModel} model
 * @param {Expected} expected
 * @returns {Promise<Differences>}
 */
export async function differencesOf(model, expected) {
  const {layers, heads, hiddenSize} = model.shape;
  const found = {texts: 0, otherIds: 0, largestAttention: 0, largestHidden: 0};
  let [sum, weights, same, rows] = [0, 0, 0, 0];
  /** @type {{ours: Float32Array, theirs: Float32Array}[]} */
  const sentences = [];
  for (const [number, text] of expected.texts.entries()) {
    found.texts++;
    const {ids, tokens, pass} = await model.attend(text.text, {pair: text.pair});
    if (String(ids) !== String(text.ids)) {
      found.otherIds++;
      continue;
    }
    const size = tokens.length;
    const attention = await required(expected, `${number}.attention`);
    for (let layer = 0; layer < layers; layer++) {
      for (let head = 0; head < heads; head++) {
        const ours = await model.pull(pass, 'attention', [layer, head]);
        const begin = (layer * heads + head) * size * size;
        const theirs = attention.subarray(begin, begin + size * size);
        for (let row = 0; row < size; row++) {
          const [from, to] = [row * size, (row + 1) * size];
          same += Number(hasSameTop(ours.subarray(from, to), theirs.subarray(from, to)));
        }
        const off = difference(ours, theirs);
        found.largestAttention = Math.max(found.largestAttention, off.largest);
        sum += off.sum;
      }
    }
    weights += attention.length;
    rows += layers * heads * size;
    const hidden = await required(expected, `${number}.hidden`);
    for (let layer = 0; layer <= layers; layer++) {
      const ours = await model.pull(pass, 'hiddenStates', [layer]);
      const theirs = hidden.subarray(layer * size * hiddenSize, (layer + 1) * size * hiddenSize);
      found.largestHidden = Math.max(found.largestHidden, difference(ours, theirs).largest);
      if (layer < layers) continue;
      const theirSentence = await expected.tensor(`${number}.sentence`);
      if (!theirSentence) continue;
      sentences.push({ours: meanOfRows(ours, hiddenSize), theirs: theirSentence});
    }
  }
  const neighbours = (/** @type {'ours' | 'theirs'} */ side) =>
    sentences.slice(1, NEIGHBOURS + 1).map((next, i) => cosine(sentences[i][side], next[side]));
  const vectorOf = async (/** @type {string} */ text) => {
    const {pass} = await model.attend(text);
    return meanOfRows(await model.pull(pass, 'hiddenStates', [layers]), hiddenSize);
  };
  const graded = [];
  for (const {text, other} of expected.pairs)
    graded.push(cosine(await vectorOf(text), await vectorOf(other)));
  const cosines = sentences.map(({ours, theirs}) => cosine(ours, theirs));
  return {
    ...found,
    meanCosine: cosines.length
      ? cosines.reduce((total, each) => total + each, 0) / cosines.length
      : null,
    leastCosine: cosines.length ? Math.min(...cosines) : null,
    meanAttention: sum / weights,
    sameTop: same / rows,
    graded: {ours: graded, theirs: expected.pairs.map((pair) => pair.cosine)},
    neighbours: {ours: neighbours('ours'), theirs: neighbours('theirs')},
  };
}

/** @param {Expected} expected @param {string} name */
async function required(expected, name) {
  const tensor = await expected.tensor(name);
  if (!tensor) throw new Error(`expected the tensor ${name}, found none`);
  return tensor;
}

/** @param {Float32Array} ours @param {Float32Array} theirs */
function difference(ours, theirs) {
  let [largest, sum] = [0, 0];
  for (let i = 0; i < theirs.length; i++) {
    const off = Math.abs(ours[i] - theirs[i]);
    sum += off;
    largest = Math.max(largest, off); // NaN stays
  }
  return {largest, sum};
}

/** @param {Float32Array} ours @param {Float32Array} theirs  a row of attention each */
function hasSameTop(ours, theirs) {
  let [ourTop, theirTop] = [0, 0];
  for (let i = 1; i < theirs.length; i++) {
    if (ours[i] > ours[ourTop]) ourTop = i;
    if (theirs[i] > theirs[theirTop]) theirTop = i;
  }
  return ourTop === theirTop;
}

/** @param {Float32Array} matrix @param {number} columns */
function meanOfRows(matrix, columns) {
  const mean = new Float32Array(columns);
  matrix.forEach((value, i) => (mean[i % columns] += value));
  return mean;
}

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
function cosine(a, b) {
  let [dot, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    dot += a[i] * b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
  }
  return dot / Math.sqrt(aa * bb);
}

/**
 * Computes Spearman's correlation of two lists of numbers; null if they are empty. Equal numbers share the mean of their
 * ranks; a list of nothing but equal numbers has no ranks to compare, so the result is NaN.
 *
 * @param {Ranking} ranking
 */
export function rankCorrelation({ours, theirs}) {
  if (!ours.length) return null;
  const middle = (ours.length - 1) / 2;
  const [a, b] = [ours, theirs].map((numbers) => ranks(numbers).map((rank) => rank - middle));
  return cosine(a, b);
}

/** @param {readonly number[]} numbers @returns {number[]} */
function ranks(numbers) {
  const order = [...numbers.keys()].sort((i, j) => numbers[i] - numbers[j]);
  const result = new Array(numbers.length);
  for (let begin = 0, end = 1; begin < order.length; begin = end++) {
    while (end < order.length && numbers[order[end]] === numbers[order[begin]]) end++;
    for (const index of order.slice(begin, end)) result[index] = (begin + end - 1) / 2;
  }
  return result;
}
