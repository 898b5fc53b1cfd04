/** Tests interventions from plain data to the hidden states, and the effects of switching off each head. */

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {parseInterventions} from '../../web/engine/interventions.js';
import {
  goldenFolder,
  inChunks,
  largestDifference,
  loadGolden,
  readAll,
  TOLERANCE,
} from './support.js';

/** @import {Attended} from '../../web/engine/host/loaded-model.js' */

const TEXT = 'time flies like [MASK]';
const OPTIONS = {pair: 'fruit flies like a banana'};

const file = readFileSync(`${goldenFolder('odd-sizes')}/interventions.safetensors`);
const {metadata, tensors} = await readAll(inChunks(new Uint8Array(file)));
/** @type {any[]} */
const golden = JSON.parse(metadata.interventions);

const model = await loadGolden('odd-sizes');
const {layers, heads, hiddenSize} = model.shape;
const plain = await model.attend(TEXT, OPTIONS);

/** @param {Attended} attended */
const lastHidden = ({pass}) => model.pull(pass, 'hiddenStates', [layers]);

for (const [index, interventions] of golden.entries()) {
  test(`${JSON.stringify(interventions)} has the same effect as in PyTorch`, async (t) => {
    const attended = await model.attend(TEXT, {...OPTIONS, interventions});
    assert.deepEqual(attended.dropped, []);
    const hidden = await lastHidden(attended);
    const {bytes} = /** @type {{bytes: Uint8Array}} */ (tensors.get(`${index}.hidden`));
    const expected = new Float32Array(bytes.slice().buffer, 0, attended.tokens.length * hiddenSize);
    const difference = largestDifference(hidden, expected);
    t.diagnostic(`hidden states: largest difference ${difference.toExponential(1)}`);
    assert(difference <= TOLERANCE.hiddenStates);
  });
}

test('passes with and without interventions stay readable beside each other', async () => {
  const before = await lastHidden(plain);
  const changed = await model.attend(TEXT, {...OPTIONS, interventions: {causal: true}});
  const after = await lastHidden(changed);
  assert.notDeepEqual(after, before);
  assert.deepEqual(await lastHidden(plain), before);
  assert.deepEqual(await lastHidden(changed), after);
  const other = await model.attend('fruit', {interventions: {layersOff: [0]}});
  assert.equal((await lastHidden(other)).length, 3 * hiddenSize);
  assert.deepEqual(await lastHidden(changed), after); // the pass runs again for this
  const none = await model.attend(TEXT, {...OPTIONS, interventions: {heads: []}});
  assert.equal(none.pass.changes, undefined);
});

for (const [given, message] of /** @type {[any, string][]} */ ([
  [[], 'interventions: expected an object of'],
  [{head: []}, 'interventions: expected heads, layersOff, maskedTokens,'],
  [{heads: {}}, 'interventions.heads: expected a list, found an object'],
  [{heads: [{layer: 3, head: 0, scale: 0}]}, 'heads[0].layer: expected a whole number from 0 to 2'],
  [{heads: [{layer: 0, head: 5, scale: 0}]}, 'heads[0].head: expected a whole number from 0 to 4'],
  [{heads: [{layer: 0, head: 0}]}, 'heads[0].scale: expected a number from -100 to 100, found not'],
  [
    {heads: [{layer: 0, head: 0, scale: NaN}]},
    'scale: expected a number from -100 to 100, found NaN',
  ],
  [{layersOff: [0.5]}, 'layersOff[0]: expected a whole number from 0 to 2, found 0.5'],
  [{maskedTokens: [-1]}, 'maskedTokens[0]: expected a whole number from 0 to'],
  [
    {edges: [{layer: 0, head: 0, query: 0, key: 0, weight: 2}]},
    'edges[0].weight: expected a number',
  ],
  [{causal: 1}, 'interventions.causal: expected true or false, found 1'],
  [{temperature: -1}, 'interventions.temperature: expected a number from 0.01 to 100, found -1'],
  [{temperature: NaN}, 'interventions.temperature: expected a number from 0.01 to 100, found NaN'],
  [{temperature: {7: 1}}, 'temperature: a layer: expected a whole number from 0 to 2, found 7'],
  [{temperature: {1: 0}}, 'temperature[1]: expected a number from 0.01 to 100, found 0'],
  [{scoreScale: 'd'}, `interventions.scoreScale: expected 'head', 'hidden' or 'none', found "d"`],
])) {
  test(`${JSON.stringify(given)} is refused by name`, async () => {
    await assert.rejects(model.attend(TEXT, {interventions: given}), (/** @type {any} */ error) => {
      assert.equal(error.code, 'bad-intervention');
      assert(error.message.includes(message), error.message);
      return true;
    });
  });
}

test('the engine refuses weights of one row that sum to more than 1, unless an edge of them is beyond the text', async () => {
  const edge = {layer: 0, head: 0, query: 1, key: 2, weight: 0.75, renormalise: true};
  const interventions = {edges: [edge, {...edge, key: 9}]};
  const {dropped} = await model.attend('time', {interventions});
  assert.equal(dropped.length, 1);
  interventions.edges[1].key = 3;
  await assert.rejects(model.attend(TEXT, {interventions}), {
    code: 'bad-intervention',
    message:
      'the weights set in the row of layer 0, head 0, query 1, whose other weights share the rest of 1: expected a sum of at most 1, found 1.5',
  });
  interventions.edges[1].weight = 0.250002;
  await assert.rejects(model.attend(TEXT, {interventions}), {message: /found 1\.000002$/});
});

test('the engine takes weights of one row whose sum is 1 but for rounding', async () => {
  const edges = [0.6, 0.05, 0.15, 0.2].map((weight, key) => ({
    ...{layer: 0, head: 0, query: 1, key, weight, renormalise: true},
  }));
  const {pass} = await model.attend(TEXT, {interventions: {edges}});
  const row = (await model.pull(pass, 'attention', [0, 0])).subarray(6, 12);
  assert.deepEqual([...row.subarray(0, 4)], Array.from(Float32Array.of(0.6, 0.05, 0.15, 0.2)));
  assert(row.subarray(4).every((weight) => weight === 0));
});

test('interventions that a shorter text has no place for are dropped with a message', async () => {
  const edge = {layer: 1, head: 2, query: 1, key: 9, weight: 0};
  const interventions = {maskedTokens: [1, 9], edges: [edge], causal: true};
  const {dropped, pass} = await model.attend('time', {interventions});
  assert.deepEqual(
    dropped.map(({code, message}) => [code, message]),
    [
      ['token-beyond-text', 'token 9 is not masked: the text has 3 tokens'],
      [
        'edge-beyond-text',
        'the edge from token 1 to token 9 in layer 1, head 2 is not set: the text has 3 tokens',
      ],
    ],
  );
  assert.deepEqual(pass.changes?.maskedTokens, [1]);
  const behind = await model.attend('time', {interventions: {edges: [{...edge, key: 3}]}});
  assert.match(behind.dropped[0].message, /token 3 .* the text has 3 tokens$/);
  for (const given of [{maskedTokens: [0, 1, 2]}, {maskedTokens: [0], causal: true}]) {
    const attended = await model.attend('time', {interventions: given});
    assert.deepEqual(
      attended.dropped.map(({code}) => code),
      ['no-keys-left'],
    );
    assert((await model.pull(attended.pass, 'attention', [0, 0])).every(Number.isFinite));
  }
});

test('interventions stay the same through JSON', () => {
  const shape = {layers, heads};
  for (const interventions of golden) {
    const again = JSON.parse(JSON.stringify(interventions));
    assert.deepEqual(parseInterventions(again, shape), parseInterventions(interventions, shape));
  }
});

/**
 * @param {Attended} attended
 * @param {number} id
 */
async function probabilityAtMask(attended, id) {
  const [{top}] = await model.predictions(attended.pass, model.config.vocabulary);
  return /** @type {{probability: number}} */ (top.find((entry) => entry.id === id)).probability;
}

for (const interventions of [
  undefined,
  {layersOff: [1], heads: [{layer: 2, head: 0, scale: 0.5}]},
]) {
  test(`the effect of every head equals attending without it (${JSON.stringify(interventions)})`, async () => {
    const base = await model.attend(TEXT, {...OPTIONS, interventions});
    const [{top, index}] = await model.predictions(base.pass, 1);
    /** @type {number[]} */
    const told = [];
    const effects = await model.headEffects(base.pass, undefined, {
      onProgress: ({done, total}) => told.push(done / total),
    });
    assert.deepEqual(effects.target, {token: index, id: top[0].id});
    assert(Math.abs(effects.probability - top[0].probability) < 1e-6);
    assert.equal(told.length, layers * heads);
    assert.equal(told.at(-1), 1);
    let largest = 0;
    for (let layer = 0; layer < layers; layer++) {
      for (let head = 0; head < heads; head++) {
        const off = [...(interventions?.heads ?? []), {layer, head, scale: 0}];
        const without = await model.attend(TEXT, {
          ...OPTIONS,
          interventions: {...interventions, heads: off},
        });
        const probability = await probabilityAtMask(without, top[0].id);
        const change = effects.change[layer * heads + head];
        assert(Math.abs(change - (probability - top[0].probability)) < 1e-6);
        const logChange = Math.log(probability / top[0].probability);
        assert(Math.abs(effects.logChange[layer * heads + head] - logChange) < 1e-4);
        if (interventions?.layersOff.includes(layer)) assert.equal(change, 0);
        largest = Math.max(largest, Math.abs(change));
      }
    }
    assert(largest > 1e-3, `${largest}`);
  });
}

test('effects are measured on a class and on a chosen word', async () => {
  const classifier = await loadGolden('half-classifier');
  const {pass} = await classifier.attend('she sat on the mat');
  const effects = await classifier.headEffects(pass, {label: 2});
  const logits = await classifier.pull(pass, 'classifierLogits', [0]);
  const sum = logits.reduce((sum, logit) => sum + Math.exp(logit), 0);
  assert(Math.abs(effects.probability - Math.exp(logits[2]) / sum) < 1e-6);
  assert(effects.change.some((change) => Math.abs(change) > 1e-4));
  await assert.rejects(async () => classifier.headEffects(pass, undefined), {
    code: 'no-masked-lm-head',
  });
  classifier.dispose();

  const explained = /** @type {any} */ ({token: 1, id: 70, word: 'time'});
  const word = await model.headEffects(plain.pass, explained);
  assert.deepEqual(word.target, {token: 1, id: 70}, 'and takes no field of another call on');
  for (const [target, code] of /** @type {[any, string][]} */ ([
    [{token: 12}, 'bad-target'],
    [{token: 1, id: 101}, 'bad-target'],
    [{label: 0}, 'no-classifier'],
  ])) {
    await assert.rejects(async () => model.headEffects(plain.pass, target), {code});
  }
  const {pass: maskless} = await model.attend('time');
  await assert.rejects(async () => model.headEffects(maskless, undefined), {code: 'bad-target'});
});

test('effects on a masked word equal those on a text with the mask', async () => {
  const seen = await model.attend(TEXT.replace('[MASK]', 'banana'), OPTIONS);
  const [{index: token}] = await model.predictions(plain.pass, 1);
  const id = seen.pass.ids[token];
  const {change, probability} = await model.headEffects(seen.pass, {token, id, masked: true});
  const expected = await model.headEffects(plain.pass, {token, id});
  assert(Math.abs(probability - expected.probability) < 1e-6);
  change.forEach((each, at) => assert(Math.abs(each - expected.change[at]) < 1e-6));
  const visible = await model.headEffects(seen.pass, {token, id});
  assert.notEqual(visible.probability, probability);
});

test('an abort stops the effects and leaves the model unchanged', async () => {
  const controller = new AbortController();
  let done = 0;
  const effects = model.headEffects(plain.pass, undefined, {
    signal: controller.signal,
    onProgress: () => {
      if (++done === 3) controller.abort();
    },
  });
  await assert.rejects(effects, {name: 'AbortError'});
  assert(done < layers * heads);
  const again = await model.headEffects(plain.pass, undefined);
  assert.equal(again.change.length, layers * heads);
});
