import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import fc from 'fast-check';
import {classifyTokens} from '../../web/engine/text/token-classes.js';
import {statisticNames, statisticsOf} from '../../web/attention/head-statistics.js';
import {PYTHON} from '../support/python.js';

const script = fileURLToPath(
  new URL('../../scripts/reference/head_statistics.py', import.meta.url),
);

/** @param {Float32Array} weights @param {number} keys */
const rowsOf = (weights, keys) =>
  Array.from({length: weights.length / keys}, (_, i) => [
    ...weights.subarray(i * keys, (i + 1) * keys),
  ]);

/** Makes rows that sum to 1. @param {number} size @param {number} seed */
function randomWeights(size, seed) {
  const [numbers] = fc.sample(
    fc.array(fc.double({min: 0.001, max: 1, noNaN: true}), {
      minLength: size * size,
      maxLength: size * size,
    }),
    {seed, numRuns: 1},
  );
  const weights = Float32Array.from(numbers, (number) => number ** 4);
  for (let at = 0; at < weights.length; at += size) {
    const row = weights.subarray(at, at + size);
    const sum = row.reduce((total, weight) => total + weight, 0);
    row.forEach((weight, i) => (row[i] = weight / sum));
  }
  return weights;
}

for (const text of [
  '[CLS] the cat , the ban ##ana [SEP] The cat . [SEP]',
  '[CLS] time flies [SEP]',
  'no frame at all',
]) {
  test(`statistics of a head over “${text}” match NumPy’s`, () => {
    const tokens = text.split(' ');
    const weights = randomWeights(tokens.length, tokens.length);
    const attention = [[rowsOf(weights, tokens.length)]];
    const input = JSON.stringify({attention, tokens});
    const expected = JSON.parse(String(execFileSync(PYTHON, [script], {input})));
    const found = statisticsOf(weights, tokens.length, classifyTokens(tokens));
    assert.deepEqual([...statisticNames].sort(), Object.keys(expected).sort());
    for (const name of statisticNames) {
      // If no query counts, NumPy's script gives 0, and the map has no value.
      const off = Math.abs((found[name] ?? 0) - expected[name][0][0]);
      assert.ok(off < 1e-5, `${name}: ${found[name]}, expected ${expected[name]}`);
    }
  });
}

test('attention between two different texts has only statistics of how widely it spreads', () => {
  const weights = Float32Array.of(0.5, 0.25, 0.25, 1, 0, 0);
  assert.deepEqual(statisticsOf(weights, 3, null), {
    entropy: (1.5 * Math.LN2) / 2,
    breadth: (1.5 * Math.LN2) / Math.log(3) / 2,
  });
});
