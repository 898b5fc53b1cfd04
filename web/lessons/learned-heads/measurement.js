/** What heads find in the sentences that come with the page: measured once for each model, when a step first asks. */

import {missedLinks} from '../../engine/syntax/missed-links.js';
import {scoreTreebank} from '../../engine/syntax/score-treebank.js';
import {builtInTreebank, sentencesOf} from '../../workbench/treebank.js';

/** @import {Sentence} from '../../engine/syntax/conllu.js' */
/** @import {Finder, Miss} from '../../engine/syntax/missed-links.js' */
/** @import {RelationScore} from '../../engine/syntax/relation-counts.js' */
/** @import {SyntaxReport} from '../../engine/syntax/score-treebank.js' */
/** @import {Model} from '../../scope/shared-models.js' */
/** @import {Tools} from '../step.js' */

/** @typedef {{sentence: Sentence, miss: Miss}} Missed  a word whose head is not found */

/** @type {WeakMap<Model, SyntaxReport>} */
const reports = new WeakMap();
/** @type {WeakMap<Model, Missed[]>} */
const misses = new WeakMap();

/** The relation that the lesson looks at most: from an object to its verb. */
const looked = 'obj';
/** How many relations are compared: those with most words, since the intervals of others are wide. */
const compared = 10;

/**
 * Measures every head on the sentences of the page, or remembers what was measured.
 *
 * @param {Tools} tools
 * @returns {Promise<SyntaxReport>}
 */
export async function measuredReport({model, signal, onProgress}) {
  const known = reports.get(model);
  if (known) return known;
  const sentences = sentencesOf(await builtInTreebank(), signal, onProgress);
  const report = await scoreTreebank(model, sentences, {signal});
  reports.set(model, report);
  return report;
}

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
export async function missedWords({model, signal, onProgress}, score) {
  const known = misses.get(model);
  if (known) return known;
  /** @type {Finder} */
  const finder = {relation: score.relation, ...score.best};
  const sentences = sentencesOf(await builtInTreebank(), signal, onProgress);
  /** @type {Missed[]} */
  const found = [];
  for await (const {sentence, misses: missed} of missedLinks(model, sentences, finder, signal))
    found.push(...missed.map((miss) => ({sentence, miss})));
  misses.set(model, found);
  return found;
}
