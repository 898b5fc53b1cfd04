import {html} from 'lit';
import {importAttention} from '../attention/import-attention.js';
import {create} from '../views/parts/create-element.js';
import {embedCode, frameCode, scopeTag, inScript} from '../export/embed-markup.js';
import {copiedCode} from './copied-code.js';
import {frozenExample} from './frozen-example.js';
import frozenIntegrity from 'virtual:frozen-integrity';
import {language} from '../strings/index.js';
import {docsText} from './docs-text.js';
import snapshot from './snapshot.json';

/** @import {Attributes} from '../export/embed-markup.js' */

const words = docsText.gallery;

/**
 * An example: the code that a page needs, and the same code running.
 *
 * @typedef {object} Example
 * @property {keyof typeof words.examples} name
 * @property {() => Element} run
 * @property {string} code  as the gallery shows it
 * @property {string} [copied]  what the button copies; by default, the code
 */

/** @type {Attributes} */
const frozen = {
  view: 'head',
  layer: frozenExample.layer,
  heads: frozenExample.head,
  controls: 'none',
};
/** @type {Attributes} */
const live = {
  text: 'time flies like an arrow',
  view: 'matrix',
  layer: 2,
  heads: 1,
  controls: 'none',
};
/** @type {Attributes} */
const controlled = {text: 'She put her money in the bank.', view: 'model', controls: true};
const json = inScript(JSON.stringify(snapshot));

/** The address of a file of this host, from which another page can load it. @param {string} file */
const here = (file) =>
  location.protocol === 'file:' ? file : new URL(file, location.href.split('#')[0]).href;

const elementScript = here('lib/element.js');
/** The element, after its strings where they are not English. */
const frozenScripts = [...(language === 'en' ? [] : [`-${language}`]), '']
  .map((part) => `bertscope-frozen${part}.js`)
  .map(
    (file) =>
      `<script type="module" src="${here(`lib/${file}`)}" integrity="${frozenIntegrity[file]}" crossorigin></script>\n`,
  )
  .join('');
const framedText = 'the cat sat on the mat';
const viewed = `${new URLSearchParams({text: framedText})}&view=head&layer=3&heads=0`;
const framed = `embed.html#${viewed}`;

/** How many characters of a snapshot are shown. */
const shownJson = 120;

/** @type {readonly Example[]} */
const examples = [
  {
    name: 'frozen',
    // The page's policy lets no text become a script, not even one of data.
    run: () => Object.assign(scope(frozen), {saved: importAttention(snapshot)}),
    code: codeOf(frozen, jsonScript(`${json.slice(0, shownJson)}…`)),
    copied: codeOf(frozen, jsonScript(json)),
  },
  {name: 'live', run: () => scope(live), code: embedCode(live, elementScript)},
  {name: 'controlled', run: () => scope(controlled), code: embedCode(controlled, elementScript)},
  {
    name: 'framed',
    run: frame,
    code: frameCode(here(framed), {lines: [framedText], address: here(`#${viewed}`)}),
  },
];

export function galleryTemplate() {
  return examples.map(({name, run, code, copied}) => {
    const {title, text} = words.examples[name];
    return html`<section class="example" data-example=${name}>
      <h3>${title}</h3>
      <p>${text}</p>
      ${copiedCode(code, copied)}
      <div class="running">${run()}</div>
    </section>`;
  });
}

/** @param {Attributes} attributes */
function scope(attributes) {
  const element = document.createElement('bert-scope');
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, value === true ? '' : String(value));
  }
  return element;
}

function frame() {
  // The one-file page cannot show a second page in a frame.
  if (location.protocol === 'file:') return create('p', 'notice', words.noFrame);
  const element = create('iframe');
  element.src = `./${framed}`;
  element.title = words.examples.framed.title;
  element.loading = 'lazy';
  return element;
}

/** @param {Attributes} attributes @param {string} content */
function codeOf(attributes, content) {
  return `${frozenScripts}${scopeTag(attributes, content)}`;
}

/** @param {string} content */
function jsonScript(content) {
  return `\n<script type="application/json">\n${content}\n</script>\n`;
}
