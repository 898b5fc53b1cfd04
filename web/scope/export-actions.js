import {html, nothing} from 'lit';
import {openDialog} from '../controls/dialog.js';
import {strings} from '../strings/index.js';
import {liveStrings} from '../strings/live.js';
import {views} from '../views/loaded-views.js';
import {PartLoader} from './part-loader.js';
import {viewLoaders} from './view-loaders.js';

/** @import {Baseline} from '../session/baseline-session.js' */
/** @import {ScopeActions, ScopeState} from './layout.js' */
/** @import {Pass} from '../session/pass.js' */
/** @import {ScopeProperties} from './scope-properties.js' */
/** @import {Choice} from './view-data.js' */

const dialog = new PartLoader(() =>
  Promise.all([import('../export/export-dialog.js'), import('./export-content.js')]),
);

/**
 * Opens the dialog that exports the picture of an element.
 *
 * @param {ScopeProperties} scope
 * @param {Pass} pass
 * @param {Baseline | null} baseline
 * @param {Choice} choice
 */
export async function openExport(scope, pass, baseline, choice) {
  const {shownView: view} = scope;
  const [loaded] = await Promise.all([
    dialog.loadFor(scope, liveStrings.publish.button),
    viewLoaders[view]?.loadFor(scope, strings.views.names[view]),
  ]);
  if (!loaded || !views[view]) return;
  const [{exportForm}, {shownIn}] = loaded;
  const root = /** @type {ShadowRoot} */ (scope.renderRoot);
  const {words, content, done} = exportForm(root, shownIn(scope, pass, baseline, choice));
  openDialog(root, 'export', words, content, [done]);
}

/**
 * Draws the picture of an element as a file, as the dialog does unless the reader chooses otherwise.
 *
 * @param {ScopeProperties} scope
 * @param {Pass} pass
 * @param {Baseline | null} baseline
 * @param {Choice} choice
 * @param {'svg' | 'png'} format
 */
export async function drawFigure(scope, pass, baseline, choice, format) {
  const [{pictureOf, pngScale}, {png}, {shownIn}] = await Promise.all([
    import('../export/shown-figure.js'),
    import('../export/download.js'),
    import('./export-content.js'),
    viewLoaders[scope.shownView]?.load(),
  ]);
  const drawn = await pictureOf(shownIn(scope, pass, baseline, choice));
  return format === 'png' ? png(drawn, pngScale) : new Blob([drawn.svg], {type: 'image/svg+xml'});
}

/**
 * The button that opens this dialog. If that fails, a notice above the picture says so.
 *
 * @param {ScopeProperties} scope
 * @param {ScopeState} state
 * @param {ScopeActions} actions
 */
export function exportButton(scope, {session}, {publish}) {
  if (!session.pass) return nothing;
  const {button, failed} = liveStrings.publish;
  const open = () =>
    void publish().catch((error) => {
      scope.notice = failed(error.message);
    });
  return html`<button type="button" class="bare keys" @click=${open}>${button}</button>`;
}
