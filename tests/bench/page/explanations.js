/** Measures what each method takes to explain one answer, and what the maps of patching take. */

import {methodsOf} from '../../../web/attention/contributions.js';
import {startEngine} from './ours.js';
import {twoBatches} from './passes.js';
import {takeTurns} from './sampling.js';

/** @import {OurFiles} from './ours.js' */
/** @import {Effort} from './sampling.js' */

/**
 * @typedef {object} ExplanationTask
 * @property {'explanations'} kind
 * @property {OurFiles} ours
 * @property {number} tokens
 * @property {Effort} effort
 */

/** @typedef {{method: string, ours_ms: number}} ExplanationRow */

/**
 * @param {ExplanationTask} task
 * @param {(text: string) => void} progress
 * @returns {Promise<ExplanationRow[]>}
 */
export async function measureExplanations({ours, tokens, effort}, progress) {
  progress('loading');
  const engine = await startEngine();
  const model = await engine.load(ours);
  const [{pass}, {pass: other}] = await Promise.all(
    twoBatches(tokens, model.config.vocabulary).map((batch) => model.encoder.run(batch)),
  );
  const target = {token: 1};
  const names = methodsOf(model.config);
  const parts = /** @type {const} */ (['hidden', 'heads']);
  progress(`${tokens} tokens, ${names.join(', ')}`);
  const {medians} = await takeTurns(
    Object.fromEntries([
      ...names.map((name) => [name, () => model.explain(pass, name, target)]),
      ...parts.map((what) => [`patch ${what}`, () => model.patch(pass, other, {what, target})]),
    ]),
    effort,
  );
  return Object.entries(medians).map(([method, median]) => ({method, ours_ms: median}));
}
