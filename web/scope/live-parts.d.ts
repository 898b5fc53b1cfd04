import type {Display} from '../attention/display.js';
import type {Baseline} from '../session/baseline-session.js';
import type {EngineAccess} from '../session/engine-access.js';
import type {Pass} from '../session/pass.js';
import type {Progress} from '../session/shared-engine.js';
import type {BertScope} from './bert-scope.js';
import type {ScopeActions, ScopeState} from './layout.js';
import type {ScopeProperties} from './scope-properties.js';
import type {Choice} from './view-data.js';

/** A part of the layout. */
type Panel = (scope: ScopeProperties, state: ScopeState, actions: ScopeActions) => unknown;

/** What an element with an engine has, and an element for saved pictures alone does not have. */
export interface LiveParts {
  /** What its sessions ask for. */
  engine: EngineAccess;
  /** Loads the view that is chosen, and draws it then. */
  loadView(scope: BertScope): void;
  /** Is called when the reader is about to choose a view. */
  preloadViews: () => void;
  openExport(
    scope: ScopeProperties,
    pass: Pass,
    baseline: Baseline | null,
    choice: Choice,
  ): Promise<void>;
  drawFigure(
    scope: ScopeProperties,
    pass: Pass,
    baseline: Baseline | null,
    choice: Choice,
    format: 'svg' | 'png',
  ): Promise<Blob>;
  exportButton: Panel;
  /** Says which heads of the picture are off, which tokens are hidden, and that a picture is kept. */
  notices: Panel;
  /** The buttons that change the model. */
  workbenchActions: Panel;
  /** The sentence as a field, and the headline, of an editable element. */
  editor: Panel;
  measureChoice(display: Display, choose: (changed: Partial<Display>) => void): unknown;
  /** Says that a text was too long for the model, or that the model had to be loaded again. */
  passNotices(pass: Pass, recoveredFrom: Error | null): unknown;
  /** Asks for a text. */
  emptyMessage(): unknown;
  loadingMessage(progress: Progress): unknown;
  failureText(error: Error & {code?: string}, isLoaded: boolean): string;
}
