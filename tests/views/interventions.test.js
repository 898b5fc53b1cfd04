import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {
  changesOf,
  fit,
  formatInterventions,
  isUntouched,
  noInterventions,
  parseInterventions,
  scaleOf,
  withEdge,
  withHead,
  withItem,
} from '../../web/elements/lab/interventions.js';
import {reached} from './reached-interventions.js';

test('An address brings back every change', () => {
  fc.assert(
    fc.property(reached, (interventions) => {
      const fields = new URLSearchParams(formatInterventions(interventions));
      const again = new URLSearchParams(String(fields));
      assert.deepEqual(parseInterventions(again), interventions);
    }),
  );
});

test('Any address is read, whatever it holds', () => {
  const names = ['off', 'unseen', 'edges', 'causal', 'temperature', 'scores'];
  const fields = fc.dictionary(fc.constantFrom(...names), fc.string());
  fc.assert(
    fc.property(fields, (fields) => {
      const read = parseInterventions(new URLSearchParams(fields));
      const numbers = [
        read.temperature,
        ...read.heads.map(({scale}) => scale),
        ...read.edges.map(({weight}) => weight),
      ];
      assert.ok(numbers.every(Number.isFinite), JSON.stringify(read));
      const formatted = new URLSearchParams(formatInterventions(read));
      assert.deepEqual(parseInterventions(formatted), read);
    }),
  );
});

test('Bad fields are left out, good ones beside them kept', () => {
  const fields = 'off=2,x,3.1,4.0x-1,4.2x0.5,5.&unseen=3.-1.a.7&edges=0.1.2.3x2,0.1.2.3x0.25r';
  const read = parseInterventions(new URLSearchParams(`${fields}&temperature=NaN&scores=odd`));
  assert.deepEqual(read, {
    ...noInterventions,
    layersOff: [2],
    heads: [
      {layer: 3, head: 1, scale: 0},
      {layer: 4, head: 2, scale: 0.5},
    ],
    maskedTokens: [3, 7],
    edges: [{layer: 0, head: 1, query: 2, key: 3, weight: 0.25, renormalise: true}],
  });
});

test('Taking back every change leaves the model untouched', () => {
  fc.assert(
    fc.property(reached, (interventions) => {
      let left = interventions;
      for (let count = changesOf(interventions).length; count > 0; count--) {
        assert.equal(changesOf(left).length, count);
        left = changesOf(left)[0].without;
      }
      assert.ok(isUntouched(left));
      assert.deepEqual(left, noInterventions);
    }),
  );
});

test('A head has one scale, and 1 is none', () => {
  const off = withHead(noInterventions, {layer: 3, head: 1, scale: 0});
  assert.equal(scaleOf(off, 3, 1), 0);
  assert.equal(scaleOf(off, 1, 3), 1);
  const half = withHead(off, {layer: 3, head: 1, scale: 0.5});
  assert.deepEqual(half.heads, [{layer: 3, head: 1, scale: 0.5}]);
  assert.ok(isUntouched(withHead(half, {layer: 3, head: 1, scale: 1})));
});

test('What a smaller model has no place for is dropped', () => {
  const fields = 'off=2,7,3.1,3.9&unseen=3.12&edges=0.1.2.3x0.5,0.8.2.3x0.5&causal=1';
  const read = parseInterventions(new URLSearchParams(fields));
  assert.deepEqual(fit(read, {layers: 6, heads: 8}), {
    ...read,
    layersOff: [2],
    heads: [{layer: 3, head: 1, scale: 0}],
    edges: [read.edges[0]],
  });
});
