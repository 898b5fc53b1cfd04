import {pageStrings} from '../strings/page.js';
import {isModelDrop, isModelName} from './dropped-files.js';
import {find} from './find-element.js';

/** @import {Hints, Parts} from '../attention/import-attention.js' */

/**
 * Imports attention from a file that is chosen in the dialog or dropped anywhere on the page. The dialog says what is
 * wrong with a file. Its fields describe only the file that is chosen in it.
 *
 * @param {{drop: (transfer: DataTransfer) => void}} models  takes a dropped model
 * @param {(name: string, parts: Parts) => void} show
 */
export function attachImportDialog(models, show) {
  const dialog = find('import', HTMLDialogElement);
  const form = find('import-form', HTMLFormElement);
  const file = find('import-file', HTMLInputElement);
  const tokens = find('import-tokens', HTMLTextAreaElement);
  const sentenceB = find('import-b', HTMLInputElement);
  const problem = find('import-problem', HTMLParagraphElement);

  const open = () => {
    problem.textContent = '';
    dialog.showModal();
  };
  let reading = new AbortController();
  const read = async (/** @type {File} */ chosen, /** @type {Hints} */ hints) => {
    reading.abort();
    const {signal} = (reading = new AbortController());
    problem.textContent = '';
    form.ariaBusy = 'true';
    try {
      const {readAttention} = await import('../attention/read-attention.js');
      const parts = await readAttention(chosen, {hints, signal});
      dialog.close();
      show(chosen.name, parts);
    } catch (error) {
      if (signal.aborted) return;
      if (!dialog.open) open();
      problem.textContent = isModelName(chosen.name)
        ? pageStrings.import.isModel(chosen.name)
        : `${chosen.name}: ${/** @type {Error} */ (error).message}`;
    } finally {
      if (!signal.aborted) form.ariaBusy = null;
    }
  };

  for (const id of ['open', 'imported-again']) {
    find(id, HTMLButtonElement).addEventListener('click', open);
  }
  find('import-cancel', HTMLButtonElement).addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    // The fields describe one file, so they are cleared for the next.
    form.reset();
    reading.abort();
    form.ariaBusy = null;
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const [chosen] = file.files ?? [];
    const hints = {
      tokens: tokens.value.trim() ? tokens.value.trim().split(/\s+/) : undefined,
      sentenceB: sentenceB.value ? Number(sentenceB.value) : undefined,
    };
    if (chosen) void read(chosen, hints);
    else problem.textContent = pageStrings.import.noFile;
  });
  addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  });
  addEventListener('drop', (event) => {
    const {dataTransfer: transfer} = event;
    const [dropped] = transfer?.files ?? [];
    if (!transfer || !dropped) return;
    event.preventDefault();
    if (isModelDrop(transfer)) models.drop(transfer);
    else void read(dropped, {});
  });
}
