import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {apart} from '../../web/workbench/spread-points.js';

const coordinate = fc.double({min: -100, max: 100, noNaN: true});
const points = fc.array(fc.record({x: coordinate, y: coordinate}, {noNullPrototype: true}), {
  maxLength: 144,
});

/** @param {{x: number, y: number}} a @param {{x: number, y: number}} b */
const between = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

test('points that are too close are pushed apart, and the others stay', () => {
  fc.assert(
    fc.property(points, (before) => {
      const after = apart(before, 9);
      after.forEach((point, i) => {
        for (const other of after.slice(i + 1)) assert.ok(between(point, other) >= 9);
      });
      const isFree = before.every((a, i) => before.every((b, j) => i === j || between(a, b) >= 9));
      if (isFree) assert.deepEqual(after, before);
      // Two points are pushed equally far, so that all together stay where they were.
      for (const axis of /** @type {const} */ (['x', 'y'])) {
        const sum = (/** @type {typeof after} */ of) => of.reduce((all, at) => all + at[axis], 0);
        assert.ok(Math.abs(sum(after) - sum(before)) < 1e-6);
      }
    }),
    {numRuns: 40},
  );
});

test('144 heads in one place are spread around that place', () => {
  const after = apart(
    Array.from({length: 144}, () => ({x: 5, y: 5})),
    9,
  );
  const farthest = Math.max(...after.map((point) => between(point, {x: 5, y: 5})));
  assert.ok(farthest < 90, `${farthest}`);
});
