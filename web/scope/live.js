import {nothing} from 'lit';
import {
  formatInterventions,
  parseInterventions,
  readInterventions,
} from '../attention/intervention-fields.js';
import {modelAddress} from '../engine/model-address.js';
import {pageConsent} from './consent.js';
import {forgiveEnds, noteEnd} from './ended-models.js';
import {drawFigure, exportButton, openExport} from './export-actions.js';
import {givenEngine} from './given-engine.js';
import {keptNotice} from './kept-notice.js';
import {hiddenNotice, offNotice, workbenchActions} from './intervention-actions.js';
import {runPass} from './live-pass.js';
import {measureChoice} from './measure-choice.js';
import {pageModels} from './model-cache.js';
import {emptyMessage, failureText, loadingMessage, passNotices} from './model-messages.js';
import {loadView, loadViewsAhead} from './view-loaders.js';

/** @import {LiveParts} from './live-parts.js' */

/** The first editable element loads it. @type {typeof import('./editor.js') | null} */
let loadedEditor = null;

/**
 * The parts of a live element. The engine, the export and the reader of files are loaded when they are needed.
 *
 * @type {LiveParts}
 */
export const live = {
  async loadModel(address, use) {
    const {defaultModel, pageEngine} = givenEngine ?? (await import('./shared-models.js'));
    return pageEngine.model(address || defaultModel, use);
  },
  modelAddress,
  mayFetch: (address) => pageConsent.check(address),
  holdModel: (user, model) => pageModels.hold(user, model),
  releaseModel: (user) => pageModels.release(user),
  noteEnd,
  forgiveEnds,
  runPass,
  async readFile(url, signal) {
    const {readAttention} = await import('../attention/read-in-worker.js');
    return readAttention(url, {signal});
  },
  loadView: (scope) => void loadView(scope),
  preloadViews: loadViewsAhead,
  interventions: {
    parse: (text) => parseInterventions(new URLSearchParams(text)),
    format: (interventions) =>
      new URLSearchParams(formatInterventions(interventions)).toString() || null,
    unread: (text) => readInterventions(new URLSearchParams(text)).unread.join(', '),
  },
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
