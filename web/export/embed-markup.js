/** The HTML that another page needs to show a view. */

import {escapeXml} from './svg-markup.js';

/**
 * Escapes a text for HTML that people paste into pages which are not only HTML: a line break of the text would end a block
 * of HTML in Markdown, and braces are code in the templates of Vue, Liquid and MDX.
 *
 * @param {unknown} text
 */
const pasted = (text) =>
  escapeXml(text).replace(/[{}\n\r\f]/g, (sign) => `&#${sign.charCodeAt(0)};`);

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
    .map(([name, value]) => (value === true ? ` ${name}` : ` ${name}="${pasted(value)}"`))
    .join('');
  return `<bert-scope${written}>${content}</bert-scope>`;
}

/**
 * The picture in words, for readers whose page cannot load it, as without a network. The last line leads to the page.
 *
 * @typedef {{lines: readonly string[], address?: string}} InWords
 */

/** @param {InWords} words */
function paragraphsOf({lines, address}) {
  const paragraphs = lines.map((line, i) => {
    const text = pasted(line);
    const isLast = i === lines.length - 1;
    return `\n<p>${address && isLast ? `<a href="${pasted(address)}">${text}</a>` : text}</p>`;
  });
  return paragraphs.length ? `${paragraphs.join('')}\n` : '';
}

/**
 * The code of a view: the package's element and a tag.
 *
 * @param {Attributes} attributes
 * @param {string} script  the element's address
 * @param {InWords} [inWords]
 * @param {string} [json]  the numbers of the view, which is live without them
 */
export function embedCode(attributes, script, inWords = {lines: []}, json = '') {
  const content = (json && numbersOf(json)) + paragraphsOf(inWords);
  return `<script type="module" src="${pasted(script)}"></script>\n${scopeTag(attributes, content)}`;
}

/** Lines around a tag in a post. @param {readonly string[]} lines */
export const linesAround = (lines) => lines.map((line) => `<p>${pasted(line)}</p>`);

/** @param {string} json  a snapshot */
const numbersOf = (json) => `<script type="application/json">${inScript(json)}</script>`;

/** The heights of a low picture, and of what a narrow frame has above and below it: the map, the rows of buttons. */
const lowPicture = 280;
const aroundPicture = 470;

/**
 * The code of a view in a frame, for pages that allow no script from another origin. It is an `<object>`, because browsers
 * show their own error page in an `<iframe>` that cannot be loaded, and in this the words.
 *
 * @param {string} address
 * @param {InWords} inWords
 * @param {number} [height]  of the picture, in CSS pixels
 */
export function frameCode(address, inWords, height = 0) {
  const whole = Math.max(lowPicture, height) + aroundPicture;
  return `<object type="text/html" data="${pasted(address)}" width="100%" height="${whole}" title="bertscope">${paragraphsOf(inWords)}</object>`;
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
 * @param {string} [page.heading]
 * @param {string} page.language
 * @param {Attributes} page.attributes
 * @param {string} page.json  a snapshot
 * @param {readonly string[]} [page.notes]  lines below the view
 * @param {boolean} [page.isWide]  whether two pictures stand side by side
 * @param {string} page.script  the code of the element without its engine
 */
export function savedPage({title, heading = '', language, attributes, json, script, ...page}) {
  const {notes = [], isWide = false} = page;
  const content = numbersOf(json);
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
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; require-trusted-types-for 'script'; trusted-types lit-html">
<title>${escapeXml(title)}</title>
<link rel="icon" href="data:,">
<style>
body { max-width: ${isWide ? 100 : 72}rem; padding: 1rem; margin: 0 auto; background: light-dark(#fff, #16181c); }
h1 { padding: 0 0.75rem; margin: 0; color: light-dark(#1b1d22, #e8eaee); font: 600 1.25rem/1.4 system-ui, sans-serif; }
p { padding: 0 0.75rem; color: light-dark(#555b66, #a3a9b5); font: 0.875rem/1.4 system-ui, sans-serif; }
</style>
</head>
<body>
${heading ? `<h1 dir="auto">${escapeXml(heading)}</h1>\n` : ''}${scopeTag(attributes, content)}
${notes.map((note) => `<p dir="auto">${escapeXml(note)}</p>\n`).join('')}<script type="module">
${script}
</script>
</body>
</html>
`;
}
