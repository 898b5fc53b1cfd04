/** Compares what tokens contribute to an answer with PyTorch's, and asks for answers that there are not. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {loadModel} from '../../../scripts/cli/engine.mjs';
import {defaultModel} from '../../../scripts/cli/source.mjs';
import {methodsOf} from '../../../web/attention/contributions.js';
import {methods} from '../../../web/engine/methods.js';
import {
  expectedOf,
  fromRoot,
  goldenModels,
  largestDifference,
  loadGolden,
  part,
  readTensors,
  TOLERANCE,
} from '../support.js';

/** @import {ExplainTarget} from '../../../web/engine/host/explanations.js' */
/** @import {Method} from '../../../web/engine/methods.js' */

const names = methodsOf({});
const expected = await readTensors(fromRoot('tests/golden/contributions.safetensors'));
const gradients = await readTensors(fromRoot('tests/golden/gradients.safetensors'));
/** What make_contributions_golden.py explains. */
const WORD = {token: 4, id: 7};
/** make_gradient_golden.py sets the word against this one. */
const OTHER_ID = 11;

const model = await loadGolden('odd-sizes');
const {pass, tokens} = await model.attend('time flies like [MASK]', {
  pair: 'fruit flies like a banana',
});

const sumOf = (/** @type {Float32Array} */ values) => values.reduce((a, b) => a + b, 0);

// Models with norms before the parts of their layers are not explained.
const explained = goldenModels.filter((name) => `${name}.norm.matrix` in expected);

for (const name of explained) {
  test(`contributions in ${name} match PyTorch’s`, async (t) => {
    const golden = await loadGolden(name);
    const {input_ids: ids, token_type_ids: types, attention_mask: mask} = await expectedOf(name);
    const length = sumOf(Float32Array.from(part(mask, 0)));
    const {pass: first} = await golden.encoder.run({
      ids: Int32Array.from(part(ids, 0)).slice(0, length),
      tokenTypes: Int32Array.from(part(types, 0)).slice(0, length),
      lengths: Int32Array.of(length),
    });
    const differences = [];
    for (const method of names.filter((each) => /one|value/.test(methods[each].sum))) {
      const {matrix, layers = []} = await golden.explain(first, method, 'vector');
      const recorded = expected[`${name}.${method}.matrix`] ?? expected[`${name}.decompx.vector`];
      differences.push(largestDifference(matrix ?? [], recorded.data));
      layers.forEach((layer, index) => {
        const ofLayer = part(expected[`${name}.${method}.layers`], index);
        differences.push(largestDifference(layer, ofLayer));
      });
    }
    if (golden.predictionHeads.maskedLm) {
      const {contributions, value} = await golden.explain(first, 'decompx', WORD);
      differences.push(largestDifference(contributions, expected[`${name}.decompx.word`].data));
      differences.push(Math.abs(value - expected[`${name}.word`].data[0]));
    }
    for (let label = 0; label < golden.predictionHeads.labels; label++) {
      const {contributions} = await golden.explain(first, 'decompx', {label});
      const {shape, data} = expected[`${name}.decompx.class`];
      const ofLabel = data.filter((_, at) => at % shape[1] === label);
      differences.push(largestDifference(contributions, ofLabel));
    }
    if (golden.predictionHeads.maskedLm) {
      const found = await golden.explain(first, 'gradient', WORD, {instead: OTHER_ID});
      const {data} = gradients[`${name}.contrast.gradient`];
      differences.push(largestDifference(found.contributions, data));
      differences.push(Math.abs(found.value - gradients[`${name}.contrast.values`].data[0]));
    }
    const {contributions} = await golden.explain(first, 'gradient', 'vector');
    differences.push(largestDifference(contributions, gradients[`${name}.vector.gradient`].data));
    const worst = Math.max(...differences);
    t.diagnostic(`largest difference ${worst.toExponential(1)}`);
    assert(worst <= TOLERANCE.contributions, `${worst}`);
  });
}

test('in the embedded model, shares sum to 1 and signed contributions to the answer', async (t) => {
  const embedded = await loadModel(await defaultModel());
  const attended = await embedded.attend('time flies like an [MASK], she said to the man.');
  for (const target of /** @type {ExplainTarget[]} */ (['mask', 'vector'])) {
    for (const method of names) {
      const found = await embedded.explain(attended.pass, method, target);
      const {sum} = methods[method];
      const total = sumOf(found.contributions);
      if (sum === 'one') assert(Math.abs(total - 1) <= TOLERANCE.contributions, method);
      if (sum === 'value') assert(Math.abs(total - found.value) <= TOLERANCE.contributions);
      if (sum === 'value') assert(Math.abs(Number(found.remainder)) <= TOLERANCE.contributions);
      assert.equal('remainder' in found, sum !== 'nothing', method);
      if (sum === 'difference') {
        const difference = found.value - Number(found.baseline);
        t.diagnostic(`integrated gradients sum to ${total}, of a difference of ${difference}`);
        assert(Math.abs(total - difference) <= 0.01 * Math.abs(difference));
      }
      assert.deepEqual(found.tokens, attended.tokens);
    }
  }
  const {target, value} = await embedded.explain(attended.pass, 'decompx');
  const [{top}] = await embedded.predictions(attended.pass, 1);
  assert.deepEqual(target, {token: 5, id: top[0].id, word: top[0].token});
  const logits = await embedded.pull(attended.pass, 'wordLogits', [6, 5]);
  t.diagnostic(`the logit is ${value}, with int8 activations ${logits[top[0].id]}`);
  assert(Math.abs(value - logits[top[0].id]) < 0.5);
});

test('a target is a word, an id, a class by its name, or the vector', async () => {
  const answers = /** @type {[ExplainTarget, object | string][]} */ ([
    [
      {token: 4, word: 'the'},
      {token: 4, id: 63, word: 'the'},
    ],
    [
      {token: 4, word: '##ing'},
      {token: 4, id: 87, word: '##ing'},
    ],
    [
      {token: 2, id: 9},
      {token: 2, id: 9, word: 'e'},
    ],
    ['vector', 'vector'],
  ]);
  for (const [target, named] of answers) {
    assert.deepEqual((await model.explain(pass, 'alti', target)).target, named);
  }
  for (const [name, word] of [
    ['roberta', 'Ġthe'],
    ['albert', '▁the'],
  ]) {
    const other = await loadGolden(name);
    const {pass: plain} = await other.attend('cat');
    const {target} = await other.explain(plain, 'alti', {token: 1, word: 'the'});
    assert.equal(/** @type {{word: string}} */ (target).word, word);
  }
  const classifier = await loadGolden('distilbert-sst');
  const {pass: classified} = await classifier.attend('time flies');
  const {target} = await classifier.explain(classified, 'norm', 'class:POSITIVE');
  assert.deepEqual(target, {label: 1, name: 'POSITIVE'});
});

test('a token that is to be masked is explained as one', async () => {
  const found = await model.explain(pass, 'alti', {token: 1, word: 'time', masked: true});
  assert.deepEqual(found.tokens, tokens.with(1, '[MASK]'));
  const masked = await model.attend('[MASK] flies like [MASK]', {
    pair: 'fruit flies like a banana',
  });
  const {contributions} = await model.explain(masked.pass, 'alti', {token: 1, word: 'time'});
  assert.deepEqual(found.contributions, contributions);
});

test('an answer is set against another one: the numbers sum to the difference of the logits', async () => {
  const logits = await model.pull(pass, 'wordLogits', [model.shape.layers, 4]);
  const {value, contributions, remainder, instead} = await model.explain(pass, 'decompx', WORD, {
    instead: OTHER_ID,
  });
  assert.ok(Math.abs(value - (logits[WORD.id] - logits[OTHER_ID])) < 1e-4);
  assert.ok(Math.abs(sumOf(contributions) + (remainder ?? NaN) - value) < 1e-4);
  assert.deepEqual({...instead, word: ''}, {token: 4, id: OTHER_ID, word: ''});
  const turned = await model.explain(pass, 'decompx', {token: 4, id: OTHER_ID}, {instead: WORD.id});
  assert.ok(
    largestDifference(
      turned.contributions,
      contributions.map((part) => -part),
    ) < 1e-6,
  );
  const refusals = /** @type {[Method, ExplainTarget, any, RegExp][]} */ ([
    [
      'alti',
      WORD,
      OTHER_ID,
      /expected a method of alti-logit, decompx, gradient, integrated-gradients to tell/,
    ],
    ['decompx', 'vector', OTHER_ID, /expected the target a word or a class/],
    ['decompx', WORD, 1e9, /expected an entry of the vocabulary from 0 to \d+, found 1000000000/],
    ['decompx', WORD, 'no such word', /expected a word that is one token of the vocabulary/],
  ]);
  for (const [method, target, other, message] of refusals)
    await assert.rejects(model.explain(pass, method, target, {instead: other}), {message});
});

test('methods and targets that do not exist are refused', async () => {
  const {pass: plain} = await model.attend('time flies');
  const bare = await loadGolden('camembert');
  const {pass: ofBare} = await bare.attend('time');
  const classifier = await loadGolden('distilbert-sst');
  const {pass: classified} = await classifier.attend('time flies');
  const refusals = /** @type {[typeof model, typeof pass, any, any, string, RegExp][]} */ ([
    [model, pass, 'lime', 'mask', 'bad-option', /a method of norm, .*, found "lime"/],
    [model, pass, 'toString', 'mask', 'bad-option', /a method/],
    [model, plain, 'alti', 'mask', 'bad-target', /a text with \[MASK\]/],
    [model, pass, 'alti', 'word', 'bad-target', /mask, vector, class:LABEL.*found "word"/],
    [model, pass, 'alti', null, 'bad-target', /found null/],
    [model, plain, 'alti', {token: -1}, 'bad-target', /from 0 to 3, found -1/],
    [model, pass, 'alti', {token: 12}, 'bad-target', /from 0 to 11, found 12/],
    [model, pass, 'alti', {token: 1, word: 'xyz'}, 'bad-target', /one token .*found "xyz"/],
    [model, pass, 'alti', {token: 1, word: '漢'}, 'bad-target', /one token/],
    [model, pass, 'alti', {token: 1, id: 101}, 'bad-target', /from 0 to 100, found 101/],
    [model, pass, 'alti', 'class:A', 'no-classifier', /a classifier, found none/],
    [bare, ofBare, 'alti', 'mask', 'no-masked-lm-head', /masked-LM head/],
    [
      classifier,
      classified,
      'alti',
      'class:GOOD',
      'bad-target',
      /NEGATIVE, POSITIVE, found "GOOD"/,
    ],
  ]);
  for (const [asked, of, method, target, code, message] of refusals) {
    await assert.rejects(
      async () => asked.explain(of, method, target),
      (error) => {
        assert.equal(/** @type {any} */ (error).code, code);
        assert.match(/** @type {Error} */ (error).message, message);
        return true;
      },
    );
  }
});

test('an explanation reports its progress and stops when it is aborted', async () => {
  const controller = new AbortController();
  let last = 0;
  const explanation = model.explain(pass, 'value-zeroing', 'mask', {
    signal: controller.signal,
    onProgress: ({done, total}) => {
      assert.equal(total, 1);
      assert(done >= last && done <= 1);
      last = done;
      if (done > 0.3) controller.abort();
    },
  });
  await assert.rejects(explanation, {name: 'AbortError'});
  assert(last > 0.3 && last < 1);
});
