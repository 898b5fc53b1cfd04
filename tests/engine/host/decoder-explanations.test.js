/** Compares what explains a decoder's answers with PyTorch's, and asks for what there is not. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  expectedOf,
  fromRoot,
  largestDifference,
  loadGolden,
  part,
  readTensors,
} from '../support.js';

const expected = await readTensors(fromRoot('tests/golden/decoders.safetensors'));
/** What make_decoder_golden.py explains. */
const [WORD_ID, OTHER_ID] = [7, 11];
const MASKED_TOKEN = 4;
const [PATCHED_TOKEN, PATCHED_ID] = [1, 9];
/** A share of the largest value of each kind. */
const TOLERANCE = 5e-6;
/** Shares are quotients of differences of logits, which are smaller than these. */
const PATCH_TOLERANCE = 2e-5;

const sumOf = (/** @type {ArrayLike<number>} */ values) =>
  Array.from(values).reduce((a, b) => a + b, 0);

/** @param {ArrayLike<number>} found @param {string} name @returns {number} */
function relativeDifference(found, name) {
  const {data} = expected[name];
  const largest = Math.max(...Array.from(data, Math.abs));
  return largestDifference(found, data) / (largest || 1);
}

/** The first sequence of a golden model, without its padding. @param {string} name */
async function firstText(name) {
  const model = await loadGolden(name);
  const {input_ids: ids, attention_mask: mask} = await expectedOf(name);
  const length = sumOf(part(mask, 0));
  const {pass} = await model.encoder.run({
    ids: Int32Array.from(part(ids, 0)).slice(0, length),
    tokenTypes: new Int32Array(length),
    lengths: Int32Array.of(length),
  });
  const token = model.config.isCausal ? length - 1 : MASKED_TOKEN;
  return {model, pass, target: {token, id: WORD_ID}};
}

for (const name of ['gpt2', 'llama', 'qwen2', 'qwen3', 'gpt_neox', 'llama3']) {
  test(`gradients, the parts of a logit and ALTI-Logit in ${name} match PyTorch’s`, async (t) => {
    const {model, pass, target} = await firstText(name);
    const gradient = await model.explain(pass, 'gradient', target);
    const contrast = await model.explain(pass, 'gradient', target, {instead: OTHER_ID});
    const parts = await model.logitAttribution(pass, target);
    const ofLogit = await model.explain(pass, 'alti-logit', target);
    const ofBoth = await model.explain(pass, 'alti-logit', target, {instead: OTHER_ID});
    const ofOther = await model.explain(pass, 'alti-logit', {...target, id: OTHER_ID});
    const differences = [
      relativeDifference(ofLogit.contributions, `${name}.alti-logit`),
      relativeDifference(gradient.contributions, `${name}.gradient`),
      relativeDifference(contrast.contributions, `${name}.contrast.gradient`),
      relativeDifference(parts.heads, `${name}.heads`),
      relativeDifference(parts.feedForward, `${name}.feed_forward`),
      relativeDifference(parts.attentionBiases, `${name}.attention_biases`),
      relativeDifference([parts.words, parts.positions], `${name}.embeddings`),
      relativeDifference([parts.bias], `${name}.bias`),
    ];
    const worst = Math.max(...differences);
    t.diagnostic(`largest difference ${worst.toExponential(1)} of the largest value`);
    assert(worst <= TOLERANCE, `${differences}`);
    const {heads, feedForward, attentionBiases, words, positions, bias, remainder, value} = parts;
    const whole = [heads, feedForward, attentionBiases, [words, positions, bias, remainder]];
    assert(Math.abs(sumOf(whole.map(sumOf)) - value) < 1e-5);
    assert(Math.abs(remainder) < 1e-5);
    // What no word adds is what the feed-forward networks, the biases and the token itself do.
    const rest = sumOf([sumOf(feedForward), sumOf(attentionBiases), words, positions, bias]);
    assert(Math.abs((ofLogit.remainder ?? NaN) - rest) < 1e-5);
    assert.deepEqual(
      ofBoth.contributions,
      ofLogit.contributions.map((amount, at) => amount - ofOther.contributions[at]),
    );
    const [first, second] = expected[`${name}.values`].data;
    assert(Math.abs(contrast.value - (first - second)) < 1e-4);
    model.dispose();
  });
}

const families = ['gpt2', 'llama', 'qwen2', 'qwen3', 'gpt_neox', 'llama3', 'modernbert'];

for (const name of families) {
  test(`norms and Value Zeroing in ${name} match PyTorch’s`, async (t) => {
    const {model, pass, target} = await firstText(name);
    for (const method of /** @type {const} */ (['norm', 'value-zeroing'])) {
      const {contributions, layers = [], remainder} = await model.explain(pass, method, target);
      const ofLayers = layers.flatMap((layer) => [...layer]);
      const worst = Math.max(
        relativeDifference(ofLayers, `${name}.${method}.layers`),
        relativeDifference(contributions, `${name}.${method}`),
      );
      t.diagnostic(`${method}: largest difference ${worst.toExponential(1)} of the largest value`);
      assert(worst <= TOLERANCE, `${method}: ${worst}`);
      assert(Math.abs(sumOf(contributions) - 1) < 1e-5);
      assert.equal(remainder, 0);
    }
    model.dispose();
  });
}

for (const name of families) {
  test(`what patches from another text move in ${name} matches PyTorch’s`, async (t) => {
    const {model, pass, target} = await firstText(name);
    const ids = Int32Array.from(pass.ids);
    ids[PATCHED_TOKEN] = PATCHED_ID;
    const {pass: from} = await model.encoder.run({...pass, ids});
    const hidden = await model.patch(pass, from, {target});
    const heads = await model.patch(pass, from, {target, what: 'heads'});
    const {layers} = model.shape;
    assert.deepEqual(hidden.shape, [layers + 1, ids.length]);
    // After the last layer only the state that the word is read from moves anything.
    const last = hidden.map.subarray(layers * ids.length);
    assert.deepEqual(
      [...last],
      Array.from(ids, (_, at) => Number(at === target.token)),
    );
    const worst = Math.max(
      relativeDifference(hidden.map.subarray(0, layers * ids.length), `${name}.patch.hidden`),
      relativeDifference(heads.map, `${name}.patch.heads`),
    );
    t.diagnostic(`largest difference ${worst.toExponential(1)} of the largest value`);
    assert(worst <= PATCH_TOLERANCE, `${worst}`);
    model.dispose();
  });
}

test('the parts of a logit tell one word from another, and the likeliest one unless another is given', async () => {
  const model = await loadGolden('gpt2');
  const attended = await model.attend('the cat sat on the');
  const {pass, tokens} = attended;
  const found = await model.logitAttribution(pass);
  const [{top}] = await model.predictions(pass, 2, {places: [tokens.length - 1]});
  const {token: word, id} = top[0];
  assert.deepEqual(found.target, {token: tokens.length - 1, id, word});
  assert.deepEqual(found.tokens, tokens);
  assert.equal(found.heads.length, model.shape.layers * model.shape.heads);
  const contrast = await model.logitAttribution(pass, undefined, {instead: top[1].id});
  const rival = await model.logitAttribution(pass, {token: tokens.length - 1, id: top[1].id});
  assert.deepEqual(contrast.instead, {token: tokens.length - 1, id: top[1].id, word: top[1].token});
  assert.equal(contrast.value, found.value - rival.value);
  assert.deepEqual(
    contrast.heads,
    found.heads.map((amount, at) => amount - rival.heads[at]),
  );
  const sum =
    sumOf([contrast.words, contrast.positions, contrast.bias, contrast.remainder]) +
    sumOf([contrast.heads, contrast.feedForward, contrast.attentionBiases].map(sumOf));
  assert(Math.abs(sum - contrast.value) < 1e-5);
  model.dispose();
});

test('a head that is off has no part, and integrated gradients begin at the end of a text', async () => {
  const model = await loadGolden('gpt2');
  const interventions = {heads: [{layer: 1, head: 2, scale: 0}], layersOff: [2]};
  const {pass, ids} = await model.attend('the cat sat on the', {interventions});
  const {heads, feedForward} = await model.logitAttribution(pass);
  assert.equal(heads[model.shape.heads + 2], 0);
  assert(heads.subarray(2 * model.shape.heads).every((amount) => amount === 0));
  assert.equal(feedForward[2], 0);
  const explained = await model.explain(pass);
  assert.equal(explained.method, 'integrated-gradients');
  const {contributions, value, baseline = NaN, remainder = NaN} = explained;
  assert(Math.abs(sumOf(contributions) + remainder - (value - baseline)) < 1e-4);
  assert(Math.abs(remainder) < 0.01 * sumOf(contributions.map(Math.abs)));
  const {pass: ended} = await model.attend('<|endoftext|>'.repeat(ids.length), {interventions});
  const logits = await model.pull(ended, 'wordLogits', [3, ids.length - 1]);
  const {id} = /** @type {{id: number}} */ (explained.target);
  assert(Math.abs(logits[id] - baseline) < 1e-4);
  model.dispose();
});

test('a logit that is no sum of parts, and answers that are no words, are refused with the reason', async () => {
  const bert = await loadGolden('odd-sizes');
  const {pass} = await bert.attend('time flies like [MASK]');
  await assert.rejects(bert.logitAttribution(pass), {
    code: 'not-available',
    message: /found norms that come after each part and change the sum/,
  });
  bert.dispose();
  const model = await loadGolden('gpt2');
  const {pass: ofDecoder} = await model.attend('the cat');
  await assert.rejects(model.logitAttribution(ofDecoder, 'vector'), {
    message: /expected a word, found an answer of another kind/,
  });
  await assert.rejects(model.logitAttribution(ofDecoder, {token: 9}), {code: 'bad-target'});
  const [{top}] = await model.predictions(ofDecoder, 1, {places: [ofDecoder.ids.length - 1]});
  await assert.rejects(model.logitAttribution(ofDecoder, undefined, {instead: top[0].id}), {
    code: 'same-answer',
  });
  model.dispose();
});
