/**
 * Sends hostile texts through every place that a text reaches: `scripts/fuzz.sh --sinks`. A text is a token, a label, a
 * name of a model or of a comparison, a part of an address, an answer of a student, and what saved pages, copied codes
 * and SVG say. Ends with 1 if one of them ran a script, asked for something or became an element.
 *
 * Many texts share one picture, so that ten thousand take minutes.
 */

import {cp, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {createSnapshot} from '../../web/attention/snapshot.js';
import {jsonFile} from '../../web/export/data-files.js';
import {embedCode, frameCode, savedPage} from '../../web/export/embed-markup.js';
import {escapeXml, svgElement} from '../../web/export/svg-markup.js';
import {lessons} from '../../web/lessons/index.js';
import {viewNames} from '../../web/scope/state-fields.js';
import {kindsOf} from '../../web/views/view-kinds.js';
import {drivers} from '../browser/drivers.js';
import {serve} from '../browser/server.js';
import {someHostileTexts} from './hostile-texts.js';

/** @import {Driver} from '../browser/drivers.js' */

const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));

/** The views of what a file holds, which is no queries and keys. */
const viewsOfWeights = viewNames.filter((name) => !kindsOf[name].hasVectors);

/** The number of texts in one picture, and in the documents that are made of it. */
const AT_ONCE = 100;

/** Notes what hostile texts do in a document: scripts that run, and what the document asks for or may not ask for. */
const canary = `
  window.caught = [];
  window.__hit = (what) => caught.push('a script ran: ' + what);
  addEventListener('securitypolicyviolation', (event) =>
    caught.push('forbidden: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample));
  // No reader follows a hundred links in ten seconds, which is what WebKit allows.
  addEventListener('error', (event) => event.filename && !/ResizeObserver|history.replaceState/.test(event.message) && caught.push('an error: ' + event.message));
  // WebKitGTK lists no request that fails.
  addEventListener('error', ({target}) =>
    target.localName !== 'bert-scope' && /hostile\\.invalid/.test(target.src ?? target.href) && caught.push('a request: ' + target.outerHTML.slice(0, 200)), true);
  for (const name of ['alert', 'confirm', 'prompt', 'open']) window[name] = window.__hit;
  window.foundHere = () => {
    const roots = [document];
    for (const root of roots)
      for (const element of root.querySelectorAll('*')) {
        if (element.shadowRoot) roots.push(element.shadowRoot);
        if (element.hasAttribute('data-hostile')) caught.push('an element: ' + element.outerHTML.slice(0, 200));
        for (const {name, value} of element.attributes)
          // Of our element src is an address that it fetches, and never one to go to or to run.
          if (/^on/i.test(name) || element.localName !== 'bert-scope' && (/^(xlink:)?(href|src|action|formaction|data|srcdoc)$/i.test(name) && /^[\\s\\0-\\x1f]*(javascript|vbscript):/i.test(value)))
            caught.push('an attribute: ' + name + '=' + value.slice(0, 200));
      }
    for (const {name} of performance.getEntriesByType('resource'))
      if (/^https?:\\/\\/(hostile\\.invalid|[^?#]*\\/x$)/.test(name)) caught.push('a request: ' + name);
    performance.clearResourceTimings();
    return caught.splice(0);
  };
  // What the document has been given is drawn, and has loaded or failed to.
  window.settled = async () => {
    for (let i = 0; i < 2; i++) await new Promise((done) => requestAnimationFrame(done));
    await new Promise((done) => setTimeout(done));
  };`;

/** What must be caught: a document that does each thing once. */
const planted = {
  'a script ran': '<img src="data:," onerror="__hit(1)">',
  'an attribute: on': '<b onclick="0"></b>',
  'an attribute: href': '<a href=" JavaScript:0">a</a>',
  'an element': '<b data-hostile></b>',
  'a request': '<img src="//hostile.invalid/x">',
  'an error': '<script>nothing()</script>',
};

/** Attention between tokens, as a file has it. @param {readonly string[]} texts */
function savedAttention(texts) {
  const tokens = texts;
  const row = new Float32Array(tokens.length ** 2).fill(1 / tokens.length);
  const snapshot = createSnapshot({tokens: [...tokens], layers: 1, heads: 1, attention: () => row});
  const [text, model, name] = texts;
  return jsonFile({snapshot, text, model, interventions: text, name});
}

/** Draws them in each view of the page, as a file that is dropped. @param {Driver} driver @param {string[]} texts */
const draw = (driver, texts) =>
  driver.evaluate(`(async () => {
    const scope = document.querySelector('bert-scope');
    const [before, begun] = [scope.files, performance.now()];
    const transfer = new DataTransfer();
    transfer.items.add(new File([${JSON.stringify(savedAttention(texts))}], 'hostile.json'));
    document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: transfer, bubbles: true}));
    while (scope.files === before) {
      if (performance.now() - begun > 20_000) return ['not drawn: ' + document.querySelector('[role=alert]')?.textContent];
      await new Promise((done) => setTimeout(done, 10));
    }
    for (const view of ${JSON.stringify(viewsOfWeights)}) {
      scope.view = view;
      await scope.updateComplete;
      await settled();
    }
    return foundHere();
  })()`);

/** Opens an address for each of them. @param {Driver} driver @param {string[]} texts */
const follow = (driver, texts) =>
  driver.evaluate(`(async () => {
    const texts = ${JSON.stringify(texts)};
    for (let i = 0; i < texts.length; i++) {
      const [text, other] = [texts[i], texts[(i + 1) % texts.length]];
      location.hash = i % 2
        ? '#' + new URLSearchParams({text, pair: other, changes: text, compare: other, view: other})
        : '#' + new URLSearchParams({text: 'the cat', model: text, heads: other});
      await new Promise((done) => setTimeout(done));
    }
    await document.querySelector('bert-scope').updateComplete;
    await settled();
    return foundHere();
  })()`);

/** Pastes the answers of a class. @param {Driver} driver @param {string[]} texts */
function paste(driver, texts) {
  const [{id, steps}] = lessons;
  const links = texts.map((text, i) => {
    const fields = new URLSearchParams({
      name: text,
      [`a-${steps[i % steps.length].id}`]: `${text}.r`,
    });
    return `${text}\n#/lessons/${id}/${steps[0].id}?${fields}`;
  });
  return driver.evaluate(`(async () => {
    const until = async (found) => {
      for (;;) {
        const value = found();
        if (value) return value;
        await new Promise((done) => setTimeout(done, 20));
      }
    };
    location.hash = '#/lessons/answers';
    const field = await until(() => document.querySelector('.links textarea'));
    field.value = ${JSON.stringify(links.join('\n'))};
    field.dispatchEvent(new Event('input', {bubbles: true}));
    const rows = () => document.querySelectorAll('.class-list tbody tr').length;
    await until(() => rows() >= 2);
    // The list is read in parts.
    for (let before = 0; before < rows(); ) {
      before = rows();
      await settled();
    }
    return foundHere();
  })()`);
}

/** What the page saves and copies. @param {string[]} texts @param {string} script  of frozen elements */
function documentsOf(texts, script) {
  const [title, heading, src] = texts;
  const json = savedAttention(texts);
  const first = `<script>${canary}</script>`;
  const page = savedPage({title, heading, language: 'en', attributes: {text: title, src, interventions: heading}, json, script}); // prettier-ignore
  const codes = texts.map((text, i) => {
    const inWords = {
      lines: [text, texts[(i + 1) % texts.length]],
      address: `#${new URLSearchParams({text})}`,
    };
    return (
      embedCode({text, src: text}, './none.js', inWords) + frameCode(`none.html#${text}`, inWords)
    );
  });
  const drawn = texts.map((text, i) =>
    svgElement(
      'text',
      {y: 9 * i, 'aria-label': text},
      svgElement('title', {}, escapeXml(text)) + svgElement('tspan', {x: text}, escapeXml(text)),
    ),
  );
  const svg = svgElement(
    'svg',
    {xmlns: 'http://www.w3.org/2000/svg'},
    `<script><![CDATA[${canary}]]></script>${drawn.join('')}`,
  );
  return {
    'saved.html': page.replace('<head>', () => `<head>${first}`),
    'codes.html': `<!doctype html>${first}${codes.join('\n')}`,
    'drawn.svg': svg,
  };
}

const {values} = parseArgs({
  options: {
    texts: {type: 'string', default: '1000'},
    engine: {type: 'string'},
    seed: {type: 'string'},
  },
});
const count = Number(values.texts);
if (!(count >= 3)) throw new Error(`expected a number of texts from 3, found ${values.texts}`);
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
const texts = someHostileTexts(count, seed);
const folder = await mkdtemp(join(tmpdir(), 'bertscope-sinks-'));
await cp(path('../../dist/site'), folder, {recursive: true});
const script = await readFile(path('../../build/frozen/bertscope-frozen.js'), 'utf8');
const server = await serve(folder);
try {
  for (const {engine, drive} of drivers) {
    if (values.engine && engine.name.toLowerCase() !== values.engine) continue;
    const driver = await drive();
    const caught = new Set();
    const begun = performance.now();
    /** @param {string} sink @param {unknown} found */
    const note = (sink, found) => {
      if (!Array.isArray(found)) caught.add(`${sink}: ${found}`);
      else for (const each of found) caught.add(`${sink}: ${each}`);
    };
    try {
      const open = async () => {
        await driver.open(`${server.url}#text=the+cat`);
        await driver.evaluate(`(() => { ${canary} return 0; })()`);
      };
      const found = async (/** @type {string} */ name) => {
        await driver.open(`${server.url}${name}`);
        await driver.evaluate('settled()');
        return driver.evaluate('foundHere()');
      };
      await writeFile(
        `${folder}/planted.html`,
        `<!doctype html><script>${canary}</script>${Object.values(planted).join('')}`,
      );
      const proof = String(await found('planted.html'));
      for (const each of Object.keys(planted))
        if (!proof.includes(each)) throw new Error(`${engine.name} missed “${each}”: ${proof}`);
      await open();
      for (let at = 0; at < count; at += AT_ONCE) {
        const some = texts.slice(at, at + AT_ONCE);
        for (const [sink, send] of Object.entries({draw, follow, paste}))
          note(sink, await send(driver, some));
        for (const [name, content] of Object.entries(documentsOf(some, script))) {
          await writeFile(`${folder}/${name}`, content);
          note(name, await found(`${name}?${at}`));
        }
        await open();
      }
    } finally {
      await driver.close();
    }
    const seconds = Math.round((performance.now() - begun) / 1000);
    console.log(
      `${engine.version()}: ${count} texts of seed ${seed} in ${seconds} s, ${caught.size} caught`,
    );
    for (const each of caught) console.log(`  ${each}`);
    if (caught.size) process.exitCode = 1;
  }
} finally {
  server.close();
  await rm(folder, {recursive: true});
}
