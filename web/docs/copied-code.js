import {html} from 'lit';
import {copyText} from '../export/copy-text.js';
import {docsText} from './docs-text.js';

/**
 * Lines of code, and a button that copies them.
 *
 * @param {string} code  as it is shown
 * @param {string} [copied]  what the button copies
 */
export function copiedCode(code, copied = code) {
  return html`<div class="code">
    <pre tabindex="0"><code>${code}</code></pre>
    <button type="button" @click=${copy(copied)}>${docsText.gallery.copy}</button>
  </div>`;
}

/** @param {string} code */
function copy(code) {
  const {copied, notCopied} = docsText.gallery;
  return async (/** @type {Event & {currentTarget: HTMLButtonElement}} */ {currentTarget}) => {
    currentTarget.textContent = (await copyText(code)) ? copied : notCopied;
  };
}
