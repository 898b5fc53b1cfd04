/** Switches off each head of a model in turn, and compares in two precisions what one would conclude. */

import {everydaySentences} from '../../web/engine/everyday-sentences.js';
import {cosine, meanOfRows} from '../../web/engine/host/vectors.js';
import {withBlank} from '../../scripts/check/blank.mjs';
import {rankCorrelation} from './differences.mjs';
import {meanOf} from './syntax-survival.mjs';

/** @import {LoadedModel} from '../../web/engine/host/loaded-model.js' */

/**
 * @typedef {object} Ablation  of one text
 * @property {number} [watched]  the token whose probability is measured
 * @property {number} answer  the likeliest token, or the nearest other sentence
 * @property {ArrayLike<number>} effects  of each head: how far the probability or the sentence vector moves without it
 * @property {number[]} answers  without each head
 *
 * @typedef {object} Agreement
 * @property {number} texts
 * @property {number} sameAnswer  texts with the same answer with all heads
 * @property {number} sameFirst  texts with the same most important head
 * @property {number} meanOfFive  how many of the five most important heads are the same
 * @property {number} meanCorrelation  of the ranks of all heads, over texts
 * @property {number} pairs  of a text with the same answer and a head
 * @property {{both: number, first: number, second: number}} changes  pairs in which the answer is another without the head,
 *   in both precisions or in one alone
 */

const TEXTS = 50;
const MOST_IMPORTANT = 5;

/**
 * @param {LoadedModel} model
 * @param {Ablation[]} [first]  in another precision: the same token is watched
 * @returns {Promise<Ablation[]>}  of everyday sentences: of a model with a masked-LM head with a blank in each
 */
export function ablationsOf(model, first) {
  const sentences = everydaySentences.slice(0, TEXTS);
  return model.predictionHeads.maskedLm
    ? ablationsOfBlanks(model, sentences, first)
    : ablationsOfVectors(model, sentences);
}

/**
 * @param {LoadedModel} model
 * @param {string[]} sentences
 * @param {Ablation[]} [first]
 */
async function ablationsOfBlanks(model, sentences, first) {
  const ablations = [];
  for (const [index, sentence] of sentences.entries()) {
    const text = await withBlank(model, sentence, index);
    const likeliest = async (/** @type {HeadOff[]} */ heads) => {
      const {pass} = await model.attend(text, {interventions: {heads}});
      const [{index: place, top}] = await model.predictions(pass, 1);
      return {pass, place, id: top[0].id};
    };
    const {pass, place, id: answer} = await likeliest([]);
    const watched = first?.[index].watched ?? answer;
    const {change} = await model.headEffects(pass, {token: place, id: watched});
    const answers = [];
    for (const off of headsOf(model)) answers.push((await likeliest([off])).id);
    ablations.push({watched, answer, effects: change.map(Math.abs), answers});
  }
  return ablations;
}

/** @param {LoadedModel} model @param {string[]} sentences */
async function ablationsOfVectors(model, sentences) {
  const {layers, hiddenSize} = model.shape;
  const vectorOf = async (/** @type {string} */ text, /** @type {HeadOff[]} */ heads) => {
    const {pass} = await model.attend(text, {interventions: {heads}});
    return meanOfRows(await model.pull(pass, 'hiddenStates', [layers]), hiddenSize);
  };
  /** @type {Float32Array[]} */
  const vectors = [];
  for (const sentence of sentences) vectors.push(await vectorOf(sentence, []));
  const nearest = (/** @type {Float32Array} */ vector, /** @type {number} */ own) =>
    largestFirst(vectors.map((other, at) => (at === own ? -1 : cosine(vector, other))))[0];
  const ablations = [];
  for (const [index, sentence] of sentences.entries()) {
    /** @type {[number[], number[]]} */
    const [effects, answers] = [[], []];
    for (const off of headsOf(model)) {
      const vector = await vectorOf(sentence, [off]);
      effects.push(1 - cosine(vectors[index], vector));
      answers.push(nearest(vector, index));
    }
    ablations.push({answer: nearest(vectors[index], index), effects, answers});
  }
  return ablations;
}

/** @typedef {{layer: number, head: number, scale: 0}} HeadOff */

/** @param {LoadedModel} model @returns {HeadOff[]} */
const headsOf = ({shape: {layers, heads}}) =>
  Array.from({length: layers * heads}, (_, at) => ({
    ...{layer: Math.floor(at / heads), head: at % heads},
    scale: 0,
  }));

/** @param {ArrayLike<number>} values @returns {number[]}  their indices */
const largestFirst = (values) =>
  Array.from(values, (_, at) => at).sort((a, b) => values[b] - values[a]);

/**
 * @param {readonly Ablation[]} first
 * @param {readonly Ablation[]} second  of the same texts
 * @returns {Agreement}
 */
export function agreementOf(first, second) {
  const pairs = first.map((one, text) => {
    const other = second[text];
    const [mine, theirs] = [one, other].map(({effects}) =>
      largestFirst(effects).slice(0, MOST_IMPORTANT),
    );
    const [inFirst, inSecond] = [one, other].map(({answer, answers}) =>
      answers.map((without) => without !== answer),
    );
    return {
      isSameAnswer: one.answer === other.answer,
      isSameFirst: mine[0] === theirs[0],
      shared: mine.filter((head) => theirs.includes(head)).length,
      correlation: Number(
        rankCorrelation({ours: Array.from(one.effects), theirs: Array.from(other.effects)}),
      ),
      both: inFirst.filter((changes, head) => changes && inSecond[head]).length,
      first: inFirst.filter((changes, head) => changes && !inSecond[head]).length,
      second: inSecond.filter((changes, head) => changes && !inFirst[head]).length,
    };
  });
  const alike = pairs.filter(({isSameAnswer}) => isSameAnswer);
  const sum = (/** @type {'both' | 'first' | 'second'} */ name) =>
    alike.reduce((total, pair) => total + pair[name], 0);
  return {
    texts: pairs.length,
    sameAnswer: alike.length,
    sameFirst: pairs.filter(({isSameFirst}) => isSameFirst).length,
    meanOfFive: meanOf(pairs.map(({shared}) => shared)),
    meanCorrelation: meanOf(pairs.map(({correlation}) => correlation)),
    pairs: alike.length * first[0].answers.length,
    changes: {both: sum('both'), first: sum('first'), second: sum('second')},
  };
}
