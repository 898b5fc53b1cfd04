import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {test} from 'node:test';
import {compare} from '../../scripts/check/figures.mjs';
import {importFile} from '../../web/views/lazy-import.js';
import {pressInMore} from '../browser/more-menu.js';
import {researcherTest, token, waitForTokens, waitForValues} from '../browser/support.js';
import {fromRoot} from '../engine/support.js';
import {PYTHON} from '../support/python.js';
import {published} from './published.js';

/** @import {Figures} from '../../scripts/check/figures.mjs' */

/** @param {string} name */
const attentionFile = (name) => published(`attention/${name}.json`);

test('the importer reads published attention with its shape and numbers', () => {
  for (const name of [
    'cat-sat-mat',
    'cat-sat-mat__cat-lay-rug',
    'distilbert_cat-sat-mat',
    'rabbit-hopped__turtle-crawled',
    'sst2-finetuned_1013',
  ]) {
    const bytes = attentionFile(name);
    const {all} = importFile(bytes);
    const json = JSON.parse(bytes.toString());
    assert.deepEqual([all?.layers, all?.heads], [json.layers, json.heads]);
    assert.equal(all?.sentenceB !== null, Boolean(json.sentence_b), name);
    const last = all?.attention(json.layers - 1, json.heads - 1)?.at(-1);
    assert.equal(last, Math.fround(json.attention.at(-1).at(-1).at(-1).at(-1)));
  }
});

test('head 3-1 of Clark et al. attends to the next token, as the lesson says', () => {
  const script = fromRoot('scripts/reference/head_statistics.py');
  for (const name of ['cat-sat-mat', 'cat-sat-mat__cat-lay-rug']) {
    const {attention, tokens} = JSON.parse(attentionFile(name).toString());
    const input = JSON.stringify({attention, tokens});
    const output = execFileSync(PYTHON, [script], {input, maxBuffer: 2 ** 24});
    const {next, previous} = JSON.parse(output.toString());
    assert(next[2][0] > 0.99 && previous[2][0] < 1e-4, `${next[2][0]}, ${previous[2][0]}`);
    assert.equal(previous[3][5], Math.max(...previous.flat()));
  }
});

test('figures rounded from the attention of bert-base match their own layer and no other', async () => {
  const real = JSON.parse(attentionFile('cat-sat-mat').toString());
  const all = [...Array(real.tokens.length).keys()];
  /** @param {number} layer @param {number} head */
  const matrixOf = (layer, head) => /** @type {number[][]} */ (real.attention[layer][head]);
  const mean = all.map((query) =>
    all.map((key) => {
      const sum = [...Array(12).keys()].reduce((s, head) => s + matrixOf(11, head)[query][key], 0);
      return Number((sum / 12).toFixed(3));
    }),
  );
  const rounded = matrixOf(0, 3).map((row) => row.map((value) => Number(value.toPrecision(5))));
  /** @type {(layer: number) => Figures[]} */
  const figures = (layer) => [
    {name: 'mean', layer, head: 'mean', queries: all, keys: all, values: mean, decimals: 3},
    {name: 'head', layer: 0, head: 3, queries: all, keys: all, values: rounded, digits: 5},
  ];
  const about = {
    text: '',
    ids: all,
    tokens: real.tokens,
    decoded: '',
    shape: {layers: 12, heads: 12},
  };
  const found = {
    ...about,
    attention: async (/** @type {number} */ layer, /** @type {number} */ head) =>
      Float32Array.from(matrixOf(layer, head).flat()),
  };
  assert.deepEqual((await compare({...about, figures: figures(11)}, found)).differences, []);
  const {differences} = await compare({...about, figures: figures(10)}, found);
  assert(differences.length > 10 && differences.every((line) => line.startsWith('mean, ')));
});

researcherTest(
  'the page draws published attention of bert-base with its own numbers',
  {hash: '#text=the+cat'},
  async (page) => {
    const buffer = attentionFile('cat-sat-mat__cat-lay-rug');
    const json = JSON.parse(buffer.toString());
    await pressInMore(page, 'Open attention from a file…');
    await page
      .locator('#import-file')
      .setInputFiles({name: 'bert-base.json', mimeType: 'application/json', buffer});
    await page.getByRole('button', {name: 'Show', exact: true}).click();
    await waitForTokens(page, json.tokens);
    await page.getByRole('radio', {name: '2', exact: true}).check();
    await page.locator('.square').nth(0).dblclick();
    await token(page, 'query', 2).hover();
    await waitForValues(page, 'key', json.attention[2][0][2]);
  },
);
