/** Compares classifiers of tokens, and ModernBERT's of texts, with those of transformers. */

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {namedSpans} from '../../../web/engine/host/named-spans.js';
import {readSafetensors} from '../../../web/engine/files/safetensors.js';
import {fromRoot, inChunks, readTensors, runtime} from '../support.js';

const folder = fromRoot('tests/golden/classifiers');
const expected = await readTensors(`${folder}/expected.safetensors`);
/** One word for each entry of the vocabulary of the golden models. */
const vocabulary = [
  '[UNK]',
  '[PAD]',
  '[CLS]',
  '[SEP]',
  ...Array.from('abcdefghijklmnopqrstuvwxyz0123456789'),
];
const labels = ['O', 'B-PER', 'I-PER', 'B-LOC', 'I-LOC'];
const [LABEL, TOKEN] = [2, 3];
/** Where gradient × input is 0, whatever a word is. */
const normalizesWords = new Set(['deberta', 'modernbert']);

/** A tokenizer of all of them. */
const tokenizer = JSON.stringify({
  added_tokens: ['[UNK]', '[PAD]', '[CLS]', '[SEP]', '[MASK]'].map((content, id) => ({
    id,
    content,
    special: true,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
  })),
  normalizer: null,
  pre_tokenizer: {type: 'BertPreTokenizer'},
  post_processor: {
    type: 'TemplateProcessing',
    single: ['[CLS]', 'A', '[SEP]'].map((id) =>
      id === 'A' ? {Sequence: {id, type_id: 0}} : {SpecialToken: {id, type_id: 0}},
    ),
    pair: [],
    special_tokens: Object.fromEntries(
      ['[CLS]', '[SEP]'].map((id) => [id, {id, ids: [vocabulary.indexOf(id)], tokens: [id]}]),
    ),
  },
  decoder: null,
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(vocabulary.map((token, id) => [token, id])),
  },
});

/** @param {string} name @param {'int8' | 'f32'} precision */
async function load(name, precision) {
  const path = `${folder}/${name}`;
  const config = JSON.parse(readFileSync(`${path}.json`, 'utf8'));
  const files = {
    'config.json': JSON.stringify({...config, id2label: {...labels}}),
    'tokenizer.json': tokenizer,
  };
  const bytes = new Uint8Array(readFileSync(`${path}.safetensors`));
  const open = () => readSafetensors(inChunks(bytes), name);
  return runtime.load({name, path: name, weights: name, files, open}, {precision});
}

/** @param {Awaited<ReturnType<typeof load>>} model @param {string} name */
async function attend(model, name) {
  const ids = expected[`${name}.ids`].data;
  const text = Array.from(ids.slice(1, -1), (id) => vocabulary[id]).join(' ');
  const {pass} = await model.attend(text);
  assert.deepEqual(pass.ids, ids);
  return pass;
}

const names = Object.keys(expected).flatMap((key) =>
  key.endsWith('.ids') ? [key.slice(0, -4)] : [],
);

test('there is a model of each kind', () => assert.equal(names.length, 10));

for (const name of names) {
  const isOfTexts = /-(first|mean)$/.test(name);
  const logits = expected[`${name}.logits`].data;
  const target = isOfTexts ? {label: LABEL} : {label: LABEL, token: TOKEN};

  test(`${name} gives its classes the logits of transformers, and explains them`, async (t) => {
    const model = await load(name, 'f32');
    t.after(() => model.dispose());
    assert.deepEqual(
      [model.predictionHeads.labels, model.predictionHeads.tokenLabels],
      isOfTexts ? [labels.length, 0] : [0, labels.length],
    );
    const pass = await attend(model, name);
    const found = [];
    for (let token = 0; token < (isOfTexts ? 1 : pass.ids.length); token++) {
      const classes = await (isOfTexts ? model.classes(pass) : model.tokenClasses(pass, token));
      found.push(...classes.map(({logit}) => logit));
      assert.deepEqual(
        classes.map(({label}) => label),
        labels,
      );
    }
    near(found, logits, 5e-6, 'logits');

    const value = logits[isOfTexts ? LABEL : TOKEN * labels.length + LABEL];
    const method = normalizesWords.has(name.split('-')[0]) ? 'integrated-gradients' : 'gradient';
    const explained = await model.explain(pass, method, target);
    assert(Math.abs(explained.value - value) < 5e-6 * Math.max(...logits.map(Math.abs)));
    const named = {label: LABEL, name: labels[LABEL], ...(isOfTexts ? {} : {token: TOKEN})};
    assert.deepEqual(explained.target, named);
    if (method === 'gradient') {
      near(explained.contributions, expected[`${name}.gradient`].data, 1e-5, 'gradient × input');
    } else {
      const {baseline = 0, remainder = 1} = explained;
      assert(Math.abs(remainder) < 1e-3 * Math.abs(value - baseline), `${remainder} remains`);
      await assert.rejects(model.explain(pass, 'gradient', target), {code: 'not-available'});
    }
    const contrast = await model.explain(pass, method, target, {instead: 'O'});
    assert.equal(/** @type {{name: string}} */ (contrast.instead).name, 'O');
    const rival = await model.explain(pass, method, {...target, label: 0});
    const less = explained.contributions.map((part, at) => part - rival.contributions[at]);
    near(contrast.contributions, less, 1e-6, 'contrast');
  });

  test(`${name} has the same likeliest classes in int8`, async (t) => {
    const [exact, rounded] = [await load(name, 'f32'), await load(name, 'int8')];
    t.after(() => [exact, rounded].forEach((model) => model.dispose()));
    const read = async (/** @type {typeof exact} */ model) => {
      const pass = await attend(model, name);
      const values = [];
      for (let token = 0; token < (isOfTexts ? 1 : pass.ids.length); token++)
        values.push(...(await model.pull(pass, 'classifierLogits', [token])));
      return values;
    };
    const [floats, bytes] = [await read(exact), await read(rounded)];
    const most = Math.max(...floats.map(Math.abs));
    floats.forEach((logit, at) => assert(Math.abs(logit - bytes[at]) < 0.05 * most, `logit ${at}`));
  });
}

test('vectors of DecompX sum to the logit of a token’s class', async (t) => {
  const model = await load('bert', 'f32');
  t.after(() => model.dispose());
  const pass = await attend(model, 'bert');
  const {
    value,
    contributions,
    remainder = 1,
  } = await model.explain(pass, 'decompx', 'class:I-PER@3');
  const sum = contributions.reduce((a, b) => a + b);
  near([sum + remainder], [value], 1e-6, 'sum');
  near([sum], [value], 1e-5, 'sum without the remainder');
  const {order} = await model.deletionCurve(pass, contributions, {target: 'class:I-PER@3'});
  assert(order.includes(3), 'the token itself is not hidden yet');
  const effects = await model.headEffects(pass, {label: LABEL, token: TOKEN});
  assert.deepEqual(effects.target, {label: LABEL, token: TOKEN});
  assert(effects.change.some((change) => Math.abs(change) > 1e-3));
});

test('a classifier of tokens is asked for a token, and one of texts is not', async (t) => {
  const model = await load('bert', 'f32');
  t.after(() => model.dispose());
  const pass = await attend(model, 'bert');
  await assert.rejects(model.classes(pass), {
    code: 'no-classifier',
    message: /expected weights with a classifier of texts, found one of tokens$/,
  });
  await assert.rejects(model.tokenClasses(pass, 9), {
    code: 'bad-target',
    message: /expected a token of the text from 0 to 8, found 9$/,
  });
  await assert.rejects(model.explain(pass, 'gradient'), {
    code: 'bad-target',
    message: /expected the target a class and a token that has it, found nothing$/,
  });
  for (const [target, message] of /** @type {const} */ ([
    ['class:O', /expected a class and a token that has it, such as class:O@1, found "class:O"$/],
    ['class:X@1', /expected a class of O, B-PER, I-PER, B-LOC, I-LOC, found "X"$/],
    [{label: 1}, /expected the target a class and a token that has it, found an object$/],
    [{label: 5, token: 1}, /expected a class from 0 to 4, found 5$/],
  ]))
    await assert.rejects(model.explain(pass, 'gradient', target), {code: 'bad-target', message});
});

test('tokens in a row are joined to spans as by transformers', () => {
  const cases = JSON.parse(readFileSync(`${folder}/spans.json`, 'utf8'));
  assert(cases.length >= 60);
  for (const {tokens, spans} of cases) {
    const classes = tokens.map(
      (/** @type {[string, number]} */ [label, probability], /** @type {number} */ token) => ({
        token,
        label,
        probability,
      }),
    );
    const found = namedSpans(classes);
    assert.deepEqual(
      found.map(({label, begin, end}) => [label, begin, end]),
      spans.map((/** @type {unknown[]} */ span) => span.slice(0, 3)),
    );
    found.forEach(({probability}, at) => assert(Math.abs(probability - spans[at][3]) < 1e-6));
  }
});

test('spans are of the likeliest classes, without the special tokens', async (t) => {
  const model = await load('modernbert', 'f32');
  t.after(() => model.dispose());
  const pass = await attend(model, 'modernbert');
  const spans = await model.namedSpans(pass);
  // By the logits of transformers: O, B-PER, I-LOC, O, B-PER, I-LOC, I-LOC, I-LOC, O.
  const found = spans.map(({label, begin, end}) => [label, begin, end]);
  assert.deepEqual(found, [['PER', 1, 2], ['LOC', 2, 3], ['PER', 4, 5], ['LOC', 5, 8]]); // prettier-ignore
  const classes = await model.tokenClasses(pass, 4);
  assert(Math.abs(spans[2].probability - classes[labels.indexOf('B-PER')].probability) < 1e-6);
});

/**
 * @param {ArrayLike<number>} actual
 * @param {ArrayLike<number>} wanted
 * @param {number} limit  as a share of the greatest
 * @param {string} what
 */
function near(actual, wanted, limit, what) {
  assert.equal(actual.length, wanted.length);
  const most = Math.max(...Array.from(wanted, Math.abs));
  const worst = Math.max(...Array.from(actual, (value, at) => Math.abs(value - wanted[at])));
  assert(worst <= limit * most, `${what}: ${worst} of ${most}`);
}
