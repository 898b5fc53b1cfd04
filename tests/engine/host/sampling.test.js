/** Tests how a decoder's next token is chosen, beside transformers (`scripts/reference/make_sampling_golden.py`). */

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {after, test} from 'node:test';
import {gunzipSync} from 'node:zlib';
import {openModel} from '../../../scripts/cli/source.mjs';
import {requireMemory} from '../../../web/engine/host/beam-search.js';
import {choose, drawProbabilities, penalizeRepetition} from '../../../web/engine/host/sampling.js';
import {randomNumbers} from '../../../web/engine/random-numbers.js';
import {batchOf, goldenFolder, loadGolden, runtime} from '../support.js';

/** @import {BeamOptions} from '../../../web/engine/host/beam-search.js' */
/** @import {Generated, GenerateOptions} from '../../../web/engine/host/generation.js' */

/**
 * @typedef {{temperature: number, topK: number, topP: number, repetitionPenalty: number, logits: number[],
 *   written: number[], probabilities: number[]}} Case
 */

/**
 * @typedef {Required<BeamOptions> & {repetitionPenalty: number, found: {ids: number[], score: number}[]}} Search
 */

/**
 * @type {{cases: Case[], continuations: {begun: number[], repetitionPenalty: number, added: number[]}[],
 *   searches: (Search & {begun: number[], end: number})[],
 *   translations: Record<string, (Search & {text: string})[]>}}
 */
const golden = JSON.parse(`${gunzipSync(readFileSync(goldenFolder('sampling.json.gz')))}`);

const model = await loadGolden('gpt2');
after(() => model.dispose());

test('tokens are drawn with the probabilities of transformers', () => {
  assert.ok(golden.cases.length >= 50);
  for (const {logits, written, probabilities, ...settings} of golden.cases) {
    const penalized = Float32Array.from(logits);
    penalizeRepetition(penalized, written, settings.repetitionPenalty);
    const found = drawProbabilities(penalized, settings);
    for (const [id, expected] of probabilities.entries()) {
      const claim = `token ${id} at ${JSON.stringify(settings)}`;
      assert.ok(Math.abs(found[id] - expected) < 1e-6, `${claim}: ${found[id]}, not ${expected}`);
      assert.ok(expected === 0 || found[id] > 0, claim);
    }
  }
});

test('a continuation with a penalty on what is repeated is that of transformers', async () => {
  for (const {begun, repetitionPenalty, added} of golden.continuations) {
    const {pass} = await model.encoder.run(batchOf(begun));
    const {ids} = await model.generate(pass, {tokens: added.length, repetitionPenalty});
    assert.deepEqual(ids, added, `${begun} with ${repetitionPenalty}`);
  }
});

test('tokens are drawn as often as their probability says', () => {
  const logits = Float32Array.of(2, 1, 0, -1, -Infinity);
  const settings = {temperature: 1, topK: 3, topP: 0.95};
  const expected = drawProbabilities(logits, settings);
  const random = randomNumbers(7);
  const draws = 20_000;
  const counts = new Float64Array(logits.length);
  for (let i = 0; i < draws; i++) counts[choose(logits, settings, random)]++;
  for (const [id, count] of counts.entries()) {
    const deviation = Math.sqrt(draws * expected[id] * (1 - expected[id]));
    assert.ok(Math.abs(count - draws * expected[id]) <= 4 * deviation, `token ${id}: ${count}`);
  }
});

/** make_sampling_golden.py adds so many tokens. */
const ADDED = 16;

/** @param {number} id The token that ends a text. */
async function gpt2ThatEndsWith(id) {
  const source = await openModel(goldenFolder('gpt2'));
  const {files} = source;
  const config = JSON.parse(files['tokenizer_config.json'] ?? '{}');
  const vocabulary = JSON.parse(files['vocab.json']);
  const [token] = Object.entries(vocabulary).find(([, at]) => at === id) ?? [];
  files['tokenizer_config.json'] = JSON.stringify({...config, eos_token: token});
  return runtime.load(source, {precision: 'f32'});
}

test('a search with several beams finds what transformers finds, with the same scores', async () => {
  assert.ok(golden.searches.length >= 20);
  for (const {begun, end, found, ...settings} of golden.searches) {
    const ending = await gpt2ThatEndsWith(end);
    const {pass} = await ending.encoder.run(batchOf(begun));
    const written = await ending.generate(pass, {tokens: ADDED, ...settings});
    compareBeams(written, found, `${begun} until ${end}, ${JSON.stringify(settings)}`);
    ending.dispose();
  }
});

for (const name of ['marian', 'bart'])
  test(`what ${name} writes with several beams is what transformers lets it write`, async () => {
    const translating = await loadGolden(name);
    for (const {text, found, ...settings} of golden.translations[name]) {
      const written = await translating.translate(text, {tokens: ADDED, ...settings});
      const claim = `${JSON.stringify(text)}, ${JSON.stringify(settings)}`;
      compareBeams(written, found, claim);
      assert.deepEqual(written.ids, found[0].ids, claim);
    }
    translating.dispose();
  });

/**
 * @param {Pick<Generated, 'beams' | 'steps'>} written
 * @param {{ids: number[], score: number}[]} expected With the token that ended each.
 * @param {string} claim
 */
function compareBeams({beams = [], steps = []}, expected, claim) {
  /** @param {number} last @returns {number[]} */
  const idsOf = (last) => (last < 0 ? [] : [...idsOf(steps[last].parent), steps[last].id]);
  assert.deepEqual(
    beams.map(({last}) => idsOf(last)),
    expected.map(({ids}) => ids),
    claim,
  );
  for (const [index, {score}] of expected.entries()) {
    const difference = Math.abs(beams[index].score - score);
    assert.ok(difference < 1e-4 * Math.max(1, Math.abs(score)), `${claim}: ${difference}`);
  }
}

test('one beam is what is chosen token by token, and a search can be given up', async () => {
  const {pass} = await model.attend('the cat sat on the mat');
  const plain = await model.generate(pass, {tokens: 8});
  assert.deepEqual(await model.generate(pass, {tokens: 8, beams: 1, lengthPenalty: 2}), plain);
  /** @type {string[]} */
  const seen = [];
  const controller = new AbortController();
  const stopped = model.generate(pass, {
    beams: 3,
    signal: controller.signal,
    onProgress: ({done, total, text}) => {
      seen.push(text);
      assert.equal(total, 20);
      if (done === 3) controller.abort();
    },
  });
  await assert.rejects(stopped, {name: 'AbortError'});
  assert.equal(seen.length, 3);
});

test('a search tells whole characters of the best so far, and its text at the end', async () => {
  for (const begun of ['the', 'café 東京', 'a b c', '']) {
    const {pass} = await model.attend(`${begun} the cat`);
    /** @type {string[]} */
    const told = [];
    const onProgress = (/** @type {{text: string}} */ {text}) => void told.push(text);
    const {text} = await model.generate(pass, {tokens: 12, beams: 6, onProgress});
    // Eight bytes that begin no character are given up waiting for.
    const isCut = told.some((each) => /(?<!\ufffd)\ufffd{1,7}$/.test(each));
    assert.ok(!isCut, JSON.stringify(told));
    const last = told.at(-1) ?? '';
    assert.ok(text.startsWith(last), `${JSON.stringify(text)} and ${JSON.stringify(last)}`);
  }
});

test('drawing from one token alone is taking the likeliest', async () => {
  const {pass} = await model.attend('the cat sat on the mat');
  const likeliest = (await model.generate(pass, {tokens: 8})).ids;
  for (const only of [{topK: 1}, {topP: 0}])
    assert.deepEqual(
      (await model.generate(pass, {tokens: 8, temperature: 1, seed: 3, ...only})).ids,
      likeliest,
    );
});

test('settings that make no sense are refused', async () => {
  const {pass} = await model.attend('the cat');
  for (const [options, message] of /** @type {[GenerateOptions, string][]} */ ([
    [{topK: -1}, 'generate.topK: expected a whole number from 0 to 2147483648, found -1'],
    [{topP: 1.5}, 'generate.topP: expected a number from 0 to 1, found 1.5'],
    [{beams: 0}, 'generate.beams: expected a whole number from 1 to 64, found 0'],
    [
      {beams: 2, lengthPenalty: 11},
      'generate.lengthPenalty: expected a number from -10 to 10, found 11',
    ],
    [
      {beams: 2, earlyStopping: /** @type {any} */ (1)},
      'generate.earlyStopping: expected true or false, found 1',
    ],
    [
      {beams: 2, temperature: 0.5},
      'generate: expected 1 beam where tokens are drawn, found 2 beams and a temperature of 0.5',
    ],
    [
      {repetitionPenalty: 0},
      'generate.repetitionPenalty: expected a number from 0.01 to 100, found 0',
    ],
  ]))
    await assert.rejects(model.generate(pass, options), {
      code: 'bad-option',
      message,
    });
});

test('more beams than there is memory for are refused before anything is kept', () => {
  const gpt2 = {layers: 12, heads: 12, hiddenSize: 768};
  requireMemory(14, 1024, gpt2);
  requireMemory(7, 1024, {...gpt2, headSize: 128});
  assert.throws(() => requireMemory(8, 1024, {...gpt2, headSize: 128}), {code: 'out-of-memory'});
  assert.throws(() => requireMemory(2, 16_384, gpt2), {
    message: /^generate: expected beams of at most 7281 tokens, found 16384: /,
  });
  requireMemory(2, 7281, gpt2);
  assert.throws(() => requireMemory(15, 1024, gpt2), {
    code: 'out-of-memory',
    message:
      'generate: expected at most 14 beams of 1024 tokens, found 15: the keys and values of each take 75497472 bytes, and there is room for 1073741824',
  });
});
