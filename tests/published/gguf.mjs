/** Compares a published GGUF file with what `gguf_reference.py` computed of it. */

import {createHash} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {openModel} from '../../scripts/cli/source.mjs';
import {COPYING} from '../../web/engine/host/copying-heads.js';

/** @import {CopyingHeads} from '../../web/engine/host/copying-heads.js' */
/** @import {LoadedModel} from '../../web/engine/host/loaded-model.js' */
/** @import {Expected} from './expected.mjs' */

/**
 * The logits by which a token has to lead the next one in float32 for its place to count as decided: 8 bits change a
 * logit by less.
 */
const LEAD = 1;

/**
 * @typedef {object} LogitDifferences  of all places of all texts
 * @property {number} otherIds  texts with other ids
 * @property {number} largest  the largest difference of a logit, as a share of the largest logit of its place
 * @property {number} otherTop  the share of places with another likeliest token
 * @property {number} otherDecided  the same of places where that token leads clearly
 */

/**
 * @param {string} file
 * @param {string} results  the folder with `hashes.json`
 * @returns {Promise<number>} how many tensors differ in any bit, or are not there
 */
export async function otherTensors(file, results) {
  /** @type {Record<string, string>} */
  const hashes = JSON.parse(await readFile(join(results, 'hashes.json'), 'utf8'));
  const other = new Set(Object.keys(hashes));
  const reader = await (await openModel(file)).open();
  let hash = createHash('sha256');
  for await (const {tensor, bytes, first, last} of reader.pieces) {
    if (first) hash = createHash('sha256');
    hash.update(bytes);
    if (last && hash.digest('hex') === hashes[tensor.name]) other.delete(tensor.name);
  }
  await reader.close();
  return other.size;
}

/**
 * @param {LoadedModel} model
 * @param {Expected} expected
 * @returns {Promise<LogitDifferences>}
 */
export async function logitDifferences(model, expected) {
  const {layers} = model.shape;
  let [otherIds, largest, places, other, decided, otherDecided] = [0, 0, 0, 0, 0, 0];
  for (const [number, text] of expected.texts.entries()) {
    const {ids, pass} = await model.attend(text.text);
    if (String(ids) !== String(text.ids)) {
      otherIds++;
      continue;
    }
    const logits = await expected.tensor(`${number}.logits`);
    if (!logits) throw new Error(`expected the logits of text ${number}, found none`);
    const size = logits.length / ids.length;
    for (let place = 0; place < ids.length; place++) {
      const ours = await model.pull(pass, 'wordLogits', [layers, place]);
      const theirs = logits.subarray(place * size, (place + 1) * size);
      const [first, second] = topTwo(theirs);
      const isOther = topTwo(ours)[0] !== first;
      const isDecided = theirs[first] - theirs[second] > LEAD;
      places += 1;
      other += Number(isOther);
      decided += Number(isDecided);
      otherDecided += Number(isOther && isDecided);
      largest = Math.max(largest, largestShare(ours, theirs)); // NaN stays
    }
  }
  return {otherIds, largest, otherTop: other / places, otherDecided: otherDecided / decided};
}

/** The means are over so many texts of random tokens. */
const SEEDS = 8;

/**
 * Finds the heads that copy.
 * @param {LoadedModel} model
 * @returns {Promise<Record<typeof COPYING[number], {layer: number, head: number, share: number}[]>>}  the five heads that
 *   give the largest share of their attention to each place
 */
export async function strongestCopying(model) {
  /** @type {CopyingHeads[]} */
  const passes = [];
  for (let seed = 0; seed < SEEDS; seed++) passes.push(await model.copyingHeads({seed}));
  const {heads} = passes[0];
  const strongest = COPYING.map((place) => {
    const shares = Array.from(
      passes[0][place],
      (_, at) => passes.reduce((sum, pass) => sum + pass[place][at], 0) / SEEDS,
    );
    const best = [...shares.entries()].sort(([, a], [, b]) => b - a).slice(0, 5);
    return [
      place,
      best.map(([at, share]) => ({layer: Math.floor(at / heads), head: at % heads, share})),
    ];
  });
  return Object.fromEntries(strongest);
}

/** @param {Float32Array} values @returns {[number, number]} The places of the largest and of the next. */
function topTwo(values) {
  let [first, second] = values[0] >= values[1] ? [0, 1] : [1, 0];
  for (let at = 2; at < values.length; at++) {
    if (values[at] > values[first]) [first, second] = [at, first];
    else if (values[at] > values[second]) second = at;
  }
  return [first, second];
}

/** @param {Float32Array} ours @param {Float32Array} theirs */
function largestShare(ours, theirs) {
  let [off, size] = [0, 0];
  for (let at = 0; at < theirs.length; at++) {
    off = Math.max(off, Math.abs(ours[at] - theirs[at]));
    size = Math.max(size, Math.abs(theirs[at]));
  }
  return off / size;
}
