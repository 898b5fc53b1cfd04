/**
 * The code that gives a frozen element its strings in a language, to be run before the element’s own, which has English.
 *
 * @param {string} language
 */
export async function frozenLanguage(language) {
  if (language === 'en') return '';
  const script = await import(`../../build/frozen/bertscope-frozen-${language}.js?raw`);
  // In a scope of its own, as both scripts have variables of the same short names.
  return `(() => {${script.default}})();\n`;
}
