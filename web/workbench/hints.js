import {html, nothing} from 'lit';
import {pageStrings} from '../strings/page.js';
import {workbenchStrings} from '../strings/workbench.js';

/** @import {BertScope} from '../scope/bert-scope.js' */

/**
 * A hint in place of the panels, which need a model that has run.
 *
 * @param {BertScope} scope
 * @param {() => void} back  ends the saved picture
 */
export const savedHint = ({text}, back) =>
  html`<p class="hint" role="status">${workbenchStrings.saved}</p>
    ${
      text.trim()
        ? html`<button type="button" class="quiet" @click=${back}>
            ${pageStrings.page.importedEnd}
          </button>`
        : nothing
    }`;

/** A hint where the picture has whole words but the workbench has pieces. @param {BertScope} scope */
export function piecesHint({words, result, workbench}) {
  // An explanation adds up the pieces, and grammar is of other sentences.
  if (workbench === 'why' || workbench === 'grammar') return nothing;
  const places = result?.words ?? [];
  const isSplit = places.some((word, at) => word !== null && word === places[at + 1]);
  return words && isSplit ? html`<p class="hint">${workbenchStrings.pieces}</p>` : nothing;
}
