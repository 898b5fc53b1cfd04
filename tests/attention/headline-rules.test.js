/** The rules of the headline, over everyday sentences and the attention of the embedded model: the same cases in each run. */

import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import fc from 'fast-check';
import {createRuntime} from '../../scripts/cli/engine.mjs';
import {defaultModel, openModel} from '../../scripts/cli/source.mjs';
import {plainDisplay, readable} from '../../web/attention/display.js';
import {differenceOf} from '../../web/attention/difference.js';
import {toldLink} from '../../web/attention/findings.js';
import {createSnapshot} from '../../web/attention/snapshot.js';
import {faintest} from '../../web/engine/link-kinds.js';
import {neuronScene, queryScene, storyOf, strongestKey} from '../../web/views/neuron/scene.js';
import {strongestPartners, shownWeights} from '../../web/attention/weights.js';
import {formatNumber, formatPercent} from '../../web/views/parts/number-format.js';
import {sentences} from '../engine/sentences.js';
import {embedded} from '../support/embedded-model.js';

/** @import {Selection, TokenRef} from '../../web/attention/selection.js' */
/** @import {Snapshot} from '../../web/attention/snapshot.js' */
/** @typedef {Awaited<ReturnType<Awaited<ReturnType<typeof createRuntime>>['load']>>} Model */

/** @type {Model} */
let model;
/** @type {Snapshot[]} */
const snapshots = [];

const texts = fc.sample(fc.constantFrom(...sentences), {numRuns: 60, seed: 35});

before(async () => {
  model = await (await createRuntime()).load(await openModel(await defaultModel()));
  for (const text of new Set(texts)) snapshots.push(await snapshotOf(text));
});
after(() => model.dispose());

/** @param {string} text */
async function snapshotOf(text) {
  const {tokens, sentences: types, pass} = await model.attend(text);
  const {layers, heads} = model.shape;
  /** @type {Map<string, Float32Array>} */
  const pulled = new Map();
  for (const kind of /** @type {const} */ (['attention', 'queries', 'keys', 'values']))
    for (let layer = 0; layer < layers; layer++)
      for (let head = 0; head < heads; head++)
        pulled.set(`${kind} ${layer}.${head}`, await model.pull(pass, kind, [layer, head]));
  const of =
    (/** @type {string} */ kind) => (/** @type {number} */ layer, /** @type {number} */ head) =>
      pulled.get(`${kind} ${layer}.${head}`);
  const headDim = (pulled.get('queries 0.0')?.length ?? 0) / tokens.length;
  return createSnapshot({
    ...{tokens, tokenTypeIds: types, layers, heads, headDim, attention: of('attention')},
    vectors: (kind, layer, head) => of(kind)(layer, head),
  });
}

/** One head, several heads of a layer, and a token of a text. */
const places = fc.record({
  at: fc.nat(),
  layer: fc.nat({max: embedded.layers - 1}),
  heads: fc.uniqueArray(fc.nat({max: embedded.heads - 1}), {minLength: 1, maxLength: 4}),
  row: fc.nat(),
  side: fc.constantFrom(/** @type {const} */ ('query'), /** @type {const} */ ('key')),
});

/**
 * @typedef {object} Place
 * @property {Snapshot} snapshot
 * @property {Selection} selection
 * @property {TokenRef} token
 */

/** Tries a rule at the same 600 places in each run. @param {(place: Place) => void} rule */
const everywhere = (rule) =>
  fc.assert(
    fc.property(places, ({at, layer, heads, row, side}) => {
      const snapshot = snapshots[at % snapshots.length];
      const token = {side, index: row % snapshot.queryTokens.length};
      rule({snapshot, selection: {layer, heads, filter: 'all', token}, token});
    }),
    {seed: 35, numRuns: 600},
  );

test('the headline of a token names its largest share, special tokens included', () =>
  everywhere(({snapshot, selection, token}) => {
    const told = toldLink(snapshot, selection);
    const [first] = strongestPartners(shownWeights(snapshot, selection), token, 1);
    assert.ok(told);
    assert.equal(told[token.side], token.index);
    assert.equal(formatPercent(told.weight), formatPercent(first.weight));
  }));

test('the headline of a picture without a pin names the largest share of the word that it speaks of', () =>
  everywhere(({snapshot, selection}) => {
    const told = toldLink(snapshot, {...selection, token: null});
    assert.ok(told);
    const again = toldLink(snapshot, {...selection, token: {side: 'query', index: told.query}});
    assert.deepEqual([again?.key, again?.weight], [told.key, told.weight]);
  }));

test('the neuron view and its story name the same token with the same share as the headline', () =>
  everywhere(({snapshot, selection, token}) => {
    const own = {...selection, heads: selection.heads.slice(0, 1)};
    const told = toldLink(snapshot, {...own, token: {side: 'query', index: token.index}});
    const head = neuronScene(snapshot, own);
    assert.ok(told && head);
    const scene = queryScene(head, token.index);
    const story = storyOf(scene, head, snapshot);
    assert.equal(strongestKey(scene), told.key);
    assert.equal(story.key, snapshot.keyTokens[told.key]);
    assert.equal(
      `${formatNumber(Number(scene.weights[told.key]) * 100, 0)}%`,
      formatPercent(told.weight),
    );
  }));

test('a pronoun is asked about from 30% on, and only with a word before it', () => {
  let asked = 0;
  const holds = (/** @type {Snapshot} */ snapshot, /** @type {Selection} */ selection) => {
    const told = toldLink(snapshot, selection);
    if (told?.kind !== 'pronoun') return;
    asked++;
    assert.ok(told.weight >= 0.3 && told.key < told.query);
    assert.match(snapshot.queryTokens[told.query], /^(he|she|it|they|him|her|them|his|its|their|who|whose|himself|herself|themselves)$/); // prettier-ignore
    assert.match(snapshot.keyTokens[told.key], /^\p{L}/u);
  };
  everywhere(({snapshot, selection}) => holds(snapshot, selection));
  // Few heads look at what a pronoun stands for, so every token is asked in each head.
  for (const snapshot of snapshots)
    for (let at = 0; at < embedded.layers * embedded.heads; at++)
      for (const index of snapshot.queryTokens.keys())
        holds(snapshot, {
          layer: Math.floor(at / embedded.heads),
          heads: [at % embedded.heads],
          filter: 'all',
          token: {side: 'query', index},
        });
  assert.ok(asked > 0);
});

test('the headline of a difference names the largest change of the row, whatever its sign', () =>
  everywhere(({snapshot, selection}) => {
    const mean = readable(snapshot, {...plainDisplay, meanLayers: 'all'});
    const change = differenceOf(mean, readable(snapshot, plainDisplay));
    const told = toldLink(change, selection);
    const [first] = strongestPartners(
      shownWeights(change, selection),
      /** @type {TokenRef} */ (selection.token),
      1,
    );
    assert.ok(told && Math.abs(Math.abs(told.weight) - Math.abs(first.weight)) < 1e-6);
  }));

test('a picture of a text always has a word to tell of', () =>
  everywhere(({snapshot, selection}) => {
    const told = toldLink(snapshot, {...selection, token: null});
    assert.ok(told && told.weight >= faintest);
  }));
