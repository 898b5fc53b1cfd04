/** Keeps the explanations that were made of a pass, so that one that is asked for again is there at once. */

import {remembered} from '../attention/remembered.js';

/** @import {Result, Translation} from '../session/pass.js' */

/** By what was asked. @type {WeakMap<Result | Translation, Map<string, any>>} */
const kept = new WeakMap();

/**
 * @template {{signal?: AbortSignal, onProgress?: (progress: {done: number, total: number}) => void}} Options
 * @template Explanation
 * @param {(Result | Translation) & {explain: (options: Options) => Promise<Explanation>}} of
 * @param {Options} options
 * @returns {Promise<Explanation>}
 */
export async function keptExplanation(of, options) {
  const {signal, onProgress, ...asked} = options;
  const explanations = remembered(kept, of, () => new Map());
  const key = JSON.stringify(asked);
  const found = explanations.get(key);
  if (found) return found;
  const explanation = await of.explain(options);
  explanations.set(key, explanation);
  return explanation;
}
