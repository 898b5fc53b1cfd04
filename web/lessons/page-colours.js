import {coloursOfNumbers} from '../views/parts/head-colours.js';

/** @import {TensorBlock} from './parts/tensor-block.js' */

/** Keeps the colours of numbers in the lessons those of the page's theme. */
export class PageColours {
  #root;

  /**
   * @param {HTMLElement} root
   * @param {() => void} onChange  another theme, or other colours of the system
   */
  constructor(root, onChange) {
    this.#root = root;
    const change = () => {
      onChange();
      for (const block of root.querySelectorAll('tensor-block')) {
        /** @type {TensorBlock} */ (block).requestUpdate();
      }
    };
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', change);
    new MutationObserver(change).observe(document.documentElement, {
      attributeFilter: ['data-theme'],
    });
  }

  /**
   * Sets the colours of numbers.
   *
   * @param {boolean} isForPaper  which is never dark
   * @returns {{theme: 'dark' | 'light' | 'auto', dark: boolean}}
   */
  apply(isForPaper) {
    const {theme} = document.documentElement.dataset;
    const prefersDark = matchMedia('(prefers-color-scheme: dark)').matches;
    const dark = (theme === 'dark' || (theme !== 'light' && prefersDark)) && !isForPaper;
    for (const [name, colour] of Object.entries(coloursOfNumbers(dark)))
      this.#root.style.setProperty(`--${name}`, colour);
    return {theme: theme === 'dark' || theme === 'light' ? theme : 'auto', dark};
  }
}
