import assert from 'node:assert/strict';
import {test} from 'node:test';
import {setTimeout as sleep} from 'node:timers/promises';
import {LinkSearch} from '../../web/engine/host/strongest-links.js';
import {noReaderChanges, withHead} from '../../web/attention/reader-changes.js';
import {FindingGuide} from '../../web/page/finding-guide.js';

/** The element, as far as the guide uses it. Its model has one head, in which each token looks at the one before. */
class Scope extends EventTarget {
  text = '';
  textPair = '';
  /** Of the searches of the engine. @type {AbortSignal[]} */
  signals = [];
  layer = 0;
  heads = [0];
  /** @type {{side: string, index: number} | null} */
  token = null;
  compare = null;
  model = {shape: {layers: 1, heads: 1}, isByteLevel: false};
  /** @type {object | null} */
  result = null;
  get selection() {
    return this;
  }
  /** @param {object} changed */
  change(changed) {
    Object.assign(this, changed);
  }
  interventions = noReaderChanges;
  /** Fails the next search. @type {boolean} */
  isBroken = false;
  requestUpdate() {}

  /** Has the result of the text that is shown. @param {Promise<void>} [isSearched]  the weights come after it */
  arrive(isSearched) {
    const tokens = ['[CLS]', ...this.text.split(' '), '[SEP]'];
    const size = tokens.length;
    const weights = new Float32Array(size ** 2);
    for (let i = 0; i < size; i++) weights[i * size + Math.max(i - 1, 0)] = 1;
    this.result = {
      text: this.text,
      ids: tokens,
      tokens,
      sentences: tokens.map(() => 0),
      specialTokens: tokens.map((_, i) => i === 0 || i === size - 1),
      pair: '',
      strongestLinks: (
        /** @type {Uint8Array} */ kinds,
        /** @type {{signal: AbortSignal}} */ {signal},
      ) => {
        this.signals.push(signal);
        if (this.isBroken) return Promise.reject(new Error('the engine has ended'));
        const search = new LinkSearch(kinds, size);
        search.add(0, 0, weights);
        return Promise.resolve(isSearched).then(() => search.list());
      },
    };
    this.dispatchEvent(new Event('result'));
  }
}

const scopeWithGuide = () => {
  const scope = new Scope();
  return {scope, guide: new FindingGuide(/** @type {any} */ (scope), false)};
};

/** Longer than the guide waits for the reader to type on. */
const longPause = 200;

test('a new text shows its first finding', async () => {
  const {scope, guide} = scopeWithGuide();
  scope.text = 'river bank money';
  scope.arrive();
  await sleep(longPause);
  assert.equal(guide.list.length > 0, true);
  assert.notEqual(scope.token, null);
});

test('a search ends when the reader types on, before the next text has run', async () => {
  const {scope, guide} = scopeWithGuide();
  scope.text = 'river bank money';
  const {promise: isSearched, resolve: search} = withResolvers();
  scope.arrive(isSearched);
  await sleep(longPause);
  assert.deepEqual(
    scope.signals.map(({aborted}) => aborted),
    [false],
  );
  scope.dispatchEvent(new Event('change'));
  assert.equal(scope.signals[0].aborted, false, 'the text is the same');
  scope.text = 'river bank moneys';
  scope.dispatchEvent(new Event('change'));
  assert.equal(scope.signals[0].aborted, true);
  search();
  await sleep(1);
  assert.deepEqual([guide.list, guide.searched], [[], null]);
});

test('an example is shown as it says, though the text before is still being searched', async () => {
  const {scope, guide} = scopeWithGuide();
  scope.text = 'river bank money';
  const {promise: isSearched, resolve: search} = withResolvers();
  scope.arrive(isSearched);
  await sleep(longPause);
  const given = {side: 'query', index: 1};
  scope.text = 'cats chase mice';
  guide.keepExample(scope.text);
  scope.change({token: given});
  search();
  await sleep(1);
  assert.deepEqual(scope.token, given);
  scope.arrive();
  await sleep(longPause);
  assert.deepEqual(scope.token, given);
  assert.equal(guide.searched, scope.result);
});

test('a space that is added, or a change that is undone, makes another pass whose words are answered too', async () => {
  const {scope, guide} = scopeWithGuide();
  scope.text = 'river bank money';
  scope.arrive();
  await sleep(longPause);
  const {result: first} = scope;
  scope.arrive();
  await sleep(longPause);
  assert.deepEqual([scope.signals.length, guide.searched], [1, scope.result]);
  assert.notEqual(guide.searched, first);
  // The weights of a changed model are others.
  const {result: unchanged} = scope;
  scope.interventions = withHead(noReaderChanges, {layer: 0, head: 0, scale: 0});
  scope.arrive();
  await sleep(longPause);
  assert.equal(guide.searched, unchanged);
});

test('a text whose search has failed is searched when it has another pass', async () => {
  const {scope, guide} = scopeWithGuide();
  scope.text = 'river bank money';
  scope.isBroken = true;
  scope.arrive();
  await sleep(longPause);
  assert.deepEqual(guide.list, []);
  scope.isBroken = false;
  scope.arrive();
  await sleep(longPause);
  assert.equal(guide.list.length > 0, true);
});

test('a text after an example that was left before it came is shown with its finding', async () => {
  const {scope, guide} = scopeWithGuide();
  guide.keepExample('cats chase mice');
  scope.text = 'river bank money';
  scope.arrive();
  await sleep(longPause);
  assert.notEqual(scope.token, null);
});

/** As `Promise.withResolvers`, which Node 20 lacks. */
function withResolvers() {
  /** @type {() => void} */
  let resolve = () => {};
  /** @type {Promise<void>} */
  const promise = new Promise((done) => (resolve = done));
  return {promise, resolve};
}
