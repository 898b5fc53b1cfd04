/** Keeps what was made of a pass, so that what is asked for again is there at once. */

import {remembered} from '../attention/remembered.js';

/** @import {Result, Translation} from '../session/pass.js' */

/** How much is kept of one pass. What was made first is forgotten first. */
export const mostKept = 32;

/** By what was asked. @type {WeakMap<Result | Translation, Map<string, any>>} */
const kept = new WeakMap();

/**
 * @template T
 * @param {Result | Translation} of
 * @param {object} asked
 * @param {() => Promise<T>} make
 * @returns {Promise<T>}
 */
export async function keptAnswer(of, asked, make) {
  const answers = remembered(kept, of, () => new Map());
  const key = JSON.stringify(asked);
  const found = answers.get(key);
  if (found) return found;
  const answer = await make();
  answers.set(key, answer);
  if (answers.size > mostKept) answers.delete(answers.keys().next().value);
  return answer;
}

/**
 * No panel reads the matrices of an explanation, which take megabytes, so they are not kept.
 *
 * @template {{signal?: AbortSignal, onProgress?: (progress: {done: number, total: number}) => void}} Options
 * @template {{matrix?: Float32Array, layers?: Float32Array[]}} Explanation
 * @param {(Result | Translation) & {explain: (options: Options) => Promise<Explanation>}} of
 * @param {Options} options
 * @returns {Promise<Omit<Explanation, 'matrix' | 'layers'>>}
 */
export function keptExplanation(of, options) {
  const {signal, onProgress, ...asked} = options;
  return keptAnswer(of, asked, async () => {
    const {matrix, layers, ...explanation} = await of.explain(options);
    return explanation;
  });
}
