/** What heads find in the sentences that come with the page: measured once for each model, when a step first asks. */

import {missedLinks} from '../../engine/syntax/missed-links.js';
import {scoreTreebank} from '../../engine/syntax/score-treebank.js';
import {builtInTreebank, sentencesOf} from '../../workbench/treebank.js';

/** @import {Sentence} from '../../engine/syntax/conllu.js' */
/** @import {LinkedWords} from '../../engine/host/word-links.js' */
/** @import {Miss} from '../../engine/syntax/missed-links.js' */
/** @import {RelationScore} from '../../engine/syntax/relation-counts.js' */
/** @import {ScoredModel, SyntaxReport} from '../../engine/syntax/score-treebank.js' */
/** @import {Model} from '../../session/shared-models.js' */
/** @import {Tools} from '../step.js' */

/** @typedef {{sentence: Sentence, miss: Miss}} Missed  a word whose head is not found */

/**
 * What was measured of a model. `links`: which words its heads link in each text, so that failures are looked up without
 * the model; of the sentences of the page these are one to three megabytes.
 *
 * @typedef {{report: SyntaxReport, links: Map<string, LinkedWords>}} Measurement
 */

/** Loaded together with the steps, because a class may have no network once the page is open. */
const loadedAhead = builtInTreebank().catch(() => null);
const treebank = async () => (await loadedAhead) ?? builtInTreebank();

/** @type {WeakMap<Model, Measurement>} */
const measurements = new WeakMap();

/** The relation that the lesson looks at most: from an object to its verb. */
const looked = 'obj';
/** How many relations are compared: those with most words, since the intervals of others are wide. */
const compared = 10;

/**
 * Measures every head on the sentences of the page, or remembers what was measured.
 *
 * @param {Tools} tools
 * @returns {Promise<Measurement>}
 */
async function measurement({model, signal, onProgress}) {
  const known = measurements.get(model);
  if (known) return known;
  /** @type {Measurement['links']} */
  const links = new Map();
  /** @type {ScoredModel} */
  const asked = {
    shape: model.shape,
    async wordLinks(text, options) {
      const linked = await model.wordLinks(text, options);
      links.set(text, linked);
      return linked;
    },
  };
  const sentences = sentencesOf(await treebank(), signal, onProgress);
  const measured = {report: await scoreTreebank(asked, sentences, {signal}), links};
  measurements.set(model, measured);
  return measured;
}

/** How often each head finds each relation in the sentences of the page. @param {Tools} tools */
export const measuredReport = async (tools) => (await measurement(tools)).report;

/** The relations with most words. What a punctuation mark belongs to is a convention. @param {SyntaxReport} report */
export const frequentRelations = ({relations}) =>
  relations.filter(({relation}) => relation !== 'punct').slice(0, compared);

/** How well heads find the verbs of objects. @param {SyntaxReport} report @returns {RelationScore} */
export function objectScore({relations}) {
  const score = relations.find(({relation}) => relation === looked);
  if (!score) throw new Error(`expected sentences with the relation ${looked}, found none`);
  return score;
}

/**
 * Whether a head is better than the best fixed distance by more than chance explains.
 *
 * @param {Pick<RelationScore, 'best' | 'position'>} score
 */
export const isBetter = ({best, position}) => best.interval[0] > position.share;

/**
 * The words whose head is not found by the head that finds it most often.
 *
 * @param {Tools} tools
 * @param {RelationScore} score
 * @returns {Promise<Missed[]>}
 */
export async function missedWords(tools, score) {
  const {links} = await measurement(tools);
  const {model, signal} = tools;
  /** @type {ScoredModel} */
  const remembered = {
    shape: model.shape,
    wordLinks: async (text, options) => links.get(text) ?? model.wordLinks(text, options),
  };
  const finder = {relation: score.relation, ...score.best};
  const sentences = sentencesOf(await treebank(), signal);
  /** @type {Missed[]} */
  const found = [];
  for await (const {sentence, misses} of missedLinks(remembered, sentences, finder, signal))
    found.push(...misses.map((miss) => ({sentence, miss})));
  return found;
}
