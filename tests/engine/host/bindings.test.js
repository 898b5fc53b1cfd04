/** Tests the wasm module by itself: whatever it is called with, it answers or returns an error. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {NO_CHANGES} from '../../../web/engine/interventions.js';
import {
  begin,
  CLASSES,
  config,
  failureOf,
  IDS,
  kernels,
  LENGTHS,
  module,
  runModel,
  TYPES,
} from './bare-module.js';

/** @import {Failure} from '../../../web/engine/wasm-module.d.ts' */

test('invalid token ids, types and lengths are refused, and the latest pass stays readable', () => {
  const model = runModel();
  const before = model.attention(0, 1, 2);
  const lists = /** @type {const} */ (['ids', 'types', 'lengths']);
  const good = {ids: IDS, types: TYPES, lengths: LENGTHS};
  for (const [name, value] of /** @type {[typeof lists[number], unknown][]} */ ([
    ...lists.flatMap((name) =>
      [undefined, null, 4, {}, {length: -4}, {length: 1e12}].map((value) => [name, value]),
    ),
    ['ids', Int32Array.of()],
    ['ids', Int32Array.of(2, 7, 9)],
    ['ids', Int32Array.of(2, 7, -9, 3)],
    ['ids', Int32Array.of(2, 7, 101, 3)],
    ['ids', [2, 7, 2 ** 32 + 9, 3]], // 9, if it wrapped around
    ['ids', [2, 7, 9.5, 3]],
    ['ids', Float64Array.of(2, 7, 2 ** 40, 3)],
    ['types', Int32Array.of(0, 0, 0)],
    ['types', Int32Array.of(0, 0, 0, 1, 1)],
    ['types', Int32Array.of(0, 0, 0, 2)],
    ['types', Int32Array.of(0, 0, 0, -1)],
    ['lengths', Int32Array.of()],
    ['lengths', Int32Array.of(-4)],
    ['lengths', Int32Array.of(0)],
    ['lengths', Int32Array.of(5)],
    ['lengths', Int32Array.of(2, 3, 1)],
    ['lengths', [2 ** 32 + 4]],
  ])) {
    const {ids, types, lengths} = /** @type {any} */ ({...good, [name]: value});
    const failure = failureOf(model.start(ids, types, lengths, NO_CHANGES));
    assert.match(failure.code, /invalid-input|out-of-memory/, `${name} ${value}`);
  }
  for (const ids of [undefined, [], [101], [-1], [2 ** 32], [NaN], {length: 1e12}]) {
    const failure = failureOf(model.wordEmbeddings(/** @type {any} */ (ids)));
    assert.match(failure.code, /invalid-input|out-of-memory/);
  }
  assert.deepEqual(model.attention(0, 1, 2), before);
  model.delete();
});

test('invalid interventions are refused, and the latest pass stays readable', () => {
  const model = runModel();
  const before = model.attention(0, 1, 2);
  const edge = {layer: 0, head: 0, query: 0, key: 0, weight: 0.5, renormalise: false};
  for (const changes of /** @type {any[]} */ ([
    ...[undefined, null, 5, 'none', []],
    ...[undefined, null, 5, {}, {length: 2 ** 31}, {length: 2 ** 32}].map((heads) => ({
      ...NO_CHANGES,
      heads,
    })),
    ...[null, 5, {layer: 0}, {layer: 0, head: 2 ** 32, scale: 1}, {layer: 0, head: 0}].map(
      (head) => ({...NO_CHANGES, heads: [head]}),
    ),
    ...[undefined, [undefined], [{...edge, key: -1}], [{...edge, query: 0.5}]].map((edges) => ({
      ...NO_CHANGES,
      edges,
    })),
    ...[[-1], [2 ** 32], [0.5], ['0'], [null]].map((layersOff) => ({...NO_CHANGES, layersOff})),
    ...[[4], [2 ** 32], [NaN]].map((maskedTokens) => ({...NO_CHANGES, maskedTokens})),
    ...[[1], [1, 1, 'x'], [1, 1, 0], [1, 1, 1, 1]].map((layerTemperature) => ({
      ...NO_CHANGES,
      layerTemperature,
    })),
  ])) {
    for (const result of [model.change(changes), model.start(IDS, TYPES, LENGTHS, changes)]) {
      const failure = failureOf(result);
      assert.match(failure.code, /invalid-input|out-of-range/, JSON.stringify(changes));
    }
  }
  assert.deepEqual(model.attention(0, 1, 2), before);
  model.delete();
});

test('invalid patches are refused, and the latest pass stays readable', () => {
  const model = runModel();
  const before = model.attention(0, 1, 2);
  const some = [{layer: 0, token: 0}];
  assert.match(
    failureOf(model.change({...NO_CHANGES, patches: some})).message,
    /a pass that they come from, found none/,
  );
  for (const bad of [-1, 0.5, 1, 2 ** 32, NaN]) {
    assert.equal(failureOf(model.keep(bad)).code, 'out-of-range');
  }
  assert.equal(model.keep(0), null);
  for (const patches of /** @type {any[]} */ ([
    ...[null, 5, {}, {length: 2 ** 32}, [null], [{}], [{layer: 0}]],
    ...[
      {layer: 4, token: 0},
      {layer: 0, token: 4},
      {layer: -1, token: 0},
    ].map((each) => [each]),
    ...[
      {layer: 3, head: 0},
      {layer: 0, head: 5},
      {layer: 0, head: null},
    ].map((each) => [each]),
    [{layer: 0, head: 0, token: 4}],
    [...some, ...some],
  ])) {
    const failure = failureOf(model.change({...NO_CHANGES, patches}));
    assert.match(failure.code, /invalid-input|out-of-range/, JSON.stringify(patches));
  }
  assert.deepEqual(model.attention(0, 1, 2), before);
  assert.equal(model.change({...NO_CHANGES, patches: some}), null);
  assert.equal(model.layersDone(), 0);
  model.delete();
});

test('every function refuses an index that does not exist', () => {
  const model = runModel();
  const flow = new module.Flow();
  const heads = new module.Heads(config.layers, config.heads, true);
  assert.equal(failureOf(flow.row(0)).code, 'not-available');
  /** @typedef {(...indices: number[]) => unknown} Call */
  /** @type {[Call, number[]][]} */
  const calls = [];
  for (const [count, names] of /** @type {const} */ ([
    [3, ['attention', 'queries', 'keys', 'values', 'headNorms', 'wordLogits']],
    [2, ['layerNorms', 'rollout', 'hiddenStates']],
    [1, ['poolerOutput', 'tensorBytes']],
  ])) {
    for (const name of names) {
      calls.push([/** @type {Call} */ (model[name].bind(model)), Array(count).fill(0)]);
    }
  }
  calls.push([(sequence, layer) => model.beginFlow(flow, sequence, layer), [0, 0]]);
  calls.push([(sequence) => model.addTo(heads, sequence, CLASSES), [0]]);
  for (const [call, indices] of calls) {
    const {message} = /** @type {Partial<Failure>} */ (call(...indices) ?? {});
    assert.equal(message, undefined);
    for (const at of indices.keys()) {
      for (const bad of [-1, 0.5, 1000, 2 ** 32, 2 ** 32 + 1, 2 ** 53, NaN, Infinity, undefined]) {
        const failure = failureOf(call(...indices.with(at, /** @type {number} */ (bad))));
        assert.equal(failure.code, 'out-of-range', `${bad} at ${at} of ${call}`);
      }
    }
  }
  assert.equal(model.beginFlow(flow, 0, 1), null);
  for (const bad of [-1, 0.5, 4, 2 ** 32, NaN]) {
    assert.equal(failureOf(flow.row(bad)).code, 'out-of-range');
  }
  assert.equal(/** @type {Float32Array} */ (flow.row(3)).length, 4);
  for (const bad of [-1, 0.5, 3, 2 ** 32]) {
    assert.equal(failureOf(model.runLayer(bad)).code, 'out-of-range');
    assert.equal(failureOf(model.attendLayer(bad)).code, 'out-of-range');
  }
  for (const each of [flow, heads, model]) each.delete();
});

test('an explanation refuses answers that do not exist, and steps without a pass', () => {
  const model = runModel();
  const explanation = new module.Explanation();
  /** @type {any} */
  let baseline = IDS;
  const begin_ = (/** @type {any} */ answer, /** @type {any} */ method = 'alti', sequence = 0) =>
    model.beginExplanation(explanation, sequence, method, answer, baseline, null);
  assert.equal(failureOf(explanation.step()).code, 'not-available');
  assert.equal(failureOf(explanation.result()).code, 'not-available');
  for (const bad of [-1, 0.5, 1000, 2 ** 32, 2 ** 53, NaN, undefined, 'x']) {
    assert.equal(failureOf(begin_({kind: 'word', token: bad, id: 0})).code, 'out-of-range');
    assert.equal(failureOf(begin_({kind: 'word', token: 0, id: bad})).code, 'out-of-range');
  }
  assert.equal(failureOf(begin_({kind: 'class', label: 0})).code, 'not-available');
  assert.equal(failureOf(begin_({kind: 'vector'}, 'lime')).code, 'invalid-input');
  assert.equal(failureOf(begin_({kind: 'vector'}, 'alti', 1)).code, 'out-of-range');
  for (const bad of [null, 5, [], [2, 7, 9], [2, 7, 101, 3], [2, 7, 0.5, 3], {length: 1e12}]) {
    baseline = bad;
    const failure = failureOf(begin_({kind: 'vector'}, 'integrated-gradients'));
    assert.match(failure.code, /invalid-input|out-of-memory/, JSON.stringify(bad));
  }
  baseline = IDS;
  assert.equal(begin_({kind: 'vector'}, 'integrated-gradients'), null);
  assert.equal(begin_({kind: 'word', token: 1, id: 2}), null);
  assert.equal(failureOf(explanation.result()).code, 'not-available');
  while (explanation.step() === true);
  assert.equal(explanation.step(), false);
  assert.equal(/** @type {any} */ (explanation.result()).contributions.length, 4);
  assert.equal(failureOf(explanation.result()).code, 'not-available');
  for (const each of [explanation, model]) each.delete();
});

test('the classes of tokens are refused unless there is one of each for every token', () => {
  const model = runModel();
  const heads = new module.Heads(config.layers, config.heads, false);
  for (const changes of /** @type {any[]} */ ([
    {kinds: Uint8Array.of(1, 0, 0)},
    {kinds: Uint8Array.of(1, 0, 4, 2)},
    {kinds: [1, 0, -1, 2]},
    {kinds: [1, 0, 256, 2]},
    {kinds: undefined},
    {words: Int32Array.of(-1, 0, 1, -1, 5)},
    {words: [0, 1, 2, 2 ** 32]},
    {occurrences: Int32Array.of()},
    {occurrences: null},
    {kinds: new Uint8Array(3), words: new Int32Array(3), occurrences: new Int32Array(3)},
  ])) {
    const failure = failureOf(model.addTo(heads, 0, {...CLASSES, ...changes}));
    assert.match(failure.code, /shape-mismatch|invalid-input|out-of-range/);
  }
  for (const classes of /** @type {any[]} */ ([undefined, null, 5, {}])) {
    assert.equal(failureOf(model.addTo(heads, 0, classes)).code, 'invalid-input');
  }
  const {self} = /** @type {Record<string, Float32Array>} */ (heads.means());
  assert(self.every((value) => value === 0)); // none was counted
  assert.equal(model.addTo(heads, 0, CLASSES), null);
  for (const each of [heads, model]) each.delete();
});

test('head statistics of another model, and of more heads than fit in memory, are refused', () => {
  const model = runModel();
  for (const [layers, heads, code] of /** @type {[number, number, string][]} */ ([
    [3, 0, 'shape-mismatch'],
    [0, 5, 'shape-mismatch'],
    [5, 3, 'shape-mismatch'],
    // 2^32 pairs of heads, a number that 32 bits wrap around to 0.
    [1024, 64, 'out-of-memory'],
    [2 ** 24, 2 ** 24, 'out-of-memory'],
    [-1, 5, 'out-of-memory'],
    [3, 2 ** 32 + 5, 'out-of-memory'],
    [1.5, 5, 'out-of-memory'],
  ])) {
    const sums = new module.Heads(layers, heads, true);
    assert.equal(failureOf(model.addTo(sums, 0, CLASSES)).code, code, `${layers} ${heads}`);
    for (const result of [sums.means(), sums.names(), sums.map()]) {
      if (code === 'out-of-memory') assert.equal(failureOf(result).code, code);
    }
    sums.delete();
  }
  model.delete();
});

test('a model runs although a number for each pair of its heads does not fit in memory', () => {
  const large = {family: 'albert', embeddingSize: 64, hiddenSize: 64, heads: 64, layers: 1024};
  const sizes = {...large, layerGroups: 1, intermediateSize: 1, vocabulary: 8, positions: 4};
  const model = new module.Model(kernels);
  assert.equal(begin(model, {...sizes, tokenTypes: 1}), null);
  const missing = failureOf(model.finish()).message.replace('the weights: missing ', '');
  assert.equal(begin(model, {...sizes, tokenTypes: 1}), null);
  for (const name of missing.split(', ')) {
    const {message} = failureOf(model.beginTensor(name, 'F32', []));
    const shape = /** @type {number[]} */ (JSON.parse(/shape (\[.*?\])/.exec(message)?.[1] ?? ''));
    assert.equal(model.beginTensor(name, 'F32', shape), true);
    const bytes = 4 * shape.reduce((product, size) => product * size);
    assert.equal(model.append(new Uint8Array(bytes)), null);
    assert.equal(model.endTensor(), null);
  }
  assert.equal(model.finish(), null);
  const one = Int32Array.of(1);
  assert.equal(model.start(one, Int32Array.of(0), one, NO_CHANGES), null);
  for (let layer = 0; layer < 1024; layer++) assert.equal(model.runLayer(layer), null);
  const heads = new module.Heads(1024, 64, true);
  const classes = {kinds: Uint8Array.of(0), words: one, occurrences: one};
  assert.equal(failureOf(model.addTo(heads, 0, classes)).code, 'out-of-memory');
  for (const each of [heads, model]) each.delete();
});

test('rows that workers share are moved where they fit, and refused elsewhere', () => {
  const model = runModel();
  const before = model.attention(0, 1, 2);
  const size = 2 * 3 * config.hiddenSize;
  const taken = /** @type {Float32Array} */ (model.moveRows(true, false, 1, 1, 3, null));
  assert.equal(taken.length, size);
  assert.deepEqual(model.moveRows(false, false, 1, 1, 3, taken), taken);
  const moves = /** @type {any} */ (model.moveRows.bind(model));
  assert.equal(failureOf(moves(false, false, 1, 1, 3, null)).code, 'invalid-input');
  for (const takes of [true, false]) {
    for (const array of [undefined, 4, {}, [1], {length: 1e12}, new Float32Array(size - 1)]) {
      const {code} = failureOf(moves(takes, false, 1, 1, 3, array));
      assert.match(code, /invalid-input|out-of-range/);
    }
    for (const place of [
      [-1, 0, 1],
      [3, 0, 1],
      [0, 4, 1],
      [0, 3, 2],
      [0, NaN, 1],
      [2 ** 32, 0, 1],
    ]) {
      assert.equal(failureOf(moves(takes, true, ...place, null)).code, 'out-of-range');
    }
  }
  for (const step of /** @type {const} */ (['projectRows', 'queryRows', 'finishRows'])) {
    assert.equal(failureOf(model[step](0, 4)).code, 'out-of-range'); // the pass has ended
  }
  assert.deepEqual(model.attention(0, 1, 2), before);
  model.delete();
  const empty = new module.Model(kernels);
  assert.equal(failureOf(empty.moveRows(true, false, 0, 0, 1, null)).code, 'not-available');
  assert.equal(failureOf(empty.projectRows(0, 1)).code, 'not-available');
  empty.delete();
});
