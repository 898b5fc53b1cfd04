import {html} from 'lit';
import {copyText} from '../../export/copy-text.js';
import {frameText} from '../lesson-text.js';

const words = frameText.tensor;

/**
 * A button that copies a text, and then says whether the browser allowed it.
 *
 * @param {string} label
 * @param {() => string} text
 * @param {string} [style]  its class
 * @param {(text: string) => void} [onFailure]  gets the text that the browser did not copy
 */
export function copyButton(label, text, style = '', onFailure = () => {}) {
  const copy = async (/** @type {Event} */ {currentTarget}) => {
    const button = /** @type {HTMLElement} */ (currentTarget);
    const copied = text();
    const isCopied = await copyText(copied);
    button.dataset.said = isCopied ? words.copied : words.notCopied;
    if (!isCopied) onFailure(copied);
  };
  return html`<button type="button" class=${style} @click=${copy}>${label}</button>`;
}
