/** Tests that the steps about the model that writes dates show its arithmetic, and what the lesson says of it. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {steps} from '../../web/lessons/encoder-and-decoder/steps.js';
import {fromRoot, part, readTensors} from '../engine/support.js';
import {compute as computeStep, dates, toolsOf} from './embedded-models.js';

/** @import {Step} from '../../web/lessons/step.js' */
/** @import {Tensor} from '../../web/lessons/parts/tensor.js' */

/**
 * Computes a step of the lesson.
 *
 * @param {keyof typeof steps} name
 * @param {Parameters<typeof computeStep>[1]} [input]
 * @returns {Promise<any>}
 */
const compute = (name, input) => computeStep(/** @type {Step} */ (steps[name]), input);

/**
 * The engine's answer to the question of a step.
 *
 * @param {keyof typeof steps} name
 * @param {string} sentence
 */
async function found(name, sentence) {
  const step = /** @type {Step} */ (steps[name]);
  const input = {sentences: [sentence], choices: {...step.choices}};
  return step.asked?.find(toolsOf(step), input, await computeStep(step, input));
}

/** @param {Tensor} tensor  [1, rows, columns] or [rows, columns] */
function rowsOf({shape, data}) {
  const columns = shape[shape.length - 1];
  return Array.from({length: data.length / columns}, (_, row) =>
    Array.from(data.subarray(row * columns, (row + 1) * columns)),
  );
}

/** @param {number[]} scores */
function softmax(scores) {
  const most = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const sum = powers.reduce((a, b) => a + b);
  return powers.map((power) => power / sum);
}

/**
 * Attention from its definition, in double precision.
 *
 * @param {Tensor} query
 * @param {Tensor} key
 * @param {{isCausal?: boolean}} [options]
 */
function attention(query, key, {isCausal = false} = {}) {
  return rowsOf(query).map((q, at) => {
    const scores = rowsOf(key).map((k, other) => {
      if (isCausal && other > at) return -Infinity;
      return q.reduce((sum, number, i) => sum + number * k[i], 0) / Math.sqrt(q.length);
    });
    return softmax(scores);
  });
}

/** @param {number[][]} weights @param {Tensor} value */
const mixed = (weights, value) => {
  const values = rowsOf(value);
  return weights.map((row) =>
    values[0].map((_, i) => row.reduce((sum, weight, key) => sum + weight * values[key][i], 0)),
  );
};

/** @param {number[][]} actual @param {number[][]} expected @param {number} limit */
function assertNear(actual, expected, limit = 1e-5) {
  assert.deepEqual(
    actual.map((row) => row.length),
    expected.map((row) => row.length),
  );
  const worst = Math.max(
    ...actual.flatMap((row, i) => row.map((number, j) => Math.abs(number - expected[i][j]))),
  );
  assert(worst <= limit, `differs by ${worst}`);
}

test('the weights of every step are the softmax of its queries and keys', async () => {
  for (const choices of [
    {layer: 0, head: 0, crossLayer: 0, crossHead: 3},
    {layer: 1, head: 2, crossLayer: 1, crossHead: 0},
  ]) {
    const encoder = await compute('encoder', {choices});
    assertNear(rowsOf(encoder.weights), attention(encoder.query, encoder.key));
    const own = await compute('own-attention', {choices});
    const weights = attention(own.query, own.key, {isCausal: true});
    assertNear(rowsOf(own.weights), weights);
    assertNear(rowsOf(own.output), mixed(weights, own.value));
    const cross = await compute('step-by-step', {choices});
    const across = attention(cross.query, cross.key);
    assertNear(rowsOf(cross.weights), across);
    assertNear(rowsOf(cross.output), mixed(across, cross.value));
    // The model itself looks there.
    const {weights: looked} = await compute('looking-across', {choices});
    assertNear(rowsOf(looked), across);
  }
});

test('the steps show what PyTorch computes, as near as int8 weights come', async () => {
  const expected = await readTensors(fromRoot('tests/golden/dates.safetensors'));
  const sentences = ['the twenty-third of March 2021'];
  const written = await compute('in-and-out', {sentences});
  assert.deepEqual([...written.ids.data], [...expected['0.answer'].data]);
  const logits = {shape: [11, 150], data: Float32Array.from(part(expected['0.logits']))};
  assertNear(rowsOf(written.probabilities), rowsOf(logits).map(softmax), 0.02);
  const {all} = await compute('looking-across', {sentences});
  assert.deepEqual(all.shape, [...expected['0.cross'].shape]);
  const cross = part(expected['0.cross']);
  const total = all.data.reduce(
    (/** @type {number} */ sum, /** @type {number} */ weight, /** @type {number} */ i) =>
      sum + Math.abs(weight - cross[i]),
    0,
  );
  assert(total / cross.length < 0.002, `${total / cross.length} on average`);
});

test('the tensors have the shapes that are named, whatever the date', async () => {
  const {shapes} = await compute('in-and-out', {sentences: ['3 May 1955']});
  assert.deepEqual(shapes.memory, [1, 7, 128]);
  assert.deepEqual(shapes.states, [1, 11, 128]);
  assert.deepEqual(shapes.probabilities, [1, 11, 150]);
  const {query, key, value, scores} = await compute('step-by-step', {sentences: ['3 May 1955']});
  assert.deepEqual(
    [query, key, value, scores].map(({shape}) => shape),
    [
      [1, 11, 32],
      [1, 7, 32],
      [1, 7, 32],
      [1, 11, 7],
    ],
  );
  assert.equal(await found('step-by-step', '3 May 1955'), 2 * 4 * 11 * 7);
});

test('with the mask nothing before a changed token moves, and without it one row of weights stays', async () => {
  for (const changed of [0, 5, 9]) {
    const {moved, masked} = await compute('causal-mask', {choices: {changed}});
    const still = moved.lengths.slice(0, changed + 1);
    assert(
      still.every((/** @type {number} */ length) => length === 0),
      `${changed}: ${still}`,
    );
    assert(moved.lengths[changed + 1] > 1, `${moved.lengths}`);
    rowsOf(masked).forEach((row, at) =>
      assert.equal(row.filter(Number.isFinite).length, at + 1, 'scores that are left'),
    );
  }
  const {masked} = await compute('causal-mask', {choices: {mask: false}});
  assert(masked.data.every(Number.isFinite));
  assert.equal(await found('causal-mask', '3 May 1955'), 1);
});

test('the head that was shown where to look points at the words that are being written', async () => {
  const {most, source, written} = await compute('looking-across');
  const pairs = [...most.data].map((key, row) => `${written[row]} ${source[key]}`);
  const digits = [0, 1, 2, 3, 5, 6, 8, 9].map((row) => pairs[row]);
  assert.deepEqual(digits, [
    ...['2 2', '0 0', '2 2', '1 1'],
    ...['0 march', '3 march', '2 twenty', '3 third'],
  ]);
});

test('heads have the habits that the lesson names', async () => {
  const {weights} = await compute('encoder');
  const back = rowsOf(weights).filter((row, at) => row.indexOf(Math.max(...row)) === at - 1);
  assert(back.length >= 6, `${back.length} of ${weights.shape[1]} look one token back`);
  const own = await compute('own-attention');
  const rows = rowsOf(own.weights);
  for (const at of [5, 6, 8, 9]) assert(rows[at][at < 8 ? 5 : 8] > 0.8, `${at}: ${rows[at]}`);
});

test('without its own text the decoder writes no date, and without the other text it always writes the same', async () => {
  for (const text of ['twenty-third of March 2021', '3 May 1955', 'in March']) {
    assert.equal(await found('own-attention', text), 'none', text);
    const {without} = await compute('looking-across', {sentences: [text]});
    assert.equal(without, '1902-03-01', text);
    assert.equal(await found('looking-across', text), 'other', text);
  }
});

test('the encoder’s first vector depends on the last word, and an X is written for what is unsaid', async () => {
  assert.equal(await found('encoder', 'twenty-third of March 2021'), 'yes');
  assert.equal(await found('encoder', '3 May'), 'yes');
  assert.equal(await found('encoder', 'May'), null);
  assert.equal(await found('in-and-out', '3 May 1955'), 'XXXX-03-XX');
});

test('what is given is read as if it were the decoder’s own, and its loss is −log of its probability', async () => {
  const {own, text, rows, losses, probabilities, ids} = await compute('teacher-forcing');
  assert.deepEqual([own, text], ['2021-03-23', '1999-03-23']);
  const reads = rows.map((/** @type {{reads: string}} */ row) => row.reads);
  assert.equal(reads.join(' '), '<s> 1 9 9 9 - 0 3 - 2 3');
  rowsOf(probabilities).forEach((row, at) => {
    assert(Math.abs(row.reduce((a, b) => a + b) - 1) < 1e-5);
    assert(Math.abs(losses[at] + Math.log(row[ids[at]])) < 1e-5);
  });
  const given = losses.subarray(0, 4);
  assert(given.every((/** @type {number} */ loss) => loss > 5) && losses[9] < 0.01, `${losses}`);
  // A whole right date is a step of training: all of it is given, and nothing of it is unexpected.
  const whole = await compute('teacher-forcing', {choices: {given: '2021-03-23'}});
  assert.equal(whole.rows.filter((/** @type {any} */ {isGiven}) => isGiven).length, 10);
  assert(
    whole.losses.every((/** @type {number} */ loss) => loss < 0.01),
    `${whole.losses}`,
  );
  const none = await compute('teacher-forcing', {choices: {given: ' '}});
  assert.equal(none.text, none.own);
});

test('a wrong beginning of the month is not repaired', async () => {
  assert.equal(await found('teacher-forcing', 'twenty-third of March 2021'), 'other');
  assert.equal(await found('teacher-forcing', '3 May 1955'), 'none');
  assert.equal(await found('teacher-forcing', 'in the year 1955'), null);
  const {text} = await compute('teacher-forcing', {
    sentences: ['3 May 1955'],
    choices: {given: '1955-1'},
  });
  assert.equal(text, '1955-15-03');
});

test('one head less changes no digit, its whole layer does, and the word that is looked at most may be missed', async () => {
  assert.equal(await found('cut-edge', 'twenty-third of March 2021'), 'yes');
  const cut = await compute('cut-edge');
  assert.equal(cut.source[cut.key], 'third');
  assert.deepEqual([cut.date, cut.changed], ['2021-03-23', '2021-03-21']);
  const [before, after] = [cut.before, cut.after].map((weights) => rowsOf(weights)[cut.asking]);
  const others = before.with(cut.key, 0);
  const left = others.reduce((sum, weight) => sum + weight);
  assertNear([after], [others.map((weight) => weight / left)]);
  for (const [to, word, changed] of [
    ['0', 'christmas', '1984-12-24'],
    ['1', 'eve', '1984-12-25'],
  ]) {
    const without = await compute('cut-edge', {
      sentences: ['Christmas Eve of 1984'],
      choices: {to},
    });
    assert.deepEqual([without.source[without.key], without.changed], [word, changed]);
    assert(Number(rowsOf(without.before)[9][Number(to)]) > 0.9 === (word === 'christmas'));
  }
  for (const to of ['-1', '2.5', '99', 'third']) {
    assert.equal((await compute('cut-edge', {choices: {to}})).key, cut.key, to);
  }
  const elsewhere = await compute('cut-edge', {choices: {where: 'all', asking: 0}});
  assert.deepEqual(elsewhere.first, {layer: 0, head: 0});
});

test('the model of the lesson is the one that comes with the page, and it writes dates', async () => {
  for (const step of Object.values(steps))
    assert.equal(toolsOf(/** @type {Step} */ (step)).model, dates);
  assert.equal((await dates.translate('4 July 1776')).text, '1776-07-04');
});
