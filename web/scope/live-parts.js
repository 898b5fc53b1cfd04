/** @import {Codec} from './codecs.js' */
/** @import {Baseline} from './comparison.js' */
/** @import {ScopeActions, ScopeState} from './layout.js' */
/** @import {RunOptions} from './live-pass.js' */
/** @import {Origin} from './pass-origin.js' */
/** @import {Pass} from './pass.js' */
/** @import {BertScope} from './bert-scope.js' */
/** @import {ScopeProperties} from './scope-properties.js' */
/** @import {Engine, Model, ModelUse, Progress} from './shared-engine.js' */
/** @import {Choice} from './view-data.js' */
/** @import {Display} from '../attention/display.js' */
/** @import {SnapshotParts} from '../attention/import-attention.js' */
/** @import {Interventions} from '../attention/interventions.js' */

/**
 * What an element with an engine has, and an element for saved pictures alone does not have.
 *
 * @typedef {object} LiveParts
 * @property {(address: string, use: ModelUse) => Promise<{engine: Engine, model: Model, bytes: number}>} loadModel
 *   loads the engine and a model; an empty address is that of the embedded model
 * @property {(address: string) => string} modelAddress  finds the model that the address of a page on a hub is about
 * @property {(address: string) => Promise<void>} mayFetch  rejects if a saved picture may not be fetched
 * @property {(user: object, model: Model) => boolean} holdModel  keeps a model for a user, unless it is gone
 * @property {(user: object) => void} releaseModel
 * @property {(address: string) => void} noteEnd  remembers that a model has ended its engine
 * @property {(address: string) => void} forgiveEnds  says that a model has run a text since
 * @property {(model: Model, origin: Origin, options: RunOptions) => Promise<Pass>} runPass
 * @property {(url: string, signal: AbortSignal) => Promise<SnapshotParts>} readFile  reads saved attention from a
 *   JSON or NPZ file, in a worker
 * @property {(scope: BertScope) => void} loadView  loads the view that is chosen, and draws it then
 * @property {() => void} preloadViews  is called when the reader is about to choose a view
 * @property {Codec<Interventions>} interventions  reads and writes the changes to a model
 * @property {(scope: ScopeProperties, pass: Pass, baseline: Baseline | null, choice: Choice) => Promise<void>} openExport
 * @property {(scope: ScopeProperties, pass: Pass, baseline: Baseline | null, choice: Choice, format: 'svg' | 'png') => Promise<Blob>} drawFigure
 * @property {Panel} exportButton
 * @property {Panel} notices  says which heads of the picture are off, which tokens are hidden, and that a picture is kept
 * @property {Panel} workbenchActions  the buttons that change the model
 * @property {Panel} editor  the sentence as a field, and the headline, of an editable element
 * @property {(display: Display, choose: (changed: Partial<Display>) => void) => unknown} measureChoice
 * @property {(pass: Pass, recoveredFrom: Error | null) => unknown} passNotices  says that a text was too long for the
 *   model, or that the model had to be loaded again
 * @property {() => unknown} emptyMessage  asks for a text
 * @property {(progress: Progress) => unknown} loadingMessage
 * @property {(error: Error & {code?: string}, isLoaded: boolean) => string} failureText
 *
 * A part of the layout.
 *
 * @typedef {(scope: ScopeProperties, state: ScopeState, actions: ScopeActions) => unknown} Panel
 */

/** Null in the frozen build, whose entry provides none. @type {LiveParts | null} */
export let liveParts = null;

/** Must be called before the element is defined. @param {LiveParts} parts */
export function provideLiveParts(parts) {
  liveParts = parts;
}
