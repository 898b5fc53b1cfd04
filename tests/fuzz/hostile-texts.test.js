/** Tests that whatever writes a text into a file or an address writes it as a text. Needs no browser. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {createSnapshot} from '../../web/attention/snapshot.js';
import {csv} from '../../web/export/csv.js';
import {jsonFile} from '../../web/export/data-files.js';
import {fileName} from '../../web/export/download.js';
import {embedCode, frameCode, savedPage} from '../../web/export/embed-markup.js';
import {svgElement} from '../../web/export/svg-markup.js';
import {formatAll} from '../../web/lessons/answers/all-answers.js';
import {readClass} from '../support/read-class.js';
import {lessons} from '../../web/lessons/index.js';
import {parseAddress} from '../../web/page/address.js';
import {formatAddress} from '../../web/scope/state-fields.js';
import {formatRoute, parseRoute} from '../../web/routes/routes.js';
import {tries} from '../support/tries.js';
import {hostileTexts} from './hostile-texts.js';

/** @param {(text: string, other: string) => void} property */
const always = (property) =>
  fc.assert(fc.property(hostileTexts, hostileTexts, property), tries(300));

/** What is left of markup without its tags is text without a sign that could begin one. */
const markup =
  /^(?:<\/?[a-z][a-z\d-]*(?: [\w:-]+(?:="[^"<>]*")?)*\/?>|[^<>&"]|&(?:amp|lt|gt|quot|#\d+);)*$/;
/** The characters of XML 1.0. */
const ofXml = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

/** Reads the references of our markup. @param {string} written */
const read = (written) =>
  written.replace(/&(amp|lt|gt|quot|#\d+);/g, (_, name) =>
    name[0] === '#'
      ? String.fromCodePoint(Number(name.slice(1)))
      : {amp: '&', lt: '<', gt: '>', quot: '"'}[/** @type {'amp'} */ (name)],
  );

/** Replaces what XML cannot hold. @param {string} text */
const inXml = (text) =>
  text.toWellFormed().replace(/[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]/g, '\ufffd');

test('SVG holds every text as text, and nothing that XML forbids', () => {
  always((text, other) => {
    const written = svgElement('text', {'aria-label': text, x: 1}, svgElement('g', {style: other}));
    assert.match(written, markup);
    assert.match(written, ofXml);
    const [, label, style] = /aria-label="([^"]*)" x="1"><g style="([^"]*)"\/>/.exec(written) ?? [];
    assert.deepEqual([label, style].map(read), [text, other].map(inXml));
  });
});

test('code for other pages holds every text as text, on its own line and without braces', () => {
  const address = 'https://x.example/#text=a';
  always((text, other) => {
    const inWords = {lines: [text, other], address};
    const tag = embedCode({text, src: other}, 'https://x.example/element.js', inWords);
    const frame = frameCode(`${address}${text}`, inWords);
    for (const written of [tag, frame]) {
      assert.match(written, markup);
      // Templates compute what stands in braces, and an empty line ends a block of HTML in Markdown.
      assert.doesNotMatch(written, /[{}\r\f]|\n\s*\n/);
      assert.equal(written.split('\n').length, written === tag ? 5 : 4);
      const said = [...written.matchAll(/<p>(?:<a href="[^"]*">)?([^<]*)(?:<\/a>)?<\/p>/g)];
      assert.deepEqual(said.map((found) => read(found[1])), [text, other].map(inXml)); // prettier-ignore
    }
    const [, written = ''] = /<bert-scope text="([^"]*)"/.exec(tag) ?? [];
    assert.equal(read(written), inXml(text));
  });
});

test('a saved page holds every text as text, and its JSON opens unchanged', () => {
  always((text, other) => {
    const tokens = [text, other];
    const attention = () => Float32Array.of(1, 0, 0, 1);
    const snapshot = createSnapshot({tokens, layers: 1, heads: 1, attention});
    const json = jsonFile({snapshot, text, model: other, interventions: text, name: other});
    const page = savedPage({title: text, heading: other, language: 'en', attributes: {compare: text}, json, script: 'x'}); // prettier-ignore
    const [, held = ''] = /<script type="application\/json">(.*?)<\/script>/s.exec(page) ?? [];
    assert.deepEqual(JSON.parse(held), JSON.parse(json));
    assert.doesNotMatch(held, /</);
    const {tokens: saved, model} = JSON.parse(held);
    assert.deepEqual([saved, model], [tokens, other]);
    const [, body = ''] = /<body>\n(.*)<script type="module">/s.exec(page) ?? [];
    assert.match(body.replace(held, ''), markup);
    const [, title = ''] = /<title>(.*?)<\/title>/s.exec(page) ?? [];
    assert.equal(read(title), inXml(text));
  });
});

test('CSV holds every text in its cell, and no cell begins a formula', () => {
  always((text, other) => {
    const written = csv([[text, other], [1, text]]); // prettier-ignore
    /** @type {string[][]} */
    const rows = [[]];
    for (const [, quoted, plain, end] of written.matchAll(
      /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g,
    )) {
      rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
      if (end !== ',') rows.push([]);
    }
    const cells = rows.flat();
    assert.equal(cells.length, 4, written);
    // An apostrophe may have come before a sign.
    const bare = (/** @type {string} */ cell) => cell.replaceAll("'", '');
    assert.deepEqual(cells.map(bare), [text, other, '1', text].map(bare));
    for (const cell of cells) assert.doesNotMatch(cell, /^\s*[=+\-@＝＋－＠]/u);
  });
});

test('names of files have letters, digits and hyphens alone', () => {
  always((text, other) => {
    assert.match(fileName([text, other], 'svg'), /^bertscope(-[\p{L}\p{N}-]{1,80})?\.svg$/u);
  });
});

test('addresses that the page writes have no sign that markup, scripts or Markdown know', () => {
  const safe = /^#[\w\-.~!*'%+/?=&]*$/;
  always((text, other) => {
    const fields = new URLSearchParams({text, [other]: text});
    const address = formatAddress(parseAddress(`#${fields}`));
    assert.match(address, safe);
    const route = formatRoute({section: 'docs', path: ['api', text.toWellFormed()], fields});
    assert.match(route, /^#\/docs\/api\/[\w\-.~!*'()%+/?=&]*$/);
    const found = parseRoute(route);
    assert.deepEqual(found?.path.slice(1), text ? [text.toWellFormed()] : []);
    assert.equal(found?.fields.get('text'), fields.get('text'));
  });
});

test('the answers of a class are read from any links, and their addresses are written anew', () => {
  const [lesson] = lessons;
  const [step] = lesson.steps;
  always((text, other) => {
    const answers = {[step.id]: {said: other, verdict: /** @type {const} */ ('right')}};
    const link = formatAll([{lesson, sheet: {name: text, answers}}]);
    const {lists} = readClass(`${other}\nhttps://x.example/${link}\n${text}`);
    for (const {students} of lists) {
      for (const {hash, name, answers: read} of students) {
        assert.match(hash, /^#\/lessons\/[\w\-/]+\?[\w\-.*+%=&]*$/);
        for (const said of [name, ...Object.values(read).map((answer) => answer.said)])
          assert.doesNotMatch(said, /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/u);
      }
    }
  });
});
