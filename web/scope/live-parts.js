/** @import {Codec} from './codecs.js' */
/** @import {Baseline} from '../session/baseline-session.js' */
/** @import {ScopeActions, ScopeState} from './layout.js' */
/** @import {Pass} from '../session/pass.js' */
/** @import {BertScope} from './bert-scope.js' */
/** @import {ScopeProperties} from './scope-properties.js' */
/** @import {EngineAccess} from '../session/engine-access.js' */
/** @import {Progress} from '../session/shared-engine.js' */
/** @import {Choice} from './view-data.js' */
/** @import {Display} from '../attention/display.js' */
/** @import {Interventions} from '../attention/interventions.js' */

/**
 * What an element with an engine has, and an element for saved pictures alone does not have.
 *
 * @typedef {object} LiveParts
 * @property {EngineAccess} engine  what its sessions ask for
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
