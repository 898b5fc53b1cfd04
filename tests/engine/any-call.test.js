/**
 * Tests that a model, called by a page with any arguments, answers with finite numbers or refuses in one line, and
 * goes on.
 */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {Model} from '../../web/engine/client/remote-model.js';
import {BertscopeError} from '../../web/engine/errors.js';
import {untrained} from '../../web/engine/host/untrained-model.js';
import {methods} from '../../web/engine/methods.js';
import {tries} from '../support/tries.js';
import {connect} from './bridge-line.js';
import {loadGolden, runtime} from './support.js';

/** A model as pages see it. @param {string} name */
async function openModel(name) {
  const loaded = await loadGolden(name, 'int8');
  const ofHost = {
    untrained: (/** @type {string} */ text, /** @type {any} */ how) =>
      untrained(runtime, loaded, text, how),
  };
  const {host} = connect({load: () => Object.assign(loaded, ofHost)});
  return new Model(/** @type {any} */ (await host.load()));
}

const odd = [-1, 0.5, NaN, Infinity, -Infinity, 2 ** 31, -(2 ** 31), 2 ** 32, 2 ** 53, 1e308];
const number = fc.oneof(fc.constantFrom(...odd), fc.integer({min: -2, max: 70}), fc.double());
const anything = fc.oneof(
  number,
  fc.array(number, {maxLength: 5}),
  fc.array(number, {maxLength: 5}).map((numbers) => Float32Array.from(numbers)),
  fc.constantFrom(true, 5n, '', 'constructor', '__proto__', {}, [], [[]], [null], {
    length: 2 ** 40,
  }),
  fc.constantFrom({token: NaN}, {label: 'x'}, {token: 1, word: 3}),
  fc.anything({maxDepth: 2, withTypedArray: true}).filter((value) => value !== null),
);

/** Mostly what is usual. @param {fc.Arbitrary<any>} usual @param {number} [weight] */
const mostly = (usual, weight = 5) => fc.oneof({weight, arbitrary: usual}, anything);
/** @param {...unknown} usual */
const some = (...usual) => mostly(fc.constantFrom(...usual));
/** @param {fc.Arbitrary<any>} each */
const listOf = (each) => mostly(fc.array(each, {maxLength: 4}));
/** @param {Record<string, fc.Arbitrary<any>>} fields @param {string[]} [requiredKeys] */
const options = (fields, requiredKeys = []) => mostly(fc.record(fields, {requiredKeys}), 20);

const index = some(0, 1, 2, 3);
const flag = some(true, false);
const text = some('', 'time flies', 'time [MASK]', 'an arrow [MASK] flies '.repeat(30));
const place = {layer: index, head: index, part: some(undefined, 'encoder', 'decoder', 'cross')};
const edge = {...place, query: index, key: index, weight: some(0, 0.5, 1), renormalise: flag};
const interventions = options({
  heads: listOf(options({...place, scale: some(0, 1, -2)})),
  layersOff: listOf(index),
  maskedTokens: listOf(index),
  edges: listOf(options(edge)),
  causal: flag,
  temperature: some(1, 2, {0: 0.5}),
  scoreScale: some('head', 'hidden', 'none'),
});
const target = fc.oneof(
  some(undefined, 'mask', 'vector', 'class:LABEL_0', 'class:none'),
  options({token: index, id: index, masked: flag}),
  options({token: index, word: some('time', 'flies')}),
  options({label: index}),
);
const instead = fc.oneof(some(undefined, 'time', 'LABEL_0', 'none'), index);
const method = some(undefined, ...Object.keys(methods));
const measure = some('weight', 'norm', 'rollout', 'flow');
const topK = some(undefined, 1, 5);
const kind = some('attention', 'queries', 'crossAttention', 'crossKeys');
const matrices = listOf(options({kind, measure, layer: index, head: index}));
const integers = options({
  shape: listOf(index),
  data: mostly(fc.int32Array({min: 0, max: 2, maxLength: 6})),
});
const drawn = {
  ...{temperature: some(0, 1), seed: index, topK: index},
  ...{topP: some(0, 0.5, 1, 2), repetitionPenalty: some(0, 0.5, 2)},
};

/** What a page asks of a model, by its method. @type {Record<string, fc.Arbitrary<any>[]>} */
const ofModel = {
  attend: [text, options({pair: text, specialTokens: flag, interventions, matrices})],
  tokenize: [listOf(text), options({padding: flag, specialTokens: flag})],
  decode: [listOf(index)],
  embeddings: [options({shape: listOf(index), data: listOf(index)})],
  hiddenStates: [
    options({ids: integers, tokenTypeIds: integers, attentionMask: integers}),
    options({index}),
  ],
  untrained: [
    text,
    options({seed: index, layers: index, norm: some('pre', 'post'), labels: index}),
  ],
  headEffects: [text, options({target})],
  explain: [
    text,
    options({method, target, instead, pair: text, specialTokens: flag, interventions}),
  ],
  logitAttribution: [text, options({target, instead, specialTokens: flag, interventions})],
  patch: [text, text, options({what: some('hidden', 'heads'), target})],
  sentenceSimilarity: [text, text],
  generate: [text, options({tokens: index, ...drawn})],
  translate: [text, options({tokens: index, ...drawn, written: listOf(index), interventions})],
  // The sentences that it has unless they are given take long.
  copyingHeads: [options({ids: integers, tokens: index, seed: index})],
  headGuide: [fc.record({sentences: listOf(text), similar: flag})],
};

/** What it asks of a result. @type {Record<string, fc.Arbitrary<any>[]>} */
const ofResult = {
  attention: [index, index],
  layerAttention: [index],
  pull: [matrices],
  queries: [index, index],
  values: [index, index],
  hiddenStates: [index],
  predictions: [topK, options({places: listOf(index)})],
  logitLens: [index, topK],
  probabilities: [index, listOf(index)],
  surprise: [options({topK})],
  classes: [],
  similarity: [anything],
  headStatistics: [options({similar: flag})],
  strongestLinks: [anything],
  tokenLinks: [anything, anything],
  measure: [measure, index, some(undefined, 0, 1)],
  explain: [options({method, target, instead})],
  logitAttribution: [options({target, instead})],
  deletionCurve: [listOf(index), options({target, randomOrders: index, seed: index})],
};

const changes = {heads: [{layer: 0, head: 0, scale: 0}]};
const both = {heads: ['encoder', 'decoder', 'cross'].map((part) => ({...changes.heads[0], part}))};

/** @type {Record<string, (model: Model) => Promise<any>>} */
const results = {
  short: (model) => model.attend('time [MASK]'),
  longest: (model) => model.attend('time flies [MASK] '.repeat(40)),
  changed: (model) => model.attend('time [MASK]', {interventions: changes}),
  written: async (model) => (await model.translate('time', {tokens: 3})).decoder,
  rewritten: async (model) =>
    (await model.translate('', {tokens: 3, interventions: /** @type {any} */ (both)})).decoder,
};

/** One call: whom to ask, for what, with which arguments. @param {string[]} whom */
const callOf = (whom) =>
  fc.oneof(
    ...Object.entries(ofModel).map(([name, args]) =>
      fc.tuple(fc.constant('model'), fc.constant(name), fc.tuple(...args)),
    ),
    ...Object.entries(ofResult).map(([name, args]) =>
      fc.tuple(fc.constantFrom(...whom), fc.constant(name), fc.tuple(...args)),
    ),
    fc.tuple(fc.constant('translation'), fc.constant('crossAttention'), fc.tuple(index, index)),
    fc.tuple(
      fc.constant('translation'),
      fc.constant('explain'),
      fc.tuple(options({token: index, method})),
    ),
  );

/** @param {Model} model @param {[string, string, unknown[]]} call */
async function ask(model, [whom, name, args]) {
  if (whom === 'translation') {
    return (await model.translate('time flies', {tokens: 4}))[
      /** @type {'crossAttention'} */ (name)
    ](.../** @type {[number, number]} */ (args));
  }
  const asked = /** @type {any} */ (whom === 'model' ? model : await results[whom](model));
  if (name !== 'hiddenStates' || whom !== 'model') return asked[name](...args);
  const [damage, ...others] = /** @type {any[]} */ (args);
  const batch = await model.tokenize(['time flies', 'an arrow'], {padding: true});
  return model.hiddenStates({...batch, ...damage}, ...others);
}

/** @param {unknown} value */
function assertFinite(value, path = 'the answer') {
  if (typeof value === 'number') assert(Number.isFinite(value), `${path} is ${value}`);
  if (typeof value !== 'object' || value === null) return;
  if (ArrayBuffer.isView(value)) {
    const wrong = /** @type {Float32Array} */ (value).findIndex((each) => !Number.isFinite(each));
    return assert(wrong < 0, `${path}[${wrong}] is not finite`);
  }
  for (const [key, each] of Object.entries(value)) assertFinite(each, `${path}.${key}`);
}

for (const name of ['odd-sizes', 'half-classifier', 'modernbert', 'gpt2', 'bart', 'marian']) {
  test(`a model of ${name} answers any call with finite numbers, or refuses it in one line`, async () => {
    const model = await openModel(name);
    const reference = async () => (await model.attend('time flies')).hiddenStates(1);
    const before = await reference();
    const whom = Object.keys(results).filter(
      (which) => model.decoderShape || !/written/.test(which),
    );
    const property = fc.asyncProperty(callOf(whom), async (call) => {
      try {
        assertFinite(await ask(model, call));
      } catch (error) {
        if (!(error instanceof BertscopeError)) throw error;
        assert.match(error.message, /^.{1,1000}$/);
        assert.notEqual(error.code, 'engine-crashed');
      }
    });
    await fc.assert(property, tries(150));
    assert.deepEqual(await reference(), before);
  });
}
