/** The HTML that another page needs to show a view. */

import {escapeXml} from './svg-markup.js';

/**
 * @typedef {Record<string, string | number | boolean | undefined>} Attributes  of `<bert-scope>`. True
 *   writes the attribute without a value; false and undefined leave it out.
 */

/** Bundlers copy the file of a `new URL(…, import.meta.url)`; this constant keeps them from it. */
const here = import.meta.url;

/** The address of the element of the package that this file is in. */
export const ownElement = () => new URL('element.js', here).href;

/** @param {Attributes} attributes @param {string} [content] */
export function scopeTag(attributes, content = '') {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined && value !== false && value !== '')
    .map(([name, value]) => (value === true ? ` ${name}` : ` ${name}="${escapeXml(value)}"`))
    .join('');
  return `<bert-scope${written}>${content}</bert-scope>`;
}

/**
 * The code of a live view: the package's element and a tag.
 *
 * @param {Attributes} attributes
 * @param {string} script  the element's address
 */
export function embedCode(attributes, script) {
  return `<script type="module" src="${escapeXml(script)}"></script>\n${scopeTag(attributes)}`;
}

/** The code of a view in a frame, for pages that allow no script from another origin. @param {string} address */
export function frameCode(address) {
  return `<iframe src="${escapeXml(address)}" width="100%" height="640" style="border: 0" title="bertscope" loading="lazy"></iframe>`;
}

/**
 * Escapes JSON for a `<script>`, so that no text in it ends the script or begins a comment.
 *
 * @param {string} json
 */
export function inScript(json) {
  return json.replaceAll('<', '\\u003c');
}

/**
 * One HTML file with a saved view. It needs no other file and no network.
 *
 * @param {object} page
 * @param {string} page.title
 * @param {string} page.language
 * @param {Attributes} page.attributes
 * @param {string} page.json  a snapshot
 * @param {string} page.script  the code of the element without its engine
 */
export function savedPage({title, language, attributes, json, script}) {
  const content = `<script type="application/json">${inScript(json)}</script>`;
  // A `</script` in the element's code would end the script early.
  if (/<\/script|<!--/i.test(script)) {
    throw new Error('expected code without “</script”, found some');
  }
  return `<!doctype html>
<html lang="${escapeXml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:">
<title>${escapeXml(title)}</title>
<link rel="icon" href="data:,">
<style>
body { max-width: 72rem; padding: 1rem; margin: 0 auto; background: light-dark(#fff, #16181c); }
</style>
</head>
<body>
${scopeTag(attributes, content)}
<script type="module">
${script}
</script>
</body>
</html>
`;
}
