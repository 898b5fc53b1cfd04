/** Runs a folder of each family that is no relative of BERT by the command line. */

import assert from 'node:assert/strict';
import {join} from 'node:path';
import {test} from 'node:test';
import {loadGolden} from '../engine/support.js';
import {bertscope, GOLDEN} from './support.js';

const TEXT = 'the cat sat on the mat';

for (const family of ['gpt2', 'llama', 'qwen2', 'qwen3', 'gpt_neox', 'llama3']) {
  test(`generate continues a text as the model of a folder of ${family} does`, async () => {
    const model = await loadGolden(family);
    const {pass, tokens} = await model.attend(TEXT);
    const {ids, text} = await model.generate(pass, {tokens: 6});
    model.dispose();
    const args = ['generate', join(GOLDEN, family), '--precision', 'f32', '--tokens', '6', TEXT];
    const {code, stdout} = await bertscope(args);
    assert.equal(code, 0);
    const {added: _, ...written} = JSON.parse(stdout);
    assert.deepEqual(written, {tokens, ids, text: TEXT + text, ended: false});
  });
}

test('generate and translate write all that a search with several beams finds', async () => {
  for (const [command, name, text] of [
    ['generate', 'gpt2', TEXT],
    ['translate', 'marian', '>>fra<< the cat sat'],
  ]) {
    const args = [command, join(GOLDEN, name), '--beams', '3', '--length-penalty', '0', text];
    const {code, stdout} = await bertscope(args);
    assert.equal(code, 0);
    const {beams, text: whole = '', translation = whole.slice(text.length)} = JSON.parse(stdout);
    assert.equal(beams.length, 3);
    assert.ok(beams[0].score >= beams[1].score && beams[1].score >= beams[2].score);
    assert.equal(beams[0].text, translation);
  }
  const {code, stderr} = await bertscope([
    'generate',
    join(GOLDEN, 'gpt2'),
    '--beams',
    'many',
    TEXT,
  ]);
  assert.equal(code, 2);
  assert.match(stderr, /--beams: expected a number, found "many"/);
});

test('attend writes the attention of a ModernBERT folder, whose local layers see what is near', async () => {
  const {code, stdout} = await bertscope(['attend', join(GOLDEN, 'modernbert'), TEXT]);
  assert.equal(code, 0);
  const {tokens, shape, attentions} = JSON.parse(stdout);
  assert.deepEqual([shape.layers, shape.heads, shape.tokens], [5, 4, tokens.length]);
  assert.equal(attentions[1][0][0][3], 0);
  assert(attentions[3][0][0][3] > 0);
});

test('heads --copying writes the scores of each head of a decoder', async () => {
  const model = await loadGolden('gpt2', 'int8');
  const {heads, induction, previous} = await model.copyingHeads({});
  model.dispose();
  const {stdout} = await bertscope(['heads', join(GOLDEN, 'gpt2'), '--copying']);
  const [header, ...rows] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));
  assert.deepEqual(header, ['layer', 'head', 'induction', 'duplicate', 'previous']);
  assert.deepEqual(
    rows.map(([layer, head, ofInduction, , ofPrevious]) => [layer, head, ofInduction, ofPrevious]),
    Array.from(induction, (share, at) =>
      [Math.floor(at / heads), at % heads, share.toFixed(6), previous[at].toFixed(6)].map(String),
    ),
  );
  const encoder = await bertscope(['heads', join(GOLDEN, 'roberta'), '--copying']);
  assert.equal(encoder.code, 2);
  assert.match(encoder.stderr, /expected a decoder, whose tokens look back/);
});
