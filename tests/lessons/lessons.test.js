/** Tests lessons without a browser: their steps and texts, addresses and files. */

import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {test} from 'node:test';
import {tokenizeBatch} from '../../web/engine/text/token-batch.js';
import {Tokenizer} from '../../web/engine/text/tokenizer.js';
import {lessons} from '../../web/lessons/index.js';
import {carryOver, formatStep, parseModel, parseStep} from '../../web/lessons/lesson-address.js';
import {shuffled} from '../../web/lessons/encoder-by-hand/shuffled-order.js';
import {ticks} from '../../web/lessons/parts/line-chart.js';
import {readableModel} from '../../web/lessons/readable-model.js';
import {formatPower} from '../../web/lessons/parts/printed-number.js';
import {preambleOf} from '../../web/lessons/parts/same-numbers.js';
import {indicesOf} from '../../web/lessons/parts/tensor.js';
import {course} from '../../web/strings/en/lessons/index.js';
import {languageNames} from '../../web/strings/language.js';
import {parseRoute} from '../../web/routes/routes.js';

/** @import {AnswerSheet} from '../../web/lessons/answers/answer-fields.js' */
/** @import {Step} from '../../web/lessons/step.js' */
/** @import {LessonText} from '../../web/lessons/lesson-text.js' */
/** @import {Language} from '../../web/strings/language.js' */

/** Whether a lesson watches a whole model at work. @param {string} id */
const isWatched = (id) =>
  ['guess-the-word', 'why-written', 'learned-heads', 'does-it-matter'].includes(id);

/** @type {Record<string, LessonText>} */
const texts = course.lessons;

test('no lesson speaks, in any language, of a notebook that its reader may not have', async () => {
  /** @type {Record<Language, RegExp>} */
  const called = {en: /notebook/i, zh: /笔记本/, es: /cuaderno/i};
  for (const [language, name] of Object.entries(called)) {
    const {course} = await import(`../../web/strings/${language}/lessons/index.js`);
    for (const said of textsIn(course)) assert.doesNotMatch(said, name, language);
  }
});

/** All texts in strings, those that functions make too. @param {unknown} strings @returns {string[]} */
function textsIn(strings) {
  if (typeof strings === 'object' && strings) return Object.values(strings).flatMap(textsIn);
  return [String(strings)];
}

test('each lesson has its steps, and each step has a text, a question and, if it builds something, PyTorch code', async () => {
  for (const {id, steps} of lessons) {
    const found = (await import(`../../web/lessons/${id}/steps.js`)).steps;
    const names = steps.map((step) => step.id);
    assert.deepEqual(Object.keys(found), names, id);
    assert.deepEqual(Object.keys(texts[id].steps), names, id);
    for (const name of names) {
      const {title, prose, question, answer} = texts[id].steps[name];
      assert(title && prose && question.endsWith('?') && answer, `${id}/${name}`);
      assert.equal('code' in found[name], !isWatched(id), `${id}/${name}`);
    }
  }
});

test('the documentation links to steps that exist, the same ones in each language', async () => {
  const linked = await Promise.all(
    Object.keys(languageNames).map(async (language) => {
      const written = new URL(`../../web/strings/${language}/docs.js`, import.meta.url);
      const links = (await readFile(written, 'utf8')).matchAll(
        /\(#\/lessons\/(?!plan\/)(\w[^)]*\/[^)]*)\)/g,
      );
      return [...links].map(([, step]) => step);
    }),
  );
  assert(linked[0].length > 20);
  for (const others of linked) assert.deepEqual(others, linked[0]);
  const known = lessons.flatMap(({id, steps}) => steps.map((step) => `${id}/${step.id}`));
  for (const each of linked[0]) assert(known.includes(each.split('?')[0]), each);
});

/** @type {Step} */
const step = {
  sentences: ['a b', 'c'],
  choices: {seed: 0, causal: false, which: 'best'},
  compute: async () => null,
  widget: () => /** @type {any} */ (null),
  code: '',
};

test('an address has only what the reader changed in a step', () => {
  const input = {
    sentences: ['a & b', 'c'],
    choices: {seed: 3, causal: true, which: 'best'},
  };
  /** @type {AnswerSheet} */
  const sheet = {name: 'Ana', answers: {y: {said: 'yes & no', verdict: 'open'}}};
  const shown = {large: true, present: true, model: 'hub:a/b', sheet};
  const hash = formatStep('x', 'y', step, {...input, ...shown});
  assert.equal(
    hash,
    '#/lessons/x/y?model=hub%3Aa%2Fb&text=a+%26+b&seed=3&causal=true&large=1&present=1&name=Ana&a-y=yes+%26+no.o',
  );
  assert.deepEqual(parseStep(/** @type {any} */ (parseRoute(hash)), step), input);
  assert.equal(parseModel(/** @type {any} */ (parseRoute(hash))), 'hub:a/b');
  const plain = {
    sentences: [...step.sentences],
    choices: {...step.choices},
    large: false,
    present: false,
    model: '',
  };
  assert.equal(formatStep('x', 'y', step, plain), '#/lessons/x/y');
});

test('a value of the wrong kind in an address is replaced by the initial one', () => {
  const route = parseRoute('#/lessons/x/y?seed=-1&causal=perhaps&other=1');
  assert.deepEqual(parseStep(/** @type {any} */ (route), step).choices, step.choices);
});

test('the next step takes over sentences and choices that begin the same in both steps', () => {
  const input = {sentences: ['mine', 'yours'], choices: {seed: 3, causal: true, which: 'paper'}};
  const next = {...step, sentences: ['c', 'd'], choices: {seed: 0, causal: true, heads: 8}};
  assert.deepEqual(carryOver(step, input, next), {
    sentences: ['yours', 'd'],
    choices: {seed: 3, causal: true, heads: 8},
  });
});

test('no choice of a step has the name of another field of its address', async () => {
  for (const {id} of lessons) {
    const {steps} = await import(`../../web/lessons/${id}/steps.js`);
    for (const {choices = {}} of /** @type {Step[]} */ (Object.values(steps)))
      for (const name of Object.keys(choices))
        assert.doesNotMatch(name, /^(name|model|text|pair|large|a-.*)$/, id);
  }
});

test('what a step takes over from the notebook are choices that it has, of the same kind', async () => {
  let count = 0;
  for (const {id} of lessons) {
    const {steps} = await import(`../../web/lessons/${id}/steps.js`);
    for (const [name, {choices = {}, bertBase}] of Object.entries(
      /** @type {Record<string, Step>} */ (steps),
    )) {
      if (!bertBase) continue;
      count++;
      for (const [choice, value] of Object.entries(bertBase))
        assert.equal(typeof choices[choice], typeof value, `${id}/${name}: ${choice}`);
    }
  }
  assert(count > 20, `${count} steps have a button for bert-base`);
});

test('a number too small for its digits is printed as a power of ten', () => {
  assert.equal(formatPower(1.7354e-13, 3), '1.7e−13');
  assert.equal(formatPower(-0.0004, 3), '−4.0e−4');
  assert.equal(formatPower(0.0005, 3), '0.001');
  assert.equal(formatPower(0, 3), '0.000');
  assert.equal(formatPower(-12.34, 1), '−12.3');
});

test('code comes with the definitions that it needs, those of its definitions, and no others', () => {
  const preamble = preambleOf('x = embedding([1], 4, seed=0)', false);
  const names = [...preamble.matchAll(/^def (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual(names, ['numbers', 'part', 'uniform', 'normal', 'embedding']);
  assert.match(preamble, /^import numpy as np\nimport torch/);
  assert.match(preambleOf('print(model)', true), /AutoModel\.from_pretrained/);
});

test('a shuffle keeps every token and always changes the order', () => {
  for (let count = 2; count < 8; count++) {
    for (let seed = 0; seed < 40; seed++) {
      const order = shuffled(count, seed);
      assert.deepEqual(
        [...order].sort((a, b) => a - b),
        [...order.keys()],
      );
      assert(order.some((from, to) => from !== to));
    }
  }
  assert.deepEqual(shuffled(1, 5), [0]);
});

test('a position in a tensor’s data gives its indices', () => {
  assert.deepEqual(indicesOf(0, [2, 3, 4]), [0, 0, 0]);
  assert.deepEqual(indicesOf(23, [2, 3, 4]), [1, 2, 3]);
  assert.deepEqual(indicesOf(13, [2, 3, 4]), [1, 0, 1]);
});

test('an axis has a few round numbers', () => {
  assert.deepEqual(ticks(0, 24), [0, 5, 10, 15, 20]);
  assert.deepEqual(ticks(-3, 3), [-3, -2, -1, 0, 1, 2, 3]);
  assert.deepEqual(
    ticks(0, 0.5).map((tick) => tick.toFixed(1)),
    ['0.0', '0.1', '0.2', '0.3', '0.4', '0.5'],
  );
});

test('the lesson opens the paper’s head 3-1, layer 2, head 0, in a model like bert-base', async () => {
  const {steps} = await import('../../web/lessons/reading-heads/steps.js');
  const shape = {layers: 12, heads: 12};
  const statistics = {previous: new Float32Array(144), next: new Float32Array(144)};
  statistics.next[2 * 12] = 0.75;
  statistics.previous[3 * 12 + 5] = 0.5;
  const attend = async () => ({headStatistics: async () => ({statistics})});
  const compute = (/** @type {string} */ which) =>
    steps['previous-token'].compute(/** @type {any} */ ({model: {shape, attend}}), {
      sentences: ['a b'],
      choices: {which},
    });
  const {previous, next, which} = await compute('');
  assert.equal(which, 'paper');
  assert.deepEqual(next.paper, {layer: 2, head: 0, value: 0.75});
  assert.deepEqual(previous.best, {layer: 3, head: 5, value: 0.5});
  assert.equal((await compute('no such')).which, 'paper');
  assert.equal((await compute('next')).which, 'next');
});

test('lessons spell byte-level tokens as letters, and leave a Ġ of WordPiece alone', async () => {
  const {steps} = await import('../../web/lessons/encoder-by-hand/steps.js');
  /** @param {Record<string, string>} files @param {string} text */
  const tokensOf = async (files, text) => {
    const tokenizer = new Tokenizer(files, 'a model');
    const {isByteLevel} = tokenizer;
    const tokenize = async (/** @type {string[]} */ texts, /** @type {object} */ options) =>
      tokenizeBatch(tokenizer, texts, {...options, maxTokens: 64});
    const model = readableModel(
      /** @type {any} */ ({isByteLevel, tokenize, config: {vocabulary: 1}}),
    );
    const {tokens} = await steps.ids.compute(/** @type {any} */ ({model}), {
      sentences: [text],
      choices: {},
    });
    return tokens.join(' ');
  };
  const roberta = new URL('../golden/roberta/', import.meta.url);
  const files = Object.fromEntries(
    await Promise.all(
      ['vocab.json', 'merges.txt'].map(async (name) => [
        name,
        await readFile(new URL(name, roberta), 'utf8'),
      ]),
    ),
  );
  assert.equal(await tokensOf(files, 'the cat é'), 't he ▁cat ▁ <0xC3> <0xA9>');
  const words = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', 'a', '\u{13000}', 'Ġorġ', 'kiel'];
  const cased = {
    'vocab.txt': words.join('\n'),
    'tokenizer_config.json': JSON.stringify({do_lower_case: false}),
  };
  assert.equal(await tokensOf(cased, 'Ġorġ kiel'), 'Ġorġ kiel');
});
