/**
 * The script that gives a frozen element its strings in a language, to be run before the element’s own, which has
 * English.
 *
 * @param {string} language
 * @returns {Promise<string>}
 */
export async function frozenLanguage(language) {
  if (language === 'en') return '';
  return (await import(`../../build/frozen/bertscope-frozen-${language}.js?raw`)).default;
}
