import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import fc from 'fast-check';
import {createRuntime} from '../../scripts/cli/engine.mjs';
import {defaultModel, openModel} from '../../scripts/cli/source.mjs';
import {drawnToken, plainDisplay, readable} from '../../web/attention/display.js';
import {linksOfPin, needsSpecialTokens} from '../../web/attention/pinned-word.js';
import {attentionOf, createSnapshot} from '../../web/attention/snapshot.js';
import {strongestLink} from '../../web/attention/strongest-link.js';
import {textTokens} from '../../web/attention/text-tokens.js';
import {TokenLinkSearch} from '../../web/engine/host/strongest-links.js';
import {clearShare} from '../../web/engine/link-kinds.js';
import {sentences} from '../engine/sentences.js';

/** @import {Selection, TokenRef} from '../../web/attention/selection.js' */
/** @import {Snapshot} from '../../web/attention/snapshot.js' */
/** @typedef {Awaited<ReturnType<Awaited<ReturnType<typeof createRuntime>>['load']>>} Model */

/** @type {Model} */
let model;

before(async () => {
  model = await (await createRuntime()).load(await openModel(await defaultModel()));
});
after(() => model.dispose());

const everydayWords = sentences.join(' ').split(' ');

/** Texts of 5 to 25 words that follow each other in everyday sentences: the same 300 in each run. */
const texts = fc.sample(
  fc
    .tuple(fc.nat(everydayWords.length - 25), fc.integer({min: 5, max: 25}))
    .map(([start, count]) => everydayWords.slice(start, start + count).join(' ')),
  {numRuns: 300, seed: 35},
);

/** Runs a text. @param {string} text */
async function snapshotOf(text) {
  const {tokens, sentences: types, pass} = await model.attend(text);
  const {layers, heads} = model.shape;
  /** @type {Float32Array[]} */
  const matrices = [];
  for (let layer = 0; layer < layers; layer++)
    for (let head = 0; head < heads; head++)
      matrices.push(await model.pull(pass, 'attention', [layer, head]));
  const attention = (/** @type {number} */ layer, /** @type {number} */ head) =>
    matrices[layer * heads + head];
  return createSnapshot({tokens, tokenTypeIds: types, layers, heads, attention});
}

/** The other words that a token looks at clearly in some head, or that look at it. @param {Snapshot} snapshot @param {TokenRef} token */
function clearestOf(snapshot, token) {
  const tokens = textTokens(snapshot);
  const words = tokens.map(({isSpecial, isPunctuation}) => !isSpecial && !isPunctuation);
  const search = new TokenLinkSearch(token, Uint8Array.from(words, Number), tokens.length);
  for (const {layer, head, matrix} of headsOf(snapshot)) search.add(layer, head, matrix);
  return search.list().clearest;
}

/** @param {Snapshot} snapshot */
function headsOf(snapshot) {
  return Array.from({length: snapshot.layers * snapshot.heads}, (_, at) => {
    const [layer, head] = [Math.floor(at / snapshot.heads), at % snapshot.heads];
    const matrix = attentionOf(snapshot, layer, head);
    assert.ok(matrix);
    return {layer, head, matrix};
  });
}

/** The tokens of the text. @param {Snapshot} snapshot */
const ownTokens = ({queryTokens, special}) =>
  queryTokens.map((_, index) => index).filter((index) => !special.query[index]);

/** The weights that a token gives, or those that it gets. @param {Float32Array} matrix @param {number} length @param {TokenRef} token */
const weightsOf = (matrix, length, {side, index}) =>
  side === 'query'
    ? matrix.subarray(index * length, (index + 1) * length)
    : Float32Array.from({length}, (_, at) => matrix[at * length + index]);

/**
 * The link that the headline tells of a pinned token, in the picture that the page draws.
 *
 * @param {Snapshot} whole
 * @param {Snapshot} withoutSpecial
 * @param {{layer: number, head: number}} place
 * @param {TokenRef} token
 */
function toldOf(whole, withoutSpecial, {layer, head}, token) {
  /** @type {Selection} */
  const selection = {layer, heads: [head], filter: 'all', token};
  const links = linksOfPin(whole, selection);
  assert.ok(links);
  const drawn = needsSpecialTokens(links) ? whole : withoutSpecial;
  const told = strongestLink(drawn, {...selection, token: drawnToken(drawn, token)});
  assert.ok(told);
  const originalOf = (/** @type {'query' | 'key'} */ side) =>
    drawn.runs?.[side][told[side]].start ?? told[side];
  return {links, query: originalOf('query'), key: originalOf('key'), weight: told.weight};
}

test('the picture of a word that is pinned on either side draws its strongest link or a clear one, in each head', async () => {
  for (const text of texts) {
    const whole = await snapshotOf(text);
    const withoutSpecial = readable(whole, {...plainDisplay, special: 'hide'});
    const {length} = whole.queryTokens;
    for (const index of ownTokens(whole)) {
      for (const place of headsOf(whole)) {
        for (const side of /** @type {const} */ (['query', 'key'])) {
          const {links, weight, ...told} = toldOf(whole, withoutSpecial, place, {side, index});
          const claim = `“${whole.queryTokens[index]}” as ${side} in ${place.layer}.${place.head} of “${text}”`;
          const own = weightsOf(place.matrix, length, {side, index});
          const other = side === 'query' ? told.key : told.query;
          const largest = Math.max(...own);
          assert.equal(told[side], index, claim);
          assert.ok(weight >= Math.min(clearShare, largest), `${claim}: ${weight} of ${largest}`);
          assert.equal(weight, own[other], `${claim}: the headline tells the number of the head`);
          assert.equal(links.text >= clearShare && whole.special.key[other], false, claim);
        }
      }
    }
  }
});

test('another head that is offered for a word looks where and as much as is said', async () => {
  let offered = 0;
  for (const text of texts) {
    const whole = await snapshotOf(text);
    const withoutSpecial = readable(whole, {...plainDisplay, special: 'hide'});
    const {length} = whole.queryTokens;
    for (const index of ownTokens(whole)) {
      for (const {other, weight, ...place} of clearestOf(whole, {side: 'query', index})) {
        const told = toldOf(whole, withoutSpecial, place, {side: 'query', index});
        assert.equal(told.key, other, text);
        assert.equal(told.weight, weight, text);
        offered++;
      }
      for (const {layer, head, weight, other} of clearestOf(whole, {side: 'key', index}))
        assert.equal(attentionOf(whole, layer, head)?.[other * length + index], weight, text);
    }
  }
  assert.ok(offered > texts.length);
});

test('a token that is not pinned, or whose weights are not there, has no links', () => {
  const tokens = ['[CLS]', 'cats', 'sleep', '[SEP]'];
  const made = {tokens, layers: 1, heads: 1};
  /** @type {Selection} */
  const selection = {layer: 0, heads: [0], filter: 'all', token: {side: 'query', index: 1}};
  const pending = createSnapshot({...made, attention: () => undefined});
  assert.equal(linksOfPin(pending, selection), null);
  const weights = Float32Array.from({length: 16}, (_, at) => (at % 4 === 3 ? 0.7 : 0.1));
  const ready = createSnapshot({...made, attention: () => weights});
  assert.equal(linksOfPin(ready, {...selection, token: null}), null);
  const links = linksOfPin(ready, selection);
  assert.ok(links && needsSpecialTokens(links));
  assert.deepEqual([links.text, links.special].map((weight) => weight.toFixed(1)), ['0.1', '0.7']); // prettier-ignore
});
