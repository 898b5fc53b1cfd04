import assert from 'node:assert/strict';
import {readdir} from 'node:fs/promises';
import {test} from 'node:test';
import {pickLanguage} from '../../web/strings/language.js';
import {numberList} from '../../web/strings/number-list.js';
import {catalogues, entriesOf, saidBy} from './catalogue.js';

const {en: english, ...others} = catalogues;

/**
 * Lists the kind of each entry of a catalogue by its path, without its words: a text or a function, and which of its
 * arguments a function uses.
 *
 * @param {object} strings
 */
function kindsOf(strings) {
  const kinds = entriesOf(strings).map(([path, entry]) => {
    const said = saidBy(entry);
    assert(said !== '' || path.endsWith('.pair'), `${path} is empty`);
    if (typeof entry === 'string') return [path, 'a text'];
    assert(typeof entry === 'function', `${path} is neither a text nor a function`);
    const marks = new Set(said.match(/‹[^›]+›/g));
    return [path, `a function of ${entry.length} that says ${[...marks].sort().join(' ')}`];
  });
  return new Map(/** @type {[string, string][]} */ (kinds));
}

for (const [language, strings] of Object.entries(others)) {
  test(`the “${language}” catalogue has every string of the English one and uses its arguments`, () => {
    const [expected, found] = [english, strings].map(kindsOf);
    assert(expected.size > 900, `${expected.size} strings`);
    for (const [path, kind] of expected) {
      assert(found.has(path), `${language}${path} is missing`);
      assert.equal(found.get(path), kind, `${language}${path}`);
    }
    const extra = [...found.keys()].filter((path) => !expected.has(path));
    assert.deepEqual(extra, [], `${language} has strings that English has not`);
  });
}

test('a missing string, an extra string and a forgotten argument are found', () => {
  assert.deepEqual(
    [...kindsOf({a: 'x', b: (/** @type {number} */ n) => `${n.toFixed(2)} ms`})],
    [
      ['.a', 'a text'],
      ['.b', 'a function of 1 that says ‹0›'],
    ],
  );
  assert.notDeepEqual(
    kindsOf({b: (/** @type {string} */ _n) => 'ms'}),
    kindsOf({b: (/** @type {string} */ n) => `${n} ms`}),
  );
});

test('the folder of every language has the files of the English one', async () => {
  const filesOf = async (/** @type {string} */ language) => {
    const folder = new URL(`../../web/strings/${language}/`, import.meta.url);
    return (await readdir(folder, {recursive: true})).sort();
  };
  const expected = await filesOf('en');
  for (const language of Object.keys(others)) {
    assert.deepEqual(await filesOf(language), expected, language);
  }
});

/** Names, symbols, and keys of tables and recipes. */
const sameInAll =
  /\.page\.page\.title$|filters\.(all|aa|bb|ab|ba)$|megabytes|[cC]olumns|softmax|links|\.A$|(cls|sep)\.name$|(decompx|alti|alti-logit|alti-plus|globenc|value-zeroing)(\.name)?$|\.(table|recipe|download)$|\.dropout$/;
/** A source is cited in its own language. */
const isSource = (/** @type {string} */ text) => text.includes('](https://');
/** Terms that other languages took over, and words that they write alike. */
const sharedWords = /^(tokens?|embeddings|logits|divisor)$/i;

for (const [language, strings] of Object.entries(others)) {
  test(`no English text is left in the “${language}” catalogue`, () => {
    const said = new Map(entriesOf(strings));
    for (const [path, entry] of entriesOf(english)) {
      if (typeof entry !== 'string' || sameInAll.test(path) || isSource(entry)) continue;
      if (!/[a-z]{4}/.test(entry)) continue;
      const text = String(said.get(path));
      if (language === 'zh') assert.match(text, /\p{Script=Han}/u, `zh${path}: ${text}`);
      else assert(text !== entry || sharedWords.test(text), `${language}${path}: ${text}`);
    }
  });

  test(`the “${language}” lessons mark code, q, k and v where English ones do`, () => {
    const marks = (/** @type {string} */ text) => (text.match(/`[^`]+`|\{[qkv]/g) ?? []).sort();
    const said = new Map(entriesOf(strings.course));
    for (const [path, entry] of entriesOf(english.course)) {
      assert.deepEqual(marks(saidBy(said.get(path))), marks(saidBy(entry)), `${language}${path}`);
    }
  });
}

test('missing layers and heads are named in few numbers, and a single one in the singular', () => {
  const listed = (/** @type {number[]} */ ...numbers) =>
    numberList(numbers, english.saved.text.numbers);
  const {lack} = english.saved.compare;
  assert.match(lack.layers('small', 6, listed(6, 7, 8, 9, 10, 11)), /so no layers 6 to 11\.$/);
  assert.match(lack.heads('small', 4, listed(4)), /so no head 4\.$/);
  assert.match(lack.gaps('x', listed(0, 2, 3), listed(5)), /all of layers 0, 2, 3, head 5\.$/);
  const inChinese = numberList([6, 7, 8], others.zh.saved.text.numbers);
  assert.match(others.zh.saved.compare.lack.layers('小', 6, inChinese), /没有第 6 至 8 层。$/);
});

test('the first supported language that the reader names is used, or else English', () => {
  assert.equal(pickLanguage(['zh-Hans-CN', 'en']), 'zh');
  assert.equal(pickLanguage([null, '', 'fr', 'ZH']), 'zh');
  assert.equal(pickLanguage(['en-GB', 'zh']), 'en');
  assert.equal(pickLanguage(['fr', undefined]), 'en');
  assert.equal(pickLanguage(['ca', 'es-AR', 'en']), 'es');
  assert.equal(pickLanguage(['constructor']), 'en');
});
