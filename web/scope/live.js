import {nothing} from 'lit';
import {drawFigure, exportButton, openExport} from './export-actions.js';
import {keptNotice} from './kept-notice.js';
import {hiddenNotice, offNotice, workbenchActions} from './intervention-actions.js';
import {measureChoice} from './measure-choice.js';
import {emptyMessage, failureText, loadingMessage, passNotices} from './model-messages.js';
import {loadView, loadViewsAhead} from './view-loaders.js';

/** @import {LiveParts} from './live-parts.js' */

/** The first editable element loads it. @type {typeof import('./editor.js') | null} */
let loadedEditor = null;

/**
 * The parts of a live element, except for its engine. The export and the editor are loaded when they are needed.
 *
 * @type {Omit<LiveParts, 'engine'>}
 */
export const live = {
  loadView: (scope) => void loadView(scope),
  preloadViews: loadViewsAhead,
  openExport,
  drawFigure,
  exportButton,
  notices: (scope, state, actions) => [
    keptNotice(state),
    offNotice(scope, state, actions),
    hiddenNotice(scope, state, actions),
  ],
  workbenchActions,
  measureChoice,
  editor(scope, state) {
    if (loadedEditor) return loadedEditor.editor(scope, state);
    const show = (/** @type {NonNullable<typeof loadedEditor>} */ loaded) => {
      loadedEditor = loaded;
      scope.requestUpdate();
    };
    import('./editor.js').then(show, (error) => (scope.notice = error.message));
    return nothing;
  },
  passNotices,
  emptyMessage,
  loadingMessage,
  failureText,
};
