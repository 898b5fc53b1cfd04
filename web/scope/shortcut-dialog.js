import {html} from 'lit';
import {strings} from '../strings/index.js';
import {shortcuts} from './shortcuts.js';

/** The dialog that lists all shortcuts. */
export function shortcutDialog() {
  return html`<dialog class="shortcuts" aria-labelledby="shortcuts-title" closedby="any">
    <form method="dialog">
      <h2 id="shortcuts-title">${strings.shortcuts.title}</h2>
      <dl>
        ${shortcuts.map(
          ({keys, label}) =>
            html`<div>
              <dt><kbd>${keys}</kbd></dt>
              <dd>${label}</dd>
            </div>`,
        )}
      </dl>
      <p>${strings.shortcuts.note}</p>
      <button class="framed" autofocus>${strings.shortcuts.close}</button>
    </form>
  </dialog>`;
}
