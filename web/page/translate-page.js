import {language} from '../strings/index.js';
import {pageStrings} from '../strings/page.js';
import {switchLanguage} from '../strings/language.js';
import {find} from './find-element.js';

/** Translates the page, which is built in English, and lets the reader choose the language. */
export function translatePage() {
  const root = document.documentElement;
  if (root.lang !== language) {
    root.lang = language;
    /** @type {Record<string, string>} */
    const words = pageStrings.page;
    for (const element of document.querySelectorAll('[data-string]')) {
      const text = words[/** @type {HTMLElement} */ (element).dataset.string ?? ''];
      if (element instanceof HTMLMetaElement) element.content = text;
      else element.textContent = text;
    }
  }
  const select = find('language', HTMLSelectElement);
  select.value = language;
  select.addEventListener('change', () => switchLanguage(select.value));
}
