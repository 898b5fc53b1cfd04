import {html, render} from 'lit';
import {openDialog} from '../controls/dialog.js';
import {ATTENTION_ENDINGS} from '../engine/file-endings.js';
import {pageStrings} from '../strings/page.js';
import {create} from '../views/parts/create-element.js';
import {showAsSaved} from '../scope/shown-as-saved.js';
import {viewAttributes} from '../scope/state-fields.js';
import {isModelName} from './dropped-files.js';

/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {Hints, SnapshotParts} from '../attention/import-attention.js' */

const {page: words} = pageStrings;

/**
 * Imports attention from a file that is chosen in a dialog or was dropped on the page. The dialog says what is wrong
 * with a file. Its fields describe only the file that is chosen in it.
 *
 * @param {BertScope} scope
 * @param {(name: string, parts: SnapshotParts) => void} show
 * @param {(file: File) => void} measure  opens a measurement that the workbench has saved
 */
export function importDialog(scope, show, measure) {
  /** @type {HTMLDialogElement | null} */
  let dialog = null;
  const problem = create('p', 'notice');
  problem.setAttribute('role', 'alert');

  const open = () => {
    problem.textContent = '';
    const content = create('div');
    render(fields(submit), content);
    const action = create('button', '', words.importShow);
    action.setAttribute('form', 'import-form');
    const labels = {title: words.importTitle, close: words.importCancel};
    dialog = openDialog(document.body, 'import', labels, [content, problem], [action]);
  };
  let reading = new AbortController();
  const read = async (/** @type {File} */ chosen, /** @type {Hints} */ hints) => {
    reading.abort();
    const {signal} = (reading = new AbortController());
    // The dialog that is closed ends the reading.
    dialog?.addEventListener('close', () => signal === reading.signal && reading.abort());
    if (dialog) dialog.ariaBusy = 'true';
    problem.textContent = '';
    try {
      const {readAttention} = await import('../attention/read-in-worker.js');
      const parts = await readAttention(chosen, {hints, signal});
      dialog?.close();
      show(chosen.name, parts);
      // It may be only the baseline that the picture waits for.
      if (scope.file === chosen.name) showFile(scope, parts.all?.about?.shown);
    } catch (error) {
      if (signal.aborted) return;
      if (await isMeasurement(chosen)) {
        dialog?.close();
        return measure(chosen);
      }
      if (!dialog?.open) open();
      problem.textContent = isModelName(chosen.name)
        ? pageStrings.import.isModel(chosen.name)
        : `${chosen.name}: ${/** @type {Error} */ (error).message}`;
      if (dialog) dialog.ariaBusy = null;
    }
  };
  const submit = (/** @type {SubmitEvent & {currentTarget: HTMLFormElement}} */ event) => {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    const chosen = /** @type {File} */ (values.get('file'));
    // Without a choice, the form has a file without a name.
    if (chosen.name) void read(chosen, hintsOf(values));
    else problem.textContent = pageStrings.import.noFile;
  };

  return {
    open,
    /** @param {File} dropped */
    drop: (dropped) => void read(dropped, {}),
  };
}

/** What the fields say of the chosen file. @param {FormData} values @returns {Hints} */
function hintsOf(values) {
  const tokens = /** @type {string} */ (values.get('tokens')).trim();
  return {
    tokens: tokens ? tokens.split(/\s+/) : undefined,
    sentenceB: Number(values.get('sentence-b')) || undefined,
  };
}

/** Whether a file is a measurement of the workbench, whose first fields are names. @param {File} file */
async function isMeasurement(file) {
  return /^\s*\{\s*"model":[^{[]*"treebank":/.test(await file.slice(0, 2000).text());
}

/** A file that says more than this of how it was shown was not saved by this page. */
const mostShown = 10_000;

/** What the page has of its own where a file says nothing. */
const ofPage = ['theme', 'large'];

/** Shows a file as its picture was when it was saved. @param {BertScope} scope @param {string} [shown] */
function showFile(scope, shown) {
  if (!shown || shown.length > mostShown) return;
  const saved = new URLSearchParams(shown);
  for (const name of viewAttributes) {
    if (saved.has(name) || !ofPage.includes(name)) scope.removeAttribute(name);
  }
  showAsSaved(scope, shown);
  scope.change({}, false);
}

/** @param {(event: any) => void} submit */
function fields(submit) {
  return html`<form id="import-form" @submit=${submit}>
    <p>${words.importHelp}</p>
    <label class="field">
      <span>${words.importFile}</span>
      <input type="file" id="import-file" name="file" accept=${ATTENTION_ENDINGS.join()} />
    </label>
    <label class="field">
      <span>${words.importTokens}</span>
      <textarea name="tokens" dir="auto" rows="2" spellcheck="false"></textarea>
    </label>
    <label class="field">
      <span>${words.importB}</span>
      <input type="number" name="sentence-b" min="1" />
    </label>
  </form>`;
}
