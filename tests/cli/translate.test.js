import assert from 'node:assert/strict';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {gunzipSync} from 'node:zlib';
import {importAttention} from '../../web/views/lazy-import.js';
import {fromRoot} from '../engine/support.js';
import {bertscope, GOLDEN, scratch} from './support.js';

const DATES = fromRoot('web/models/dates/bertscope-dates.safetensors');

test('translate prints what was written, with attention that the page opens', async () => {
  const {code, stdout} = await bertscope(['translate', DATES, '23rd of March 2021']);
  assert.equal(code, 0);
  const record = JSON.parse(stdout);
  assert.equal(record.translation, '2021-03-23');
  assert.equal(record.tokens.join(''), '2021-03-23</s>');
  const {encoder, decoder, cross} = importAttention(record);
  assert.deepEqual(encoder?.keyTokens, '2 3 rd of march 2 0 2 1 </s>'.split(' '));
  assert.deepEqual(decoder?.queryTokens, ['<s>', ...'2021-03-23']);
  assert.deepEqual([cross?.layers, cross?.heads, cross?.attention(1, 3)?.length], [2, 4, 110]);
});

test('translate explains what it wrote by the text and by what was written before', async () => {
  const args = ['translate', DATES, '--explain', '--no-attention', '23rd of March 2021'];
  const {code, stdout} = await bertscope(args);
  assert.equal(code, 0);
  const {explanation, encoder_tokens: read, decoder_tokens: written} = JSON.parse(stdout);
  assert.equal(explanation.method, 'alti-plus');
  assert.equal(explanation.matrix.length, written.length);
  for (const [at, /** @type {number[]} */ row] of explanation.matrix.entries()) {
    assert.equal(row.length, read.length + written.length);
    const sumOf = (/** @type {number[]} */ shares) => shares.reduce((a, b) => a + b, 0);
    assert(Math.abs(sumOf(row) - 1) < 1e-5);
    const ofText = sumOf(row.slice(0, read.length));
    assert(Math.abs(ofText - explanation.source_shares[at]) < 1e-5);
    assert.equal(sumOf(row.slice(read.length + at + 1)), 0);
  }
  const one = ['--method', 'integrated-gradients', '--token', '3', '--instead', '0'];
  const gradients = await bertscope([...args, ...one]);
  assert.equal(gradients.code, 0, gradients.stderr);
  const {explanation: found} = JSON.parse(gradients.stdout);
  assert.deepEqual([found.method, found.token, found.instead], [one[1], 3, '0']);
  const total = found.matrix[0].reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b);
  const {values, baselines, remainders} = found;
  assert(Math.abs(total + remainders[0] - (values[0] - baselines[0])) < 1e-4);
  const each = await bertscope([...args, '--method', 'gradient']);
  const whole = JSON.parse(each.stdout).explanation;
  assert.deepEqual([whole.matrix.length, whole.values.length], [written.length, written.length]);
  assert.equal(whole.source_shares, undefined);
  for (const [wrong, said] of /** @type {[string[], RegExp][]} */ ([
    [['--instead', '0'], /expected a method of gradient, integrated-gradients to tell one answer/],
    [['--method', 'decompx'], /which follow cross attention, .*found "decompx"/],
    [['--token', '12'], /expected a token of the text from 0 to 10, found 12/],
    [['--token', 'x'], /expected the index of a written token for --token, found "x"/],
  ])) {
    const {code: failed, stderr} = await bertscope([...args, ...wrong]);
    assert.deepEqual([failed, said.test(stderr)], [2, true], stderr);
  }
  const unasked = await bertscope(['translate', DATES, '--method', 'gradient', 'May']);
  assert.match(unasked.stderr, /expected --explain with --method, found none/);
  const refused = await bertscope(['explain', DATES, '23rd of March 2021']);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /found an encoder-decoder: translate --explain says what it wrote/);
});

test('a token that is the word to set it against has no numbers, and the others keep theirs', async () => {
  const texts = join(scratch, 'other-dates.txt');
  writeFileSync(texts, '23rd of March 2021\n4 July 1776\n');
  const explained = async (/** @type {string[]} */ ...how) => {
    const args = ['translate', DATES, '--text-file', texts, '--no-attention', '--explain'];
    const {code, stdout, stderr} = await bertscope([...args, '--method', 'gradient', ...how]);
    assert.deepEqual([code, stderr], [0, '']);
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  // The last token that is written ends the text.
  for (const word of ['2', '</s>']) {
    const records = await explained('--instead', word);
    assert.equal(records.length, 2);
    assert(records[0].tokens.includes(word));
    for (const {tokens, explanation} of records) {
      assert.deepEqual([explanation.method, explanation.instead], ['gradient', word]);
      assert.equal(explanation.matrix.length, tokens.length);
      for (const [at, token] of tokens.entries()) {
        const isNull = (/** @type {unknown} */ number) => number === null;
        const numbers = [explanation.values[at], ...explanation.matrix[at]];
        assert(token === word ? numbers.every(isNull) : !numbers.some(isNull), `${at} ${token}`);
      }
    }
  }
  const first = await explained('--instead', '2', '--token', '0');
  const [same, other] = first.map(({explanation}) => explanation);
  assert.deepEqual([same.instead, same.token, same.values], ['2', 0, undefined]);
  assert(same.matrix[0].every((/** @type {unknown} */ number) => number === null));
  const [, whole] = await explained('--instead', '2');
  assert.deepEqual(other.matrix[0], whole.explanation.matrix[0]);
  assert.deepEqual(other.values, whole.explanation.values.slice(0, 1));
});

test('translate reads a file of texts, and writes a line for each', async () => {
  const texts = join(scratch, 'dates.txt');
  writeFileSync(texts, '4 July 1776\nin May\n');
  const output = join(scratch, 'dates.jsonl');
  const args = ['translate', DATES, '--text-file', texts, '--no-attention', '-o', output];
  assert.equal((await bertscope(args)).code, 0);
  const lines = readFileSync(output, 'utf8').trim().split('\n');
  const written = lines.map((line) => JSON.parse(line));
  assert.deepEqual(
    written.map(({translation}) => translation),
    ['1776-07-04', 'XXXX-05-XX'],
  );
  assert.equal(written[0].cross_attention, undefined);
});

test('changes reach the part that they name', async () => {
  const text = 'the twenty-third of March 2021';
  const written = async (/** @type {string[]} */ ...args) => {
    const found = await bertscope(['translate', DATES, '--no-attention', ...args, text]);
    assert.deepEqual([found.code, found.stderr], [0, '']);
    return JSON.parse(found.stdout).translation;
  };
  assert.equal(await written('--mask-tokens', '5'), '2021-XX-23');
  assert.notEqual(await written('--ablate', 'decoder:0.1'), await written('--ablate', '0.1'));
  const month = Array.from({length: 8}, (_, at) => [
    '--edge',
    `cross:${at >> 2}.${at % 4}.5.5=0,cross:${at >> 2}.${at % 4}.6.5=0`,
  ]);
  assert.match(await written('--renormalise', ...month.flat()), /^2021-(?!03).{5}$/);
  const {code, stderr} = await bertscope(['translate', DATES, '--edge', 'cross:0.0.0.99=1', text]);
  assert.equal(code, 2);
  assert.match(stderr, /the edge from token 0 to token 99 .+ the text has 11 tokens/);
});

test('translate refuses a model that reads only, and inspect knows the layers of a decoder', async () => {
  const {code, stderr} = await bertscope(['translate', join(GOLDEN, 'odd-sizes'), 'a']);
  assert.equal(code, 2);
  assert.match(stderr, /expected a model that writes another text, found one without a decoder/);
  assert.match((await bertscope(['inspect', DATES])).stdout, /^decoderLayers +2$/m);
});

test('a folder as Marian’s are published is tokenized, translated and converted', async () => {
  const folder = join(GOLDEN, 'marian');
  const {texts, ids, written} = JSON.parse(
    `${gunzipSync(readFileSync(join(folder, 'translations.json.gz')))}`,
  );
  const [index, {ids: wanted}] = /** @type {[string, any]} */ (Object.entries(written)[0]);
  const text = texts[Number(index)];
  const tokenized = JSON.parse((await bertscope(['tokenize', folder, text])).stdout);
  assert.deepEqual(tokenized.ids, ids[Number(index)]);

  const record = JSON.parse((await bertscope(['translate', folder, text])).stdout);
  const vocabulary = JSON.parse(readFileSync(join(folder, 'vocab.json'), 'utf8'));
  const found = record.tokens.slice(0, wanted.length);
  assert.deepEqual(
    found.map((/** @type {string} */ token) => vocabulary[token]),
    wanted,
  );
  const {encoder, decoder, cross} = importAttention(record);
  assert.deepEqual([encoder?.layers, encoder?.heads], [2, 4]);
  assert.deepEqual([decoder?.layers, decoder?.heads, cross?.heads], [3, 2, 2]);

  const file = join(scratch, 'marian.safetensors');
  assert.equal((await bertscope(['convert', folder, '-o', file])).code, 0);
  const again = JSON.parse((await bertscope(['tokenize', file, text])).stdout);
  assert.deepEqual(again, tokenized);
});
