import assert from 'node:assert/strict';
import {test} from 'node:test';
import {pickLanguage} from '../../web/strings/language.js';
import {numberList} from '../../web/strings/number-list.js';
import {explanationEnglish} from '../../web/strings/en/explanation.js';
import {exploreEnglish} from '../../web/strings/en/explore.js';
import {english} from '../../web/strings/en/saved.js';
import {liveEnglish, pageEnglish} from '../../web/strings/en/live.js';
import {explanationChinese} from '../../web/strings/zh/explanation.js';
import {exploreChinese} from '../../web/strings/zh/explore.js';
import {chinese} from '../../web/strings/zh/saved.js';
import {liveChinese, pageChinese} from '../../web/strings/zh/live.js';

const catalogue = {
  en: {
    saved: english,
    live: liveEnglish,
    page: pageEnglish,
    explore: exploreEnglish,
    explanation: explanationEnglish,
  },
  zh: {
    saved: chinese,
    live: liveChinese,
    page: pageChinese,
    explore: exploreChinese,
    explanation: explanationChinese,
  },
};

/** Stands for any argument: shows its name in a string, and that of each field that is read. */
const argument = (/** @type {number} */ position) =>
  new Proxy([`‹${position}›`], {
    get: (list, name) => Reflect.get(list, name) ?? (typeof name === 'string' ? `‹${name}›` : null),
  });

/**
 * Lists what a catalogue has, without its words: the kind of each entry by its path and, of a
 * function, which of its arguments it uses.
 *
 * @param {unknown} entry
 * @param {string} path
 * @returns {[string, string][]}
 */
function entriesOf(entry, path) {
  if (typeof entry === 'string') {
    assert(entry !== '' || path.endsWith('.pair'), `${path} is empty`);
    return [[path, 'a text']];
  }
  if (typeof entry === 'function') {
    const said = JSON.stringify(
      entry(...Array.from({length: entry.length}, (_, i) => argument(i))),
    );
    const marks = new Set(said.match(/‹[^›]+›/g));
    return [[path, `a function of ${entry.length} that says ${[...marks].sort().join(' ')}`]];
  }
  return Object.entries(/** @type {object} */ (entry)).flatMap(([name, inner]) =>
    entriesOf(inner, `${path}.${name}`),
  );
}

for (const [language, strings] of Object.entries(catalogue)) {
  test(`the “${language}” catalogue has every string of the English one and uses its arguments`, () => {
    const [english, found] = [catalogue.en, strings].map((each) => new Map(entriesOf(each, '')));
    assert(english.size > 200);
    for (const [path, kind] of english) {
      assert(found.has(path), `${language}${path} is missing`);
      assert.equal(found.get(path), kind, `${language}${path}`);
    }
    const extra = [...found.keys()].filter((path) => !english.has(path));
    assert.deepEqual(extra, [], `${language} has strings that English has not`);
  });
}

test('a missing string, an extra string and a forgotten argument are found', () => {
  const kinds = (/** @type {object} */ strings) => entriesOf(strings, '');
  assert.deepEqual(kinds({a: 'x', b: (/** @type {string} */ n) => `${n} ms`}), [
    ['.a', 'a text'],
    ['.b', 'a function of 1 that says ‹0›'],
  ]);
  assert.notDeepEqual(
    kinds({b: (/** @type {string} */ _n) => 'ms'}),
    kinds({b: (/** @type {string} */ n) => `${n} ms`}),
  );
});

test('every Chinese string for an English text is written in Chinese', () => {
  // Names, symbols and the examples' sentences, which the model reads in English.
  const same =
    /title$|\.examples\.|filters\.(all|aa|bb|ab|ba)$|megabytes|[cC]olumns|softmax|links|\.A$|(cls|sep)\.name$|(decompx|alti|globenc|value-zeroing)\.name$/;
  const [english, chinese] = [catalogue.en, catalogue.zh].map((each) => textsOf(each, ''));
  for (const [path, text] of english) {
    if (same.test(path) || !/[a-z]{4}/.test(text)) continue;
    assert.match(chinese.get(path) ?? '', /\p{Script=Han}/u, `zh${path}: ${chinese.get(path)}`);
  }
});

/**
 * @param {unknown} entry
 * @param {string} path
 * @returns {Map<string, string>}
 */
function textsOf(entry, path) {
  if (typeof entry === 'string') return new Map([[path, entry]]);
  if (typeof entry !== 'object' || !entry) return new Map();
  return new Map(
    Object.entries(entry).flatMap(([name, inner]) => [...textsOf(inner, `${path}.${name}`)]),
  );
}

test('missing layers and heads are named in few numbers, and a single one in the singular', () => {
  const listed = (/** @type {number[]} */ ...numbers) => numberList(numbers, english.text.numbers);
  const {lack} = english.compare;
  assert.match(lack.layers('small', 6, listed(6, 7, 8, 9, 10, 11)), /so no layers 6 to 11\.$/);
  assert.match(lack.heads('small', 4, listed(4)), /so no head 4\.$/);
  assert.match(lack.gaps('x', listed(0, 2, 3), listed(5)), /all of layers 0, 2, 3, head 5\.$/);
  const inChinese = numberList([6, 7, 8], chinese.text.numbers);
  assert.match(chinese.compare.lack.layers('小', 6, inChinese), /没有第 6 至 8 层。$/);
});

test('the first supported language that the reader names is used, or else English', () => {
  assert.equal(pickLanguage(['zh-Hans-CN', 'en']), 'zh');
  assert.equal(pickLanguage([null, '', 'fr', 'ZH']), 'zh');
  assert.equal(pickLanguage(['en-GB', 'zh']), 'en');
  assert.equal(pickLanguage(['fr', undefined]), 'en');
  assert.equal(pickLanguage(['constructor']), 'en');
});
