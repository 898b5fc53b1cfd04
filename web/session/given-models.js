/** @import {ModelSource, Progress} from './shared-engine.js' */

/**
 * Models that the page brings itself, by addresses that begin with `given:`. A notebook has them from Python.
 *
 * @type {Map<string, (onProgress: (progress: Progress) => void, signal: AbortSignal) => Promise<ModelSource>>}
 */
export const givenModels = new Map();

/** The address of the small encoder-decoder that comes with the page. */
export const datesAddress = 'given:dates';
