/** Names of the languages, each in itself. */
export const languageNames = Object.freeze({en: 'English', zh: '中文'});

/** @typedef {keyof typeof languageNames} Language */

const storageKey = 'bertscope-language';

/**
 * The first language named that there is a catalogue of, else English.
 *
 * @param {readonly (string | null | undefined)[]} wanted  BCP 47 tags, the most binding first
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
 * Of the document this runs in. bertscope's own page leaves it to the reader (`data-language="auto"`
 * on its root): the address (`?lang=zh`), the last choice, the browser's languages. Any other page
 * that has the element decides by its own `lang`.
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
 * Keeps the choice and opens the page anew in that language, where it was.
 *
 * @param {string} language
 */
export function switchLanguage(language) {
  try {
    localStorage.setItem(storageKey, language);
  } catch {
    // Without storage the address alone carries it.
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
