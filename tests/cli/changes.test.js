/** Tests interventions and the table of heads on the command line. */

import assert from 'node:assert/strict';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {loadGolden} from '../engine/support.js';
import {bertscope, GOLDEN, scratch} from './support.js';

const FOLDER = join(GOLDEN, 'odd-sizes');
const TEXT = 'time flies like [MASK]';

/** @param {string[]} args */
async function attention(...args) {
  const {code, stdout, stderr} = await bertscope(['attend', FOLDER, ...args, TEXT]);
  assert.deepEqual({code, stderr}, {code: 0, stderr: ''});
  return JSON.parse(stdout).attentions;
}

test('every change on the command line gives the engine’s numbers for that change', async () => {
  const model = await loadGolden('odd-sizes', 'int8');
  const edge = {layer: 1, head: 3, query: 2, key: 0, weight: 0.75};
  for (const [args, interventions] of /** @type {[string[], any][]} */ ([
    [
      ['--ablate', '0.1,1.4', '--ablate', '2.0'],
      {
        heads: [
          {layer: 0, head: 1, scale: 0},
          {layer: 1, head: 4, scale: 0},
          {layer: 2, head: 0, scale: 0},
        ],
      },
    ],
    [['--scale-head', '0.2=-1.5'], {heads: [{layer: 0, head: 2, scale: -1.5}]}],
    [['--layers-off', '0,1'], {layersOff: [0, 1]}],
    [['--mask-tokens', '1,3'], {maskedTokens: [1, 3]}],
    [['--edge', '1.3.2.0=0.75'], {edges: [edge]}],
    [['--edge', '1.3.2.0=0.75', '--renormalise'], {edges: [{...edge, renormalise: true}]}],
    [
      ['--causal', '--temperature', '0.5', '--score-scale', 'hidden'],
      {causal: true, temperature: 0.5, scoreScale: 'hidden'},
    ],
    [['--temperature', '0:2,2:0.25'], {temperature: {0: 2, 2: 0.25}}],
  ])) {
    const {pass, tokens} = await model.attend(TEXT, {interventions});
    const found = await attention(...args);
    for (const [layer, ofLayer] of found.entries()) {
      for (const [head, matrix] of ofLayer.entries()) {
        const expected = await model.pull(pass, 'attention', [layer, head]);
        assert.equal(matrix.length, tokens.length);
        assert.deepEqual(Float32Array.from(matrix.flat()), expected, args.join(' '));
      }
    }
    assert.notDeepEqual(found, await attention());
  }
  model.dispose();
});

test('changes that a text has no place for are named on standard error', async () => {
  const texts = join(scratch, 'texts.txt');
  writeFileSync(texts, 'time flies like\nfruit\n');
  const options = ['--mask-tokens', '4', '--no-attention', '--text-file', texts];
  const {code, stdout, stderr} = await bertscope(['attend', FOLDER, ...options]);
  assert.equal(code, 0);
  assert.equal(stdout.trimEnd().split('\n').length, 2);
  assert.equal(
    stderr,
    `bertscope: ${texts}: line 2: token 4 is not masked: the text has 3 tokens\n`,
  );
});

/** @type {[string[], RegExp][]} */
const refused = [
  [['--mask-tokens', '99'], /token 99 is not masked: the text has 6 tokens/],
  [['--edge', '1.0.2.99=0.5'], /the edge from token 2 to token 99 .+ is not set/],
  [['--mask-tokens', '0,1,2,3,4,5'], /token 0 would have nothing left to attend to/],
  [['--ablate', '3'], /^bertscope: --ablate: expected LAYER\.HEAD, found "3"$/],
  [['--ablate', '1.x'], /--ablate: expected whole numbers from 0, found "1\.x"/],
  [['--ablate', '3.0'], /heads\[0\]\.layer: expected a whole number from 0 to 2, found 3/],
  [['--scale-head', '1.0'], /--scale-head: expected LAYER\.HEAD=SCALE, found "1\.0"/],
  [['--layers-off', ''], /--layers-off: expected whole numbers from 0, found ""/],
  [['--edge', '0.0.1=1'], /--edge: expected LAYER\.HEAD\.QUERY\.KEY=WEIGHT, found "0\.0\.1"/],
  [['--edge', '0.0.1.1=2'], /edges\[0\]\.weight: expected a number from 0 to 1, found 2/],
  [['--renormalise'], /--renormalise: expected --edge beside it, found none/],
  [['--temperature', '0'], /temperature: expected a number from 0\.01 to 100, found 0/],
  [['--temperature=-1'], /temperature: expected a number from 0\.01 to 100, found -1/],
  [['--temperature', 'nan'], /--temperature: expected a number, found "nan"/],
  [['--temperature', '9:1'], /temperature: a layer: expected a whole number from 0 to 2, found 9/],
  [['--score-scale', 'd'], /scoreScale: expected 'head', 'hidden' or 'none', found "d"/],
];

test('impossible changes are refused in one line', async () => {
  const output = join(scratch, 'never.json');
  for (const [args, message] of refused) {
    const found = await bertscope(['attend', FOLDER, ...args, '-o', output, TEXT]);
    assert.equal(found.code, 2, args.join(' '));
    assert.equal(found.stdout, '');
    assert.match(found.stderr.trimEnd(), message);
    assert.equal(found.stderr.split('\n').length, 2);
    assert(!existsSync(output));
  }
});

test('heads writes a row for every head over the given sentences', async () => {
  const texts = join(scratch, 'sentences.txt');
  const sentences = ['time flies like an arrow', 'the cat sat on the mat .'];
  writeFileSync(texts, `${sentences.join('\n')}\n`);
  const output = join(scratch, 'heads.csv');
  const args = ['heads', FOLDER, '--text-file', texts];
  const {code, stdout, stderr} = await bertscope([...args, '-o', output]);
  assert.deepEqual({code, stdout, stderr}, {code: 0, stdout: '', stderr: ''});
  const written = readFileSync(output, 'utf8');
  assert.equal((await bertscope(args)).stdout, written);

  const [header, ...rows] = written
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));
  assert.deepEqual(header.slice(0, 4), ['layer', 'head', 'name', 'entropy']);
  const model = await loadGolden('odd-sizes', 'int8');
  const {statistics, names} = await model.headGuide({sentences});
  assert.equal(rows.length, 15);
  rows.forEach(([layer, head, name, ...values], index) => {
    assert.deepEqual([Number(layer), Number(head)], [Math.floor(index / 5), index % 5]);
    assert.equal(name, names[index]);
    Object.values(statistics).forEach((means, column) =>
      assert(Math.abs(Number(values[column]) - means[index]) <= 1e-6),
    );
  });
  model.dispose();
});

test('heads uses the built-in sentences by default, and refuses files that it cannot read or write', async () => {
  const {stdout} = await bertscope(['heads', FOLDER]);
  assert.equal(stdout.trimEnd().split('\n').length, 16);
  const empty = join(scratch, 'empty.txt');
  writeFileSync(empty, '');
  for (const [args, message] of /** @type {[string[], RegExp][]} */ ([
    [['-o', join(scratch, 'heads.json')], /expected a name that ends in \.csv, found "\.json"/],
    [['--text-file', empty], /empty\.txt: expected at least one line, found none/],
    [['--text-file', join(scratch, 'none.txt')], /no such file/],
    [['another'], /heads: expected one model, found 2/],
  ])) {
    const {code, stderr} = await bertscope(['heads', FOLDER, ...args]);
    assert.equal(code, 2);
    assert.match(stderr, message);
  }
});
