/** Tests padded batches, word embeddings, decoding and the tree of modules. */

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {modelTree} from '../../../web/engine/client/model-tree.js';
import {expectedOf, goldenFolder, inChunks, loadGolden, readAll} from '../support.js';

/** @import {ModelNode} from '../../../web/engine/client/model-tree.js' */

const model = await loadGolden('odd-sizes');

test('texts are padded to one length, with a mask of ones and zeros', () => {
  const batch = model.tokenize(['time flies like an arrow', 'she sat'], {padding: true});
  assert.deepEqual(batch.tokens, [
    ['[CLS]', 'time', 'flies', 'like', 'an', 'arrow', '[SEP]'],
    ['[CLS]', 'she', 'sat', '[SEP]', '[PAD]', '[PAD]', '[PAD]'],
  ]);
  assert.deepEqual(batch.ids.shape, [2, 7]);
  assert.deepEqual([...batch.ids.data], [2, 64, 65, 66, 67, 68, 3, 2, 83, 72, 3, 0, 0, 0]);
  assert.deepEqual([...batch.attentionMask.data], [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0]);
  assert.deepEqual([...batch.tokenTypeIds.data], Array(14).fill(0));
});

test('texts of different lengths without padding are refused, and so is an empty list', () => {
  assert.throws(() => model.tokenize(['she sat', 'she']), /equally many tokens.* found 4, 3/);
  assert.throws(() => model.tokenize([''], {specialTokens: false}), {code: 'empty-text'});
  assert.throws(() => model.tokenize([], {padding: true}), {code: 'empty-text'});
});

test('hidden states of a padded batch match PyTorch’s', async () => {
  const expected = await expectedOf('odd-sizes');
  const {input_ids, token_type_ids, attention_mask, hidden_states} = expected;
  /** @param {typeof input_ids} tensor */
  const integers = ({shape, data}) => ({shape, data: Int32Array.from(data)});
  const batch = {
    ids: integers(input_ids),
    tokenTypeIds: integers(token_type_ids),
    attentionMask: integers(attention_mask),
    tokens: [],
  };
  const found = await model.hiddenStates(batch);
  assert.deepEqual(found.shape, [3, 12, 60]);
  const last = hidden_states.data.subarray(-found.data.length);
  const largest = Math.max(
    ...found.data.map((value, at) =>
      attention_mask.data[Math.floor(at / 60)] ? Math.abs(value - last[at]) : 0,
    ),
  );
  assert(largest < 1e-3, `off by ${largest}`); // as in golden.test.js

  attention_mask.data[1] = 0;
  await assert.rejects(
    model.hiddenStates({...batch, attentionMask: integers(attention_mask)}),
    /an attention mask of ones, then zeros/,
  );
});

test('a batch whose shape states more than it holds is refused', async () => {
  const shape = [2 ** 31, 4];
  const one = {shape, data: Int32Array.of(1)};
  const batch = {ids: one, tokenTypeIds: one, attentionMask: one, tokens: []};
  await assert.rejects(model.hiddenStates(batch), {
    code: 'bad-batch',
    message: /as many values as their shape \[2147483648,4\] says, found 1/,
  });
});

test('word embeddings are the rows of the checkpoint, before anything is added', async () => {
  const {tensors} = await readAll(
    inChunks(new Uint8Array(readFileSync(`${goldenFolder('odd-sizes')}/model.safetensors`))),
  );
  const stored = tensors.get('bert.embeddings.word_embeddings.weight');
  const rows = new Float32Array(/** @type {any} */ (stored).bytes.slice().buffer);
  const {shape, data} = await model.embeddings({shape: [1, 3], data: [64, 0, 100]});
  assert.deepEqual(shape, [1, 3, 60]);
  assert.deepEqual(
    data,
    Float32Array.from([64, 0, 100].flatMap((id) => [...rows.subarray(60 * id, 60 * (id + 1))])),
  );
  for (const [ids, message] of /** @type {[number[], RegExp][]} */ ([
    [[101], /expected 0 to 100, found 101/],
    [[-1], /from 0 as token ids, found -1/],
    [[0.5], /found 0\.5/],
    [[], /at least one token id, found none/],
  ])) {
    await assert.rejects(model.embeddings({shape: [ids.length], data: ids}), message);
  }
});

test('ids are decoded as Hugging Face decodes them', () => {
  const {ids} = model.tokenize(['she sat, on an unst mat.']);
  assert.equal(model.decode(ids.data), '[CLS] she sat, on an unst mat. [SEP]');
});

test('the tree of modules has every weight of the checkpoint with its shape', async () => {
  const {tensors} = await readAll(
    inChunks(new Uint8Array(readFileSync(`${goldenFolder('odd-sizes')}/model.safetensors`))),
  );
  const tree = modelTree(model.config, model.predictionHeads);
  /** @type {Map<string, number[]>} */
  const shapes = new Map();
  const visit = (/** @type {ModelNode} */ node, /** @type {string} */ path) => {
    for (const [name, shape] of Object.entries(node.shapes)) shapes.set(`${path}${name}`, shape);
    for (const child of node.children) visit(child, `${path}${child.name}.`);
  };
  visit(tree, '');
  const stored = [...tensors].map(([name, {shape}]) => ({name, shape}));
  const found = [...shapes].map(([name, shape]) => ({name, shape}));
  const byName = (/** @type {{name: string}} */ a, /** @type {{name: string}} */ b) =>
    a.name < b.name ? -1 : 1;
  assert.deepEqual(found.sort(byName), stored.sort(byName));
  const count = stored.reduce((sum, {shape}) => sum + shape.reduce((a, b) => a * b), 0);
  assert.equal(tree.parameters, count);
});
