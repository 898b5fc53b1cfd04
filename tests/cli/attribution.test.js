/** Tests what the command line says of the parts of a logit. */

import assert from 'node:assert/strict';
import {join} from 'node:path';
import {test} from 'node:test';
import {loadGolden} from '../engine/support.js';
import {bertscope, GOLDEN} from './support.js';

const MODEL = join(GOLDEN, 'gpt2');
const TEXT = 'the cat sat on the';

test('attribution prints what each part adds to the logit of the next word', async () => {
  const model = await loadGolden('gpt2', 'int8');
  const {pass, tokens} = await model.attend(TEXT);
  const expected = await model.logitAttribution(pass, {token: 2, word: 'cat'}, {instead: 'the'});
  const {layers, heads} = model.shape;
  model.dispose();
  const args = ['--word', 'cat', '--token', '2', '--instead', 'the', MODEL, TEXT];
  const {code, stdout, stderr} = await bertscope(['attribution', ...args]);
  assert.deepEqual({code, stderr}, {code: 0, stderr: ''});
  const found = JSON.parse(stdout);
  const fields =
    'target instead tokens value heads attention_biases feed_forward words positions bias remainder';
  assert.deepEqual(Object.keys(found), fields.split(' '));
  assert.deepEqual(found.tokens, tokens);
  assert.deepEqual(found.target, expected.target);
  assert.deepEqual(found.instead, expected.instead);
  assert.deepEqual(found.heads.flat().map(Math.fround), [...expected.heads]);
  assert.deepEqual([found.heads.length, found.heads[0].length], [layers, heads]);
  assert.deepEqual(found.feed_forward.map(Math.fround), [...expected.feedForward]);
  assert.equal(Math.fround(found.value), Math.fround(expected.value));
  assert.match(
    stdout,
    /"value":-?[\d.]{1,11}[,}]/,
    'a difference, too, has the digits of a float32',
  );

  const likeliest = await bertscope(['attribution', '--precision', 'f32', MODEL, TEXT]);
  assert.equal(JSON.parse(likeliest.stdout).target.token, tokens.length - 1);
});

test('attribution refuses what it cannot explain', async () => {
  const {code, stderr} = await bertscope(['attribution', '--token', 'x', MODEL, TEXT]);
  assert.equal(code, 2);
  assert.match(stderr, /--token: expected a number, found "x"/);
  const bert = await bertscope(['attribution', join(GOLDEN, 'odd-sizes'), 'time flies']);
  assert.equal(bert.code, 2);
  assert.match(bert.stderr, /expected a model whose logits are a sum of what its parts add/);
});
