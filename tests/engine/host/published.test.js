/** Compares with what transformers computed of a published model; tests/published makes the file and fetches weights. */

import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {after, before, test} from 'node:test';
import {createEngine} from '../../../web/engine/index.js';
import {loadModel} from '../../../scripts/cli/engine.mjs';
import {folderOf, models} from '../../published/prepare.mjs';
import {fromRoot, inChunks, largestDifference, readAll, readTensors} from '../support.js';
import {ThreadWorker} from '../thread-worker.js';

/** @import {Engine} from '../../../web/engine/index.js' */
/** @import {Tensor} from '../support.js' */

Object.assign(globalThis, {Worker: ThreadWorker});

const path = fromRoot('tests/golden/published.safetensors');
const tensors = await readTensors(path);
const {metadata} = await readAll(inChunks(new Uint8Array(readFileSync(path))));
/** @type {{text: string, ids: number[], tokens: string[]}[]} */
const texts = JSON.parse(metadata?.texts ?? '[]');
/** The places of the heads in the file: text, layer, head. */
const places = Object.keys(tensors)
  .filter((name) => name.endsWith('.attention'))
  .map((name) => name.split('.').slice(0, 3).map(Number));

/** @type {Engine} */
let engine;
before(async () => {
  engine = await createEngine({kernel: 'simd128'});
});
after(() => engine.dispose());

test('queries and keys of a published model give the attention that transformers computed', async () => {
  assert.equal(places.length, 20);
  for (const place of places) {
    const {queries, keys, attention} = partsOf(place);
    const weights = await engine.lab.softmax(await engine.lab.scores(queries, keys));
    const largest = largestDifference(weights.data, attention.data);
    assert(largest < 5e-6, `text ${place[0]}, head ${place[1]}-${place[2]}: off by ${largest}`);
  }
});

test('a published model gives the same tokens and attention as transformers', async (t) => {
  const model = models.find(({name}) => name === metadata?.model);
  assert(model);
  if (!existsSync(folderOf(model))) {
    t.diagnostic(`the weights of ${model.name} are absent; npm run check:published fetches them`);
    return;
  }
  const loaded = await loadModel(folderOf(model), 'f32');
  const passes = [];
  for (const {text, ids, tokens} of texts) {
    const attended = await loaded.attend(text);
    assert.deepEqual([attended.ids, attended.tokens], [ids, tokens]);
    passes.push(attended.pass);
  }
  for (const [text, layer, head] of places) {
    const weights = await loaded.pull(passes[text], 'attention', [layer, head]);
    const {attention} = partsOf([text, layer, head]);
    assert(largestDifference(weights, attention.data) < 1e-5);
  }
});

/** @param {number[]} place */
function partsOf(place) {
  const of = (/** @type {string} */ what) =>
    /** @type {any} */ (tensors[`${place.join('.')}.${what}`]);
  return {queries: of('queries'), keys: of('keys'), attention: of('attention')};
}
