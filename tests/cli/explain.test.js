/** Tests what the command line says of contributions to an answer. */

import assert from 'node:assert/strict';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {bertscope, GOLDEN, scratch} from './support.js';

const MODEL = join(GOLDEN, 'odd-sizes');
const TEXT = 'time flies like [MASK]';

/** @param {string[]} args */
async function linesOf(...args) {
  const {code, stdout, stderr} = await bertscope(['explain', ...args]);
  assert.deepEqual({code, stderr}, {code: 0, stderr: ''});
  return stdout.trimEnd().split('\n');
}

/** @param {string[]} args */
const json = async (...args) => JSON.parse((await linesOf(...args))[0]);

const sumOf = (/** @type {number[]} */ values) => values.reduce((a, b) => a + b);

test('explain prints a method’s shares for the likeliest word, ALTI’s unless told otherwise', async () => {
  const found = await json(MODEL, TEXT);
  const fields = 'method target tokens value contributions remainder matrix layers';
  assert.deepEqual(Object.keys(found), fields.split(' '));
  assert.equal(found.method, 'alti');
  assert.deepEqual(found.tokens, ['[CLS]', 'time', 'flies', 'like', '[MASK]', '[SEP]']);
  assert.equal(found.target.token, 4);
  assert.deepEqual(found.contributions, found.matrix[4]);
  assert(Math.abs(sumOf(found.contributions) - 1) < 1e-5);
  assert.deepEqual(
    [found.layers.length, found.layers[0].length, found.layers[0][0].length],
    [3, 6, 6],
  );
  const same = await json('--method', 'alti', '--target', 'mask', MODEL, TEXT);
  assert.deepEqual(same, found);
});

test('signed contributions sum to the value, of a class too', async () => {
  const sst = join(GOLDEN, 'distilbert-sst');
  for (const [target, model, text] of [
    ['mask', MODEL, TEXT],
    ['vector', MODEL, 'time flies'],
    ['class:POSITIVE', sst, 'time flies'],
  ]) {
    const found = await json('--method', 'decompx', '--target', target, model, text);
    assert(Math.abs(sumOf(found.contributions) - found.value) < 1e-4);
    assert.equal('matrix' in found, target === 'vector');
    assert(!('layers' in found));
  }
});

test('explain takes a pair, changes to the model, a precision and a file of texts', async () => {
  const args = ['--text-pair', 'a cat', '--causal', '--precision', 'f32', MODEL, TEXT];
  const found = await json(...args);
  assert.equal(found.tokens.length, 9);
  assert(found.contributions.slice(5).every((/** @type {number} */ share) => share === 0));
  const file = join(scratch, 'texts.txt');
  writeFileSync(file, `${TEXT}\na [MASK]\n`);
  const output = join(scratch, 'explained.jsonl');
  assert.deepEqual(await linesOf('--text-file', file, '-o', output, MODEL), ['']);
  const lines = readFileSync(output, 'utf8').trimEnd().split('\n');
  assert.deepEqual(JSON.parse(lines[0]), await json(MODEL, TEXT));
  assert.deepEqual(JSON.parse(lines[1]), await json(MODEL, 'a [MASK]'));
});

for (const [what, args, message] of /** @type {[string, string[], RegExp][]} */ ([
  ['an unknown method', ['--method', 'lime', MODEL, TEXT], /a method of norm, .* found "lime"/],
  ['an unknown target', ['--target', 'word', MODEL, TEXT], /target mask, .* found "word"/],
  ['a text without a mask', [MODEL, 'time flies'], /a target or a text with \[MASK\]/],
  ['a class without a classifier', ['--target', 'class:A', MODEL, TEXT], /a sequence classifier/],
  ['an unknown precision', ['--precision', 'int4', MODEL, TEXT], /int8 or f32, found int4/],
  ['a change beyond the text', ['--mask-tokens', '90', MODEL, TEXT], /token 90 is not masked/],
  ['an archive', ['-o', join(scratch, 'x.npz'), MODEL, TEXT], /ends in .json, found ".npz"/],
  ['no text', [MODEL], /expected TEXT behind the model/],
])) {
  test(`${what} is refused in one line`, async () => {
    const {code, stdout, stderr} = await bertscope(['explain', ...args]);
    assert.match(stderr, /^bertscope: [^\n]+\n$/);
    assert.match(stderr, message);
    assert.deepEqual({code, stdout}, {code: 2, stdout: ''});
  });
}

test('the help names the command, its methods and its targets', async () => {
  const {stdout} = await bertscope(['explain', '--help']);
  assert.match(stdout, /bertscope explain \[model\] TEXT/);
  assert.match(stdout, /--method .*norm, globenc, alti .*value-zeroing or decompx/);
  assert.match(stdout, /--target .*mask.*\n.*class:LABEL.*vector/);
});
