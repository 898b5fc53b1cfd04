/** Tests the check of bert-base against the figures of lesson 5: its comparison, and the command. */

import assert from 'node:assert/strict';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {compare} from '../../scripts/check/figures.mjs';
import {parseConfig} from '../../web/engine/files/model-config.js';
import {modelTree} from '../../web/engine/client/model-tree.js';
import {fromRoot, safetensors} from '../engine/support.js';
import {embedded} from '../support/embedded-model.js';
import {runScript, scratch} from './support.js';

/** @import {Expected} from '../../scripts/check/figures.mjs' */
/** @import {ModelNode} from '../../web/engine/client/model-tree.js' */

/** @type {Expected} */
const expected = JSON.parse(readFileSync(fromRoot('scripts/check/bert-base.json'), 'utf8'));
const count = expected.figures.reduce((sum, {values}) => sum + values.flat().length, 0);
const tokens = expected.tokens.length;

/** Makes the results of a model that gives every printed figure, with 0 elsewhere. */
function foundAsPrinted() {
  /** @type {Map<string, Float32Array>} */
  const heads = new Map();
  const matrixOf = (/** @type {number} */ layer, /** @type {number} */ head) => {
    const name = `${layer}.${head}`;
    const matrix = heads.get(name) ?? new Float32Array(tokens * tokens);
    heads.set(name, matrix);
    return matrix;
  };
  for (const {layer, head, queries, keys, values} of expected.figures) {
    for (const index of head === 'mean' ? Array(12).keys() : [head]) {
      const matrix = matrixOf(layer, index);
      values.forEach((row, r) =>
        row.forEach((value, c) => (matrix[queries[r] * tokens + keys[c]] = value)),
      );
    }
  }
  const {ids, decoded, shape} = expected;
  /** @param {number} layer @param {number} head */
  const attention = async (layer, head) => matrixOf(layer, head);
  return {ids, decoded, shape, attention};
}

test('the expected figures are complete, with 20 ids and 0.683 from “me” to “told”', () => {
  assert.equal(expected.ids.length, 20);
  assert.equal(count, 36 + 18 + 3 + 200 + 200);
  const objects = expected.figures.find(({layer, head}) => layer === 7 && head === 9);
  assert.equal(
    objects?.values[expected.tokens.indexOf('me')][expected.tokens.indexOf('told')],
    0.683,
  );
  for (const {decimals, values} of expected.figures) {
    // The tables have whole rows, which sum to 1 up to the rounding of three decimals.
    if (decimals !== 3) continue;
    for (const row of values) {
      assert(Math.abs(row.reduce((sum, value) => sum + value) - 1) < 20 * 0.0005);
    }
  }
});

test('printed figures do not differ from themselves, and one figure off by a unit gives one sentence', async () => {
  const found = foundAsPrinted();
  const {compared, differences} = await compare(expected, found);
  assert.deepEqual(differences, []);
  assert.equal(compared, count + 5 + 2);

  const matrix = await found.attention(7, 9);
  matrix[4 * tokens + 3] = 0.6836; // rounds to 0.684
  matrix[0] += 0.00049; // rounds to the printed figure
  assert.deepEqual((await compare(expected, found)).differences, [
    'layer 7, head 9 (head 8-10: objects to their verbs), “me” → “told”: expected 0.683, found 0.68360 (off by 0.00060)',
  ]);
  const {differences: tolerated, largest} = await compare(expected, found, 0.001);
  assert.deepEqual(tolerated, []);
  assert(Math.abs(largest - 0.0006) < 1e-6);

  const first = await found.attention(0, 0);
  first[0] = 0.0366; // the printed figure has five digits, 3.6568e-02
  const [difference] = (await compare(expected, found)).differences;
  assert.match(
    difference,
    /layer 0, head 0, “\[CLS\]” → “\[CLS\]”: expected 0\.036568, found 0\.0366/,
  );
});

test('the check of another model prints each difference and exits with status 1', async () => {
  const {code, stdout, stderr} = await check([embedded.path]);
  assert.equal(code, 1, stderr);
  assert.match(stdout, new RegExp(`^hiddenSize: expected 768, found ${embedded.hidden}$`, 'm'));
  assert.match(stdout, /^ids: expected 101,2026,.* found /m);
  assert.match(stdout, new RegExp(`^${count} figures: not compared`, 'm'));
});

test('the check of random weights with bert-base’s ids names each of the figures that differ', async () => {
  const folder = join(scratch, 'random');
  mkdirSync(folder);
  writeRandomModel(folder);
  const {code, stdout, stderr} = await check([folder]);
  assert.equal(code, 1, stderr);
  const lines = stdout.trim().split('\n');
  assert(!lines.some((line) => /^(ids|decoded|layers|heads)/.test(line)), lines[0]);
  assert.match(stdout, /^hiddenSize: expected 768, found 24$/m);
  assert.match(
    stdout,
    /head 8-10.*“me” → “told”: expected 0\.683, found 0\.\d+ \(off by 0\.\d+\)$/m,
  );
  const told = Number(/random, f32: 464 compared, (\d+) differ; the farthest/.exec(stdout)?.[1]);
  assert.equal(told, lines.length - 1);
  assert(told > 300, `${told} differ`);
});

test('bad input gives one sentence and exit status 2', async () => {
  for (const [args, message] of /** @type {[string[], RegExp][]} */ ([
    [[], /expected one model, found 0/],
    [['a', 'b'], /expected one model, found 2/],
    [['no/such'], /no\/such: expected a quantized model or a Hugging Face folder, found nothing/],
    [['--tolerance', 'x', 'm'], /--tolerance: expected a number from 0, found x/],
    [['--precision', 'f16', 'm'], /--precision: expected int8 or f32, found f16/],
    [['--what'], /Unknown option '--what'/],
  ])) {
    const {code, stdout, stderr} = await check(args);
    assert.equal(code, 2);
    assert.equal(stdout, '');
    assert.match(stderr, message);
  }
});

/** @param {string[]} args */
function check(args) {
  return runScript(args, {script: fromRoot('scripts/check/bert-base.mjs')});
}

/**
 * Writes a model with bert-base's depth, heads and ids for the text, but only 24 wide.
 * @param {string} folder
 */
function writeRandomModel(folder) {
  const vocabulary = Array.from({length: 2900}, (_, id) => `[unused${id}]`);
  vocabulary[0] = '[PAD]';
  vocabulary[100] = '[UNK]';
  expected.ids.forEach((id, at) => (vocabulary[id] = expected.tokens[at]));
  writeFileSync(join(folder, 'vocab.txt'), vocabulary.join('\n') + '\n');
  const config = {
    model_type: 'bert',
    hidden_size: 24,
    num_hidden_layers: 12,
    num_attention_heads: 12,
    intermediate_size: 48,
    hidden_act: 'gelu',
    layer_norm_eps: 1e-12,
    max_position_embeddings: 32,
    type_vocab_size: 2,
    vocab_size: vocabulary.length,
  };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));

  const tree = modelTree(parseConfig(JSON.stringify(config), 'random'), {
    maskedLm: false,
    nextToken: false,
    pooler: false,
    labels: 0,
    tokenLabels: 0,
  });
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0; // Numerical Recipes
    return state / 2 ** 32 - 0.5;
  };
  /** @type {Parameters<typeof safetensors>[0]} */
  const tensors = [];
  const add = (/** @type {ModelNode} */ {shapes, children}, /** @type {string} */ path) => {
    for (const [weight, shape] of Object.entries(shapes)) {
      const values = Float32Array.from({length: shape.reduce((a, b) => a * b)}, random);
      const bytes = new Uint8Array(values.buffer);
      tensors.push({name: `${path}.${weight}`, dtype: 'F32', shape, bytes});
    }
    for (const child of children) add(child, `${path}.${child.name}`);
  };
  add(tree, tree.name);
  writeFileSync(join(folder, 'model.safetensors'), safetensors(tensors));
}
