import {tokensOf} from '../attention/selection.js';

/** @import {LivePass} from './live-pass.js' */
/** @import {Model} from './shared-engine.js' */
/** @import {Origin} from './pass-origin.js' */
/** @import {Survey} from './head-surveys.js' */
/** @import {Measure} from '../attention/display.js' */
/** @import {SnapshotParts} from '../attention/import-attention.js' */
/** @import {TokenRef} from '../attention/selection.js' */
/** @import {MatrixRef, Snapshot} from '../attention/snapshot.js' */
/** @typedef {Awaited<ReturnType<Model['attend']>>} Result */
/** @typedef {Awaited<ReturnType<Model['translate']>>} Translation */

/**
 * One text through one model, or saved attention, with a snapshot that can fetch more matrices.
 *
 * @typedef {object} Pass
 * @property {string} text  the text that was run, or the name of the file
 * @property {string} name  its name beside another pass: the text, or whether the model was changed
 * @property {Origin} origin
 * @property {Snapshot} snapshot
 * @property {(measure: Measure) => Snapshot} measured  returns the snapshot with another measure
 * @property {SnapshotParts} [parts]  the parts of an encoder-decoder model; `snapshot` is the first one
 * @property {Result | null} result  null if nothing was run, or a model wrote a translation
 * @property {Translation} [translation]  what an encoder-decoder made of the text
 * @property {Model} [model]  the model that was run
 * @property {(parts: MatrixRef[], signal?: AbortSignal) => Promise<void>} fetch  makes matrices available in the
 *   snapshot; a request that nobody waits for any more is aborted
 * @property {(parts: MatrixRef[]) => boolean} has
 * @property {(snapshot: Snapshot, signal?: AbortSignal) => Promise<Survey>} survey  computes the statistics of its heads
 */

/**
 * The engine's result for the text that a reader types; of an encoder-decoder, that of its encoder.
 *
 * @param {Pass | null} pass
 */
export const resultOfText = (pass) => pass?.result ?? pass?.translation?.encoder ?? null;

/**
 * Whether a token is the same in both passes. If it is, the pin stays.
 *
 * @param {TokenRef} token
 * @param {Pass} before
 * @param {Pass} after
 */
export function sameToken({side, index}, before, after) {
  const tokens = (/** @type {Pass} */ {snapshot}) => tokensOf(snapshot, side);
  return tokens(before)[index] === tokens(after)[index];
}
