/** Compares head statistics of texts with NumPy's, and tests the guide and the map that are made of them. */

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {test} from 'node:test';
import {everydaySentences} from '../../../web/engine/everyday-sentences.js';
import {headsLike} from '../../../web/engine/client/similar-heads.js';
import {specialTokenNames} from '../../../web/engine/text/vocabulary.js';
import {classifyTokens} from '../../../web/engine/text/token-classes.js';
import {fromRoot, loadGolden, TOLERANCE} from '../support.js';
import {PYTHON} from '../../support/python.js';

/** @import {HeadStatistics} from '../../../web/engine/host/head-guide.js' */
/** @import {HeadStatistic} from '../../../web/engine/wasm-module.d.ts' */

/**
 * @param {number[][][][]} attention
 * @param {string[]} tokens
 */
function numpyStatistics(attention, tokens) {
  const script = fromRoot('scripts/reference/head_statistics.py');
  const input = JSON.stringify({attention, tokens});
  const output = execFileSync(PYTHON, [script], {input, maxBuffer: 2 ** 24});
  return /** @type {Record<HeadStatistic, number[][]>} */ (JSON.parse(output.toString()));
}

/**
 * @param {HeadStatistics} actual
 * @param {Record<HeadStatistic, number[][]>} expected
 */
function assertSame({statistics}, expected) {
  assert.deepEqual(Object.keys(statistics), Object.keys(expected));
  for (const [name, values] of Object.entries(expected)) {
    const found = statistics[/** @type {HeadStatistic} */ (name)];
    const flat = values.flat();
    assert.equal(found.length, flat.length);
    flat.forEach((value, head) =>
      assert(Math.abs(found[head] - value) <= TOLERANCE.measures, `${name} of head ${head}`),
    );
  }
}

/** @param {import('../../../web/engine/host/head-guide.js').HeadGuide} guide */
function assertMap({layers, heads, map}) {
  assert(map);
  const count = layers * heads;
  const {distances, positions, share} = map;
  assert.equal(distances.length, count * count);
  assert(share > 0 && share <= 1);
  for (let a = 0; a < count; a++) {
    assert.equal(distances[a * count + a], 0);
    for (let b = 0; b < a; b++) {
      const distance = distances[a * count + b];
      assert.equal(distance, distances[b * count + a]);
      assert(distance > 0 && distance <= 1);
      const [x, y] = [0, 1].map((axis) => positions[2 * a + axis] - positions[2 * b + axis]);
      assert(Math.hypot(x, y) <= distance + 1e-3, `heads ${a} and ${b}`);
    }
  }
}

test('the statistics of a text match those that NumPy computes from its attention', async () => {
  const model = await loadGolden('odd-sizes');
  const {pass, tokens} = await model.attend('the cat, the banarr [MASK] [MASK]', {
    pair: 'the Cat.',
  });
  const {layers, heads} = model.shape;
  const attention = [];
  for (let layer = 0; layer < layers; layer++) {
    attention.push(/** @type {number[][][]} */ ([]));
    for (let head = 0; head < heads; head++) {
      const weights = await model.pull(pass, 'attention', [layer, head]);
      attention[layer].push(
        tokens.map((_, row) => [...weights.slice(row * tokens.length, (row + 1) * tokens.length)]),
      );
    }
  }
  const found = await model.headStatistics(pass);
  assertSame(found, numpyStatistics(attention, tokens));
  assert.equal(found.names.length, layers * heads);
  assert(found.statistics.sameWord.every((share) => share > 0)); // “the” and “cat” occur again
  model.dispose();
});

test('the guide to heads averages over the queries of all its sentences', async () => {
  const model = await loadGolden('odd-sizes', 'int8');
  const sentences = ['time flies', 'the cat sat on the mat .'];
  /** @type {number[]} */
  const told = [];
  const guide = await model.headGuide({sentences, onProgress: ({done}) => told.push(done)});
  assert.deepEqual(told, [1, 2]);
  assertMap(guide);
  const like = headsLike(/** @type {NonNullable<typeof guide.map>} */ (guide.map), 7);
  assert.equal(like.length, guide.layers * guide.heads - 1);
  assert(
    like.every(({head, distance}, at) => head !== 7 && distance >= (like[at - 1]?.distance ?? 0)),
  );
  assert.equal(like[0].distance, guide.map?.distances[7 * 15 + like[0].head]);
  const alone = [];
  for (const sentence of sentences) {
    const {pass, tokens} = await model.attend(sentence);
    alone.push({queries: tokens.length - 2, ...(await model.headStatistics(pass))});
  }
  const [a, b] = alone;
  assert.equal(a.map, undefined);
  for (const name of /** @type {HeadStatistic[]} */ (['entropy', 'distance', 'self', 'sep'])) {
    guide.statistics[name].forEach((mean, head) => {
      const sums = [a, b].map(({queries, statistics}) => queries * statistics[name][head]);
      assert(Math.abs(mean - (sums[0] + sums[1]) / (a.queries + b.queries)) < 1e-5);
    });
  }
  const controller = new AbortController();
  const aborted = model.headGuide({
    sentences: everydaySentences,
    signal: controller.signal,
    onProgress: () => controller.abort(),
  });
  await assert.rejects(aborted, {name: 'AbortError'});
  model.dispose();
});

test('there are two hundred different built-in sentences, half of them with a repeated word', () => {
  assert.equal(everydaySentences.length, 200);
  assert.equal(new Set(everydaySentences).size, 200);
  const again = everydaySentences.filter((sentence) => {
    const words = sentence.toLowerCase().match(/[a-z]+/g) ?? [];
    return new Set(words).size < words.length;
  });
  assert(again.length >= 100, `${again.length}`);
});

test('BERT’s tokens are classified by its tokenizer’s marks', () => {
  const tokens = '[CLS] the ban ##ana , [MASK] The $ ##a … ban ##ana ##s ban ##ana [SEP]'.split(
    ' ',
  );
  const {kinds, words, occurrences} = classifyTokens(tokens);
  assert.deepEqual([...kinds], [1, 0, 0, 0, 3, 0, 0, 3, 0, 3, 0, 0, 0, 0, 0, 2]);
  assert.deepEqual([...occurrences], [-1, 1, 2, 2, -1, -1, 6, -1, 8, -1, 10, 10, 10, 13, 13, -1]);
  assert.equal(words[1], words[6]);
  assert.equal(words[2], words[13]);
  assert.notEqual(words[2], words[10]);
  assert.deepEqual(
    [...words].map((word) => word < 0),
    [...occurrences].map((occurrence) => occurrence < 0),
  );
  // A text without special tokens begins with a word.
  assert.deepEqual([...classifyTokens(['ban', '##ana']).occurrences], [0, 0]);
});

test('RoBERTa’s tokens are classified by its tokenizer’s marks', () => {
  const special = {begin: '<s>', separator: '</s>', mask: '<mask>', unknown: '<unk>', pad: '<pad>'};
  const startsWord = (/** @type {string} */ token) => token.startsWith('Ġ');
  const tokens = '<s> Ti me Ġflies , <mask> Ġti me </s> </s> Ġ!? </s>'.split(' ');
  const {kinds, words, occurrences} = classifyTokens(tokens, {special, startsWord});
  assert.deepEqual([...kinds], [1, 0, 0, 0, 3, 0, 0, 0, 2, 2, 3, 2]);
  assert.deepEqual([...occurrences.subarray(0, 4)], [-1, 1, 1, 3]);
  assert.equal(words[1], words[7]);
  assert.notEqual(words[1], words[3]);
});

test('a tokenizer that names only the begin of a decoder’s text has that begin', () => {
  for (const [config, begin] of /** @type {[Record<string, unknown>, string][]} */ ([
    [{bos_token: '<|begin_of_text|>'}, '<|begin_of_text|>'],
    [{bos_token: '<s>', cls_token: {content: '[CLS]'}}, '[CLS]'],
    [{}, '[CLS]'],
  ])) {
    const special = specialTokenNames(config);
    assert.equal(special.begin, begin);
    const {kinds} = classifyTokens([begin, 'a'], {special});
    assert.deepEqual([...kinds], [1, 0]);
  }
});
