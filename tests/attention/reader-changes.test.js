import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {
  formatChanges,
  parseChanges,
  readChanges,
} from '../../web/attention/reader-change-fields.js';
import {
  changesOf,
  toInterventions,
  hasPlace,
  isOff,
  isUntouched,
  noReaderChanges,
  withoutUnknownPlaces,
  scaleOf,
  temperatureOf,
  withHead,
  withTemperature,
} from '../../web/attention/reader-changes.js';
import {beyondModel} from '../../web/page/state-beyond-model.js';
import {reached} from '../support/reached-changes.js';
import {callsIn} from '../support/work.js';

test('an address brings back every change', () => {
  fc.assert(
    fc.property(reached, (interventions) => {
      const fields = new URLSearchParams(formatChanges(interventions));
      const again = new URLSearchParams(String(fields));
      assert.deepEqual(parseChanges(again), interventions);
    }),
  );
});

test('any address is read without an error', () => {
  const names = ['off', 'unseen', 'edges', 'causal', 'temperature', 'scores'];
  const fields = fc.dictionary(fc.constantFrom(...names), fc.string());
  fc.assert(
    fc.property(fields, (fields) => {
      const read = parseChanges(new URLSearchParams(fields));
      const numbers = [
        read.temperature,
        ...read.layerTemperatures.map(({temperature}) => temperature),
        ...read.heads.map(({scale}) => scale),
        ...read.edges.map(({weight}) => weight),
      ];
      assert.ok(numbers.every(Number.isFinite), JSON.stringify(read));
      const formatted = new URLSearchParams(formatChanges(read));
      assert.deepEqual(parseChanges(formatted), read);
    }),
  );
});

test('bad fields are left out, and good ones beside them are kept', () => {
  const fields = 'off=2,x,3.1,4.0x-1,4.2x0.5,5.&unseen=3.-1.a.7&edges=0.1.2.3x2,0.1.2.3x0.25r';
  const read = parseChanges(new URLSearchParams(`${fields}&temperature=NaN&scores=odd`));
  assert.deepEqual(read, {
    ...noReaderChanges,
    layersOff: [2],
    heads: [
      {layer: 3, head: 1, scale: 0},
      {layer: 4, head: 2, scale: 0.5},
    ],
    maskedTokens: [3, 7],
    edges: [{layer: 0, head: 1, query: 2, key: 3, weight: 0.25, renormalise: true}],
  });
});

test('taking back every change leaves the model untouched', () => {
  fc.assert(
    fc.property(reached, (interventions) => {
      let left = interventions;
      while (changesOf(left).length) {
        const {length} = changesOf(left);
        left = changesOf(left)[0].without;
        assert.ok(changesOf(left).length < length);
      }
      assert.ok(isUntouched(left));
      assert.deepEqual(left, noReaderChanges);
    }),
  );
});

test('the parts of an encoder-decoder have heads and edges of their own, also in an address', () => {
  const fields = 'off=3.1,cross:3.1,decoder:0.2x0.5&edges=cross:0.1.4.5x0r,0.1.4.5x1';
  const {changes: interventions, unread} = readChanges(new URLSearchParams(fields));
  assert.deepEqual(unread, []);
  assert.equal(scaleOf(interventions, {layer: 0, head: 2}), 1);
  assert.equal(scaleOf(interventions, {layer: 0, head: 2, part: 'decoder'}), 0.5);
  assert.ok(isOff(interventions, {layer: 3, head: 1, part: 'cross'}));
  const on = withHead(interventions, {layer: 3, head: 1, scale: 1, part: 'cross'});
  assert.ok(isOff(on, {layer: 3, head: 1}) && !isOff(on, {layer: 3, head: 1, part: 'cross'}));
  assert.deepEqual(interventions.edges, [
    {layer: 0, head: 1, query: 4, key: 5, weight: 0, renormalise: true, part: 'cross'},
    {layer: 0, head: 1, query: 4, key: 5, weight: 1, renormalise: false},
  ]);
  const written = new URLSearchParams(formatChanges(interventions));
  assert.deepEqual(readChanges(written).changes, interventions);

  const shape = {layers: 6, heads: 8};
  assert.equal(withoutUnknownPlaces(interventions, {shape}).heads.length, 1);
  const small = {shape, decoderShape: {layers: 2, heads: 4}};
  assert.deepEqual(
    withoutUnknownPlaces(interventions, small).heads.map(({part}) => part),
    ['decoder', undefined],
  );
  assert.deepEqual(readChanges(new URLSearchParams('off=cross:3,encoder:3.1')).unread, [
    'off=cross:3',
    'off=encoder:3.1',
  ]);
});

test('a head has one scale, and a scale of 1 is no change', () => {
  const off = withHead(noReaderChanges, {layer: 3, head: 1, scale: 0});
  assert.equal(scaleOf(off, {layer: 3, head: 1}), 0);
  assert.equal(scaleOf(off, {layer: 1, head: 3}), 1);
  const half = withHead(off, {layer: 3, head: 1, scale: 0.5});
  assert.deepEqual(half.heads, [{layer: 3, head: 1, scale: 0.5}]);
  assert.ok(isUntouched(withHead(half, {layer: 3, head: 1, scale: 1})));
});

test('changes of an address that cannot be made are named word for word', () => {
  const fields =
    'off=2,x,3.1x-1&unseen=3.-1&edges=0.1.2.3x2&causal=2&temperature=NaN,-1,0.5,3:0,4:2&scores=odd';
  assert.deepEqual(readChanges(new URLSearchParams(fields)), {
    changes: {
      ...noReaderChanges,
      layersOff: [2],
      maskedTokens: [3],
      temperature: 0.5,
      layerTemperatures: [{layer: 4, temperature: 2}],
    },
    unread: [
      ...['off=x', 'off=3.1x-1', 'unseen=-1', 'edges=0.1.2.3x2', 'causal=2'],
      ...['temperature=NaN', 'temperature=-1', 'temperature=3:0', 'scores=odd'],
    ],
  });
});

test('a layer’s own temperature replaces that of all layers', () => {
  const shape = {layers: 3, heads: 2};
  const one = withTemperature(noReaderChanges, 2, 1);
  assert.equal(String(new URLSearchParams(formatChanges(one))), 'temperature=1%3A2');
  assert.deepEqual(toInterventions(one, {shape}).temperature, {0: 1, 1: 2, 2: 1});
  const both = withTemperature(one, 0.5);
  assert.deepEqual([temperatureOf(both, 0), temperatureOf(both, 1)], [0.5, 2]);
  assert.deepEqual(toInterventions(both, {shape}).temperature, {0: 0.5, 1: 2, 2: 0.5});
  assert.deepEqual(withTemperature(both, 0.5, 1).layerTemperatures, []);
  assert.equal(toInterventions(withTemperature(noReaderChanges, 2, 7), {shape}).temperature, 1);
});

test('changes that a smaller model has no place for are dropped', () => {
  const fields = 'off=2,7,3.1,3.9&unseen=3.12&edges=0.1.2.3x0.5,0.8.2.3x0.5&causal=1';
  const read = parseChanges(new URLSearchParams(fields));
  const shape = {layers: 6, heads: 8};
  const {layerTemperatures, ...plain} = read;
  assert.deepEqual(layerTemperatures, []);
  assert.deepEqual(toInterventions(read, {shape}), {
    ...plain,
    layersOff: [2],
    heads: [{layer: 3, head: 1, scale: 0}],
    edges: [read.edges[0]],
  });
  assert.equal(changesOf(read).filter((change) => !hasPlace(change, {shape})).length, 3);
});

test('the work for an address grows as its changes do', async () => {
  const shape = {layers: 6, heads: 8};
  const use = (/** @type {number} */ count) => {
    const items = (/** @type {(at: number) => string} */ item) => Array.from({length: count}, (_, at) => item(at)); // prettier-ignore
    const {changes: interventions, unread} = readChanges(
      new URLSearchParams({
        off: items((at) => `${at % 1000}.${Math.floor(at / 1000)}`).join(','),
        unseen: items(String).join('.'),
        edges: items((at) => `9.0.${at}.0x0.5`).join(','),
      }),
    );
    assert.deepEqual(unread, []);
    assert.equal(changesOf(interventions).length, 3 * count);
    assert.equal(withoutUnknownPlaces(interventions, {shape}).edges.length, 0);
    const [first] = changesOf(interventions);
    assert.equal(changesOf(first.without).length, 3 * count - 1);
    beyondModel(/** @type {any} */ ({interventions}), {available: shape, model: {shape}});
  };
  use(10);
  const [few, many] = [await callsIn(() => use(100)), await callsIn(() => use(1000))];
  assert(many < 12 * few, `${few} calls for 100 changes of each kind, ${many} for 1000`);
});

test('of more changes than any reader sees, the first are read', () => {
  const edges = Array.from({length: 2 ** 20}, (_, at) => `0.0.${at >> 10}.${at % 1024}x0.5`);
  const {changes: interventions, unread} = readChanges(
    new URLSearchParams({edges: edges.join(',')}),
  );
  assert.equal(interventions.edges.length, 2 ** 14);
  assert.equal(unread.length, 1);
  assert.match(unread[0], /^edges=0\.0\.16\.0x0\.5,0\.0\.16\.1x0\.5,/);
});
