/** The name of each language, in that language. Each has a folder of this name beside this file. */
export const languageNames = Object.freeze({en: 'English', zh: '中文', es: 'Español'});

/** @typedef {keyof typeof languageNames} Language */

const storageKey = 'bertscope-language';

/**
 * Picks the first wanted language that has a catalogue, or else English.
 *
 * @param {readonly (string | null | undefined)[]} wanted  BCP 47 tags, the most important first
 * @returns {Language}
 */
export function pickLanguage(wanted) {
  for (const tag of wanted) {
    const name = tag?.toLowerCase().split('-')[0] ?? '';
    if (Object.hasOwn(languageNames, name)) return /** @type {Language} */ (name);
  }
  return 'en';
}

/**
 * Returns the language of the document. On bertscope's own page (`data-language="auto"` on its root), the address
 * (`?lang=es`), the last choice or the browser's languages decide, in this order. On any other page, its
 * `lang` or else the browser's languages decide.
 *
 * @returns {Language}
 */
export function documentLanguage() {
  if (typeof document === 'undefined') return 'en';
  const {lang, dataset} = document.documentElement;
  if (dataset.language !== 'auto') return pickLanguage([lang, ...navigator.languages]);
  const named = new URLSearchParams(location.search).get('lang');
  return pickLanguage([named, storedLanguage(), ...navigator.languages]);
}

/**
 * Stores the choice and reloads the page in that language, at the same address.
 *
 * @param {string} language
 */
export function switchLanguage(language) {
  try {
    localStorage.setItem(storageKey, language);
  } catch {
    // Without storage, only the address has the choice.
  }
  const url = new URL(location.href);
  url.searchParams.set('lang', language);
  location.replace(url);
}

function storedLanguage() {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}
