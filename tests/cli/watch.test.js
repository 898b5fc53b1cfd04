/** Tests that a command which makes no progress is stopped, and says what it was about to do. */

import assert from 'node:assert/strict';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {watch} from '../../scripts/cli/watch.mjs';
import {GOLDEN, runScript, scratch, SCRIPT} from './support.js';

const ENDLESS = {Regex: '(a+)+$'};
const LONG = `${'a'.repeat(60)}b`;

/**
 * Writes a folder with a tokenizer.
 * @param {string} name
 * @param {object} parts
 */
function tokenizer(name, parts) {
  const folder = join(scratch, name);
  mkdirSync(folder);
  const json = {
    added_tokens: [],
    model: {type: 'WordPiece', unk_token: 'b', continuing_subword_prefix: '', vocab: {a: 0, b: 1}},
    ...parts,
  };
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(json));
  return folder;
}

/** @type {[string, object, string][]} */
const stages = [
  [
    'normalizer',
    {normalizer: {type: 'Replace', pattern: ENDLESS, content: ''}},
    'working on the text',
  ],
  [
    'pre-tokenizer',
    {pre_tokenizer: {type: 'Split', pattern: ENDLESS, behavior: 'Isolated'}},
    'working on the text',
  ],
  [
    'normalizer of an added token',
    {
      normalizer: {type: 'Replace', pattern: ENDLESS, content: ''},
      added_tokens: [{id: 2, content: LONG, normalized: true}],
    },
    'reading the tokenizer of FOLDER',
  ],
];
for (const [what, parts, stage] of stages) {
  test(`an endless ${what} is stopped in one line that says at which stage`, async (t) => {
    const folder = tokenizer(what, parts);
    const {mock} = t.mock.method(process.stderr, 'write', () => true);
    assert.equal(await watch(['tokenize', folder, LONG], 1), 2);
    const written = mock.calls.map(({arguments: [text]}) => String(text)).join('');
    const found = stage.replace('FOLDER', folder);
    assert.equal(
      written,
      `bertscope: expected progress, found none for 1 s while ${found}; --patient waits without an end\n`,
    );
  });
}

test('a command of its own process prints what it found, and takes --patient', async () => {
  const args = ['tokenize', join(GOLDEN, 'distilbert-sst'), 'hello', '--patient'];
  const {code, stdout, stderr} = await runScript(args, {script: SCRIPT});
  assert.deepEqual([code, stderr], [0, '']);
  assert.equal(JSON.parse(stdout).tokens[0], '[CLS]');
});
