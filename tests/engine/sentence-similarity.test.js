/** Tests which pairs of tokens make two texts similar. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {loadModel} from '../../scripts/cli/engine.mjs';
import {defaultModel} from '../../scripts/cli/source.mjs';
import {similarityGrid} from '../../web/engine/host/similarity-grid.js';
import {sentences} from './sentences.js';
import {loadGolden} from './support.js';

/** @import {LoadedModel} from '../../web/engine/host/loaded-model.js' */

const embedded = await loadModel(await defaultModel());

/** @param {LoadedModel} model @param {string} a @param {string} b */
async function similarityOf(model, a, b) {
  const [first, second] = [await model.attend(a), await model.attend(b)];
  const found = await model.sentenceSimilarity(first.pass, second.pass);
  assert.equal(found.grid.length, first.tokens.length * second.tokens.length);
  return {...found, width: second.tokens.length};
}

const sumOf = (/** @type {Float32Array} */ grid) => grid.reduce((sum, cell) => sum + cell, 0);

test('the cells of the grid sum to the cosine', async () => {
  const camembert = await loadGolden('camembert');
  for (const [model, texts] of /** @type {const} */ ([
    [embedded, sentences.slice(0, 5)],
    [camembert, ['the cat sat', 'a mat', 'to']],
  ])) {
    for (const a of texts) {
      for (const b of texts) {
        const {cosine, grid} = await similarityOf(model, a, b);
        assert(Math.abs(sumOf(grid) - cosine) <= 1e-6, `${a}, ${b}: ${sumOf(grid) - cosine}`);
        if (a === b) assert(Math.abs(cosine - 1) < 1e-12);
      }
    }
  }
  camembert.dispose();
});

test('a cell is the product of two tokens’ hidden states over the lengths of the vectors', async () => {
  const [a, b] = ['a cat sat', 'the dog'];
  const {grid, cosine, width} = await similarityOf(embedded, a, b);
  const {layers, hiddenSize} = embedded.shape;
  const states = [];
  for (const text of [a, b]) {
    const {pass} = await embedded.attend(text);
    const rows = await embedded.pull(pass, 'hiddenStates', [layers]);
    states.push(
      Array.from({length: rows.length / hiddenSize}, (_, token) =>
        Array.from(rows.slice(token * hiddenSize, (token + 1) * hiddenSize)),
      ),
    );
  }
  const product = (/** @type {number[]} */ x, /** @type {number[]} */ y) =>
    x.reduce((sum, value, at) => sum + value * y[at], 0);
  const means = states.map((rows) =>
    rows[0].map((_, at) => rows.reduce((sum, row) => sum + row[at], 0) / rows.length),
  );
  const lengths = means.map((mean) => Math.sqrt(product(mean, mean)));
  const expected = product(means[0], means[1]) / lengths[0] / lengths[1];
  assert(Math.abs(cosine - expected) < 1e-6);
  const cell = product(states[0][1], states[1][2]) / lengths[0] / lengths[1] / 5 / 4;
  assert(Math.abs(grid[1 * width + 2] - cell) < 1e-7);
});

test('swapping the texts transposes the grid', async () => {
  const [one, other] = [
    await similarityOf(embedded, 'a cat', 'the dog sat'),
    await similarityOf(embedded, 'the dog sat', 'a cat'),
  ];
  assert.equal(one.cosine, other.cosine);
  assert.equal(one.grid[1 * one.width + 2], other.grid[2 * other.width + 1]);
});

test('a grid that is aborted stops', async () => {
  const {pass} = await embedded.attend('a cat');
  const signal = AbortSignal.abort();
  await assert.rejects(embedded.sentenceSimilarity(pass, pass, {signal}), {name: 'AbortError'});
});

test('a sentence vector that is zero has the cosine 1 that it has elsewhere, and so have its cells', async () => {
  const zeros = new Float32Array(4);
  const found = await similarityGrid(zeros, Float32Array.of(1, 2, 3, 4), 2);
  assert.deepEqual(found, {cosine: 1, grid: new Float32Array(4).fill(0.25)});
});
