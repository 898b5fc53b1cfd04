/** Tests what the command line says of contributions to an answer. */

import assert from 'node:assert/strict';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {loadGolden} from '../engine/support.js';
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

test('gradients are signed, and say where integrated ones begin', async () => {
  const gradient = await json('--method', 'gradient', MODEL, TEXT);
  assert(gradient.contributions.some((/** @type {number} */ one) => one < 0));
  assert(!('baseline' in gradient));
  assert(!('remainder' in gradient), 'gradients do not sum to the answer');
  const {contributions, value, baseline} = await json(
    ...['--method', 'integrated-gradients', MODEL, TEXT],
  );
  const difference = value - baseline;
  assert(Math.abs(sumOf(contributions) - difference) < 0.01 * Math.abs(difference));
});

test('explain prints the maps of patching from another text', async () => {
  const {patch, ...rest} = await json('--patch-from', 'fruit flies like [MASK]', MODEL, TEXT);
  assert.deepEqual(rest, await json(MODEL, TEXT));
  assert.deepEqual(patch.from, ['[CLS]', 'fruit', 'flies', 'like', '[MASK]', '[SEP]']);
  const model = await loadGolden('odd-sizes', 'int8');
  const [text, from] = [await model.attend(TEXT), await model.attend('fruit flies like [MASK]')];
  for (const what of /** @type {const} */ (['hidden', 'heads'])) {
    const found = await model.patch(text.pass, from.pass, {what});
    assert.deepEqual(Float32Array.from(patch[what].flat()), found.map);
    assert.equal(patch[what].length, found.shape[0]);
    assert.deepEqual(patch.target, found.target);
    const values = Float32Array.of(found.value, found.fromValue);
    assert.deepEqual(Float32Array.of(patch.value, patch.fromValue), values);
  }
  model.dispose();
});

test('changes to the model apply to the text to patch from too, and a cut is told of both', async () => {
  const text = 'fruit flies like [MASK]';
  const {patch} = await json('--ablate', '0.1', '--patch-from', text, MODEL, TEXT);
  const model = await loadGolden('odd-sizes', 'int8');
  const interventions = {heads: [{layer: 0, head: 1, scale: 0}]};
  const {pass} = await model.attend(TEXT, {interventions});
  const {pass: from} = await model.attend(text, {interventions});
  const found = await model.patch(pass, from);
  assert.deepEqual(Float32Array.from(patch.hidden.flat()), found.map);
  const long = `[MASK] ${'a '.repeat(model.shape.positions)}`;
  const {code, stderr} = await bertscope(['explain', '--patch-from', long, MODEL, long]);
  assert.equal(code, 0);
  assert.match(stderr, /--patch-from is too long .*\n.*the text is too long/);
  model.dispose();
});

for (const [what, args, message] of /** @type {[string, string[], RegExp][]} */ ([
  ['an unknown method', ['--method', 'lime', MODEL, TEXT], /a method of norm, .* found "lime"/],
  ['an unknown target', ['--target', 'word', MODEL, TEXT], /target mask, .* found "word"/],
  ['a text without a mask', [MODEL, 'time flies'], /a target or a text with \[MASK\]/],
  [
    'a class without a classifier',
    ['--target', 'class:A', MODEL, TEXT],
    /a classifier, found none/,
  ],
  [
    'a text to patch from with other tokens',
    ['--patch-from', 'flies like [MASK]', MODEL, TEXT],
    /--patch-from: .*two texts of as many tokens, found 6 and 5: change one/,
  ],
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
  assert.match(stdout, /--method .*norm, globenc, alti .*gradient or\n +integrated-gradients/);
  assert.match(stdout, /--target .*mask.*\n.*class:LABEL.*\n.*vector/);
});
