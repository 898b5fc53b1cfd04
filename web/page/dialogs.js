import {PartLoader} from '../scope/part-loader.js';
import {PAIR_TABLE_ENDINGS, TREEBANK_ENDING, endingOf} from '../engine/file-endings.js';
import {pageStrings} from '../strings/page.js';
import {filesOf, isModelDrop} from './dropped-files.js';
import {find} from './find-element.js';

/** @import {SnapshotParts} from '../attention/import-attention.js' */
/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {ModelManager} from './model-manager.js' */

/**
 * Opens the dialogs in which the reader chooses a model or opens attention from a file, also for files that are dropped
 * anywhere on the page. Each is loaded when it is needed.
 *
 * @param {BertScope} scope
 * @param {ConstructorParameters<typeof ModelManager>[0]} actions
 * @param {(name: string, parts: SnapshotParts) => void} show
 * @param {(treebank: File) => void} measure
 * @returns {() => void}  opens the dialog in which the reader chooses a model
 */
export function attachDialogs(scope, actions, show, measure) {
  const ofModels = new PartLoader(async () => {
    const {ModelManager} = await import('./model-manager.js');
    return new ModelManager(actions);
  });
  const ofFiles = new PartLoader(async () => {
    const {importDialog} = await import('./import-dialog.js');
    return importDialog(scope, show, measure);
  });
  const {models, open} = pageStrings.page;
  const openModels = async () => (await ofModels.loadFor(scope, models))?.open();
  const openFile = async () => (await ofFiles.loadFor(scope, open))?.open();

  // What opens the dialogs is in this menu.
  find('more', HTMLDetailsElement).addEventListener('pointerenter', () => {
    void Promise.all([ofModels.loadAhead(), ofFiles.loadAhead()]);
  });
  find('choose-model', HTMLButtonElement).addEventListener('click', () => void openModels());
  for (const id of ['open', 'imported-again']) {
    find(id, HTMLButtonElement).addEventListener('click', () => void openFile());
  }
  addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  });
  addEventListener('drop', (event) => {
    const {dataTransfer: transfer} = event;
    const [dropped] = transfer?.files ?? [];
    if (!transfer || !dropped) return;
    event.preventDefault();
    const hasSentences = endingOf(dropped.name, [TREEBANK_ENDING, ...PAIR_TABLE_ENDINGS]);
    if (hasSentences) return measure(dropped);
    const files = isModelDrop(transfer) ? filesOf(transfer) : null;
    if (files) void ofModels.loadFor(scope, models).then((dialog) => dialog?.drop(files));
    else void ofFiles.loadFor(scope, open).then((dialog) => dialog?.drop(dropped));
  });
  return () => void openModels();
}
