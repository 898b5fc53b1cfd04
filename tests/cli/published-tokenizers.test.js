/** Tests the comparison of tokenizers with Hugging Face's, with a program in place of its libraries. */

import assert from 'node:assert/strict';
import {chmodSync, cpSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {fromRoot} from '../engine/support.js';
import {tokenizerTexts} from '../published/tokenizer-texts.mjs';
import {GOLDEN, runScript, scratch} from './support.js';

const models = join(scratch, 'models');
for (const name of ['config.json', 'vocab.txt']) {
  for (const model of ['good', 'other'])
    cpSync(join(GOLDEN, 'odd-sizes', name), join(models, model, name));
}
writeFileSync(join(models, 'other/config.json'), '{"model_type": "xlnet"}');

/**
 * Writes a program that answers as the script in Python does.
 * @param {string} name
 * @param {string} change What is done with the ids of all texts.
 */
function answers(name, change) {
  const path = join(scratch, name);
  const tokenizer = fromRoot('web/engine/text/tokenizer.js');
  writeFileSync(
    path,
    `#!${process.execPath}
import('node:fs').then(async ({readFileSync}) => {
  const {Tokenizer} = await import(${JSON.stringify(tokenizer)});
  const {folders: [folder], texts, pairs} = JSON.parse(readFileSync(0, 'utf8'));
  const tokenizer = new Tokenizer({'vocab.txt': readFileSync(folder + '/vocab.txt', 'utf8')}, folder);
  const ids = texts.map((text) => tokenizer.encode(text).ids);
  ${change};
  const both = pairs.map(([text, pair]) => tokenizer.encode(text, {pair}).ids);
  process.stdout.write(JSON.stringify({folder, whole: {name: 'Theirs', texts: ids, pairs: both}}));
});
`,
  );
  chmodSync(path, 0o755);
  return path;
}

/** @param {string[]} args @param {string} [python] */
const check = (args, python = '/nowhere/python') =>
  runScript(args, {script: fromRoot('tests/published/tokenizers.mjs'), env: {PYTHON: python}});

test('each model is equal, refused by name or counted with its first difference', async () => {
  const same = await check(['--texts', '200', models], answers('same', ''));
  assert.equal(same.code, 0, same.stderr);
  assert.match(same.stdout, /^good: read, equal to Theirs$/m);
  assert.match(
    same.stdout,
    /^other: refused: config\.json: expected model_type to be one of .*"xlnet"$/m,
  );
  assert.match(same.stdout, /^1 read, 1 refused, 0 differ$/m);

  const wrong = answers('wrong', 'ids[7] = [2, 9, 3]; ids[9] = []');
  const differs = await check(['--texts', '200', models], wrong);
  assert.equal(differs.code, 1, differs.stderr);
  assert.match(
    differs.stdout,
    /^good: 2 of 300 differ from Theirs: ".*" gives … .* instead of … /m,
  );
});

test('the texts are as many as asked for, the same each time, and each is well-formed', () => {
  const texts = tokenizerTexts(1000);
  assert.equal(texts.length, 1000);
  assert.deepEqual(tokenizerTexts(1000), texts);
  assert.equal(new Set(texts).size, 1000);
  for (const text of texts) assert.equal(text, Buffer.from(text).toString());
  assert(texts.some((text) => text.length > 3000));
});

test('bad input gives one sentence and exit status 2', async () => {
  const empty = join(scratch, 'empty');
  mkdirSync(empty);
  for (const [args, message] of /** @type {[string[], RegExp][]} */ ([
    [[], /expected a folder of model folders, found none/],
    [[empty], /expected a folder of model folders, found none/],
    [['--texts', 'many', models], /--texts: expected a positive integer/],
    [[models], /nowhere\/python: expected a Python with transformers/],
    [['--what'], /Unknown option '--what'/],
  ])) {
    const {code, stdout, stderr} = await check(args);
    assert.equal(code, 2, stdout);
    assert.equal(stdout, '');
    assert.match(stderr, message);
  }
});
