import {html} from 'lit';
import {frameText} from '../lesson-text.js';

const words = frameText.tensor;

/**
 * A button that copies a text, and then says whether the browser allowed it.
 *
 * @param {string} label
 * @param {() => string} text
 * @param {string} [style]  its class
 */
export function copyButton(label, text, style = '') {
  const copy = async (/** @type {Event} */ {currentTarget}) => {
    const button = /** @type {HTMLElement} */ (currentTarget);
    const isCopied = await navigator.clipboard.writeText(text()).then(
      () => true,
      () => false,
    );
    button.dataset.said = isCopied ? words.copied : words.notCopied;
  };
  return html`<button type="button" class=${style} @click=${copy}>${label}</button>`;
}
