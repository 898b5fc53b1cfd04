import {PartLoader} from '../scope/part-loader.js';
import {pageStrings} from '../strings/page.js';
import {filesOf, isModelDrop} from './dropped-files.js';
import {find} from './find-element.js';

/** @import {Parts} from '../attention/import-attention.js' */
/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {ModelManager} from './model-manager.js' */

/** @typedef {ConstructorParameters<typeof ModelManager>[0]} ModelActions */

const modelPart = new PartLoader(async () => (await import('./model-manager.js')).ModelManager);
const importPart = new PartLoader(async () => (await import('./import-dialog.js')).importDialog);

/**
 * Opens the dialogs in which the reader chooses a model or opens attention from a file, also for files that are dropped
 * anywhere on the page. Each is loaded for the first reader who opens it.
 *
 * @param {BertScope} scope
 * @param {ModelActions} actions
 * @param {(name: string, parts: Parts) => void} show
 * @returns {() => void}  opens the dialog in which the reader chooses a model
 */
export function attachDialogs(scope, actions, show) {
  const {models: chooseModel, open: openFile} = pageStrings.page;
  /** @type {ModelManager | undefined} */
  let models;
  const withModels = async (/** @type {(models: ModelManager) => void} */ act) => {
    const Manager = await modelPart.loadFor(scope, chooseModel);
    if (Manager) act((models ??= new Manager(actions)));
  };
  /** @type {ReturnType<typeof import('./import-dialog.js').importDialog> | undefined} */
  let importing;
  const withImport = async (/** @type {(dialog: NonNullable<typeof importing>) => void} */ act) => {
    const importDialog = await importPart.loadFor(scope, openFile);
    if (importDialog) act((importing ??= importDialog(show)));
  };
  const openModels = () => void withModels((models) => models.open());

  find('choose-model', HTMLButtonElement).addEventListener('click', openModels);
  for (const id of ['open', 'imported-again']) {
    find(id, HTMLButtonElement).addEventListener(
      'click',
      () => void withImport((dialog) => dialog.open()),
    );
  }
  addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  });
  addEventListener('drop', (event) => {
    const {dataTransfer: transfer} = event;
    const [dropped] = transfer?.files ?? [];
    if (!transfer || !dropped) return;
    event.preventDefault();
    if (isModelDrop(transfer)) {
      const files = filesOf(transfer);
      void withModels((models) => models.drop(files));
    } else void withImport((dialog) => dialog.drop(dropped));
  });
  return openModels;
}
