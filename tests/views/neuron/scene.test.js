import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {coloursOfNumbers, luminance} from '../../../web/views/parts/head-colours.js';
import {cellWidth, queryHeight, spotAt} from '../../../web/views/neuron/canvas.js';
import {
  formatGuess,
  formatMagnitude,
  formatNumber,
} from '../../../web/views/parts/number-format.js';
import {opacityOf} from '../../../web/views/parts/number-opacity.js';
import {
  largestScore,
  neuronScene,
  queryScene,
  scoreFormula,
  storyOf,
  strongestDimension,
  strongestKey,
} from '../../../web/views/neuron/scene.js';
import {numbersOf} from '../../../web/views/neuron/tooltip.js';
import {headArithmetic} from '../../../web/attention/head-arithmetic.js';
import {createSnapshot} from '../../../web/attention/snapshot.js';
import {strings} from '../../../web/strings/index.js';

/** @import {Filter} from '../../../web/attention/selection.js' */
/** @import {LazySnapshot, VectorKind} from '../../../web/attention/snapshot.js' */

const tokens = ['[CLS]', 'time', 'flies', '[SEP]'];
const headDim = 2;
const vectors = {
  queries: Float32Array.of(0, 0, 3, 1, 1, -1, 0, 2),
  keys: Float32Array.of(1, 0, 0, 1, 2, 0, -1, -1),
  values: Float32Array.of(1, 1, 0, 4, 2, -2, 0, 0),
};
const positionScores = Float32Array.of(
  0.25,
  -0.75,
  1,
  3,
  2,
  0.25,
  -0.75,
  1,
  -1,
  2,
  0.25,
  3,
  0.5,
  -1,
  2,
  0.5,
);

/** @param {{causal?: boolean, attention?: (query: number) => ArrayLike<number>}} [options] */
function snapshotOf({causal = false, attention} = {}) {
  const rows = tokens.map(
    (_, query) =>
      attention?.(query) ??
      headArithmetic({...vectors, headDim}, query, {seen: causal ? query + 1 : 4}).softmax,
  );
  return createSnapshot({
    tokens,
    tokenTypeIds: [0, 0, 1, 1],
    layers: 1,
    heads: 1,
    attention: () => Float32Array.from(rows.flatMap((row) => Array.from(row))),
    headDim,
    vectors: (kind) => ({...vectors, positionScores})[kind],
  });
}

test('a head has no scene before what distances add to its scores has come', () => {
  const lacking = (/** @type {VectorKind} */ kind) =>
    kind === 'positionScores' ? undefined : vectors[kind];
  const snapshot = {...snapshotOf(), vectors: lacking, hasPositionScores: true};
  assert.equal(neuronScene(snapshot, {layer: 0, heads: [0], filter: 'all', token: null}), null);
});

/** @param {ReturnType<typeof snapshotOf>} snapshot @param {Filter} [filter] */
function sceneOf(snapshot, filter = 'all') {
  const scene = neuronScene(snapshot, {layer: 0, heads: [0], filter, token: null});
  assert.ok(scene);
  return scene;
}

test('a snapshot without vectors has nothing to compute', () => {
  const {queryTokens, attention} = snapshotOf();
  const bare = createSnapshot({tokens: queryTokens, layers: 1, heads: 1, attention});
  assert.equal(neuronScene(bare, {layer: 0, heads: [0], filter: 'all', token: null}), null);
});

test('the strongest key has most weight of those that the filter shows', () => {
  const snapshot = snapshotOf();
  const scene = (/** @type {Filter} */ filter) => queryScene(sceneOf(snapshot, filter), 1);
  assert.equal(strongestKey(scene('all')), 2);
  assert.equal(strongestKey(scene('aa')), 0);
  assert.equal(strongestDimension(scene('all'), 2), 0);
});

test('a causal query has no keys after it, and its softmax is the attention', () => {
  const head = sceneOf(snapshotOf({causal: true}));
  assert.ok(head.causal);
  for (let query = 0; query < 4; query++) {
    const {keys, changed} = queryScene(head, query);
    assert.deepEqual(keys, {start: 0, end: query + 1});
    assert.equal(changed, false);
  }
});

test('attention that is not the softmax of the scores is detected and used unchanged', () => {
  const scene = queryScene(sceneOf(snapshotOf({attention: () => [0.4, 0.3, 0.2, 0.1]})), 1);
  assert.ok(scene.changed);
  assert.ok(Math.abs(scene.arithmetic.output[0] - (0.4 + 0.2 * 2)) < 1e-6);
  assert.equal(queryScene(sceneOf(snapshotOf()), 1).changed, false);
});

test('a key that is hidden from all queries has no part in the softmax, nor in its sum', () => {
  const dots = [3, 1, 6, -4];
  const left = dots.map((dot, key) => (key === 3 || key === 2 ? 0 : Math.exp(dot / Math.SQRT2)));
  const total = left.reduce((a, b) => a + b);
  const without = (/** @type {number} */ query) => {
    const {softmax} = headArithmetic({...vectors, headDim}, query, {hidden: [false, false, true, true]}); // prettier-ignore
    return softmax;
  };
  const snapshot = snapshotOf({attention: without});
  const head = sceneOf(snapshot);
  const scene = queryScene(head, 1);
  assert.equal(scene.changed, false);
  const story = storyOf(scene, head, snapshot);
  assert.equal(Number(story.total), Number(total.toPrecision(4)));
  assert.equal(story.percent, ((left[0] / total) * 100).toFixed(0));
  assert.equal(story.weight, (left[0] / total).toFixed(3));
});

test('each step is explained with the numbers of the arithmetic', () => {
  const snapshot = snapshotOf();
  const head = sceneOf(snapshot);
  const story = storyOf(queryScene(head, 1), head, snapshot);
  // For q = (3, 1) and k = (2, 0) the score is 6 / √2.
  const {query, key, size, root, dimension, q, k, product, sum, score} = story;
  assert.deepEqual([query, key, size, root], ['time', 'flies', 2, '1.41']);
  assert.deepEqual([dimension, q, k, product, sum], [0, '3.000', '2.000', '6.000', '6.000']);
  assert.equal(score, '4.243');
  const powers = [3, 1, 6, -4].map((dot) => Math.exp(dot / Math.SQRT2));
  const total = powers.reduce((a, b) => a + b);
  assert.equal(Number(story.power), Number(powers[2].toPrecision(4)));
  assert.equal(Number(story.total), Number(total.toPrecision(4)));
  assert.equal(story.percent, ((powers[2] / total) * 100).toFixed(0));
  for (const step of strings.neuron.steps) {
    const text = step(story).map((part) => (typeof part === 'string' ? part : part.token));
    assert.doesNotMatch(text.join(''), /undefined|NaN/);
  }
});

test('scores with what distances add are the softmax of the attention, and are named and told so', () => {
  const scoring = {divisor: 1, positionScores};
  const attention = (/** @type {number} */ query) =>
    headArithmetic({...vectors, headDim, ...scoring}, query).softmax;
  const snapshot = {...snapshotOf({attention}), scoreDivisors: [1], hasPositionScores: true};
  const head = sceneOf(snapshot);
  const scene = queryScene(head, 1);
  assert.equal(scene.changed, false);
  assert.equal(queryScene(sceneOf(snapshotOf({attention})), 1).changed, true);
  assert.equal(scoreFormula(head), 'q·k + b');
  assert.equal(scoreFormula(sceneOf(snapshotOf())), 'q·k / √d');
  const third = {...snapshotOf(), scoreDivisors: [3 * Math.SQRT2]};
  assert.equal(scoreFormula(sceneOf(third)), 'q·k / 3√d');
  const ofThird = storyOf(queryScene(sceneOf(third), 1), sceneOf(third), third);
  assert.deepEqual([ofThird.divisor, ofThird.root, ofThird.score], ['3√2', '4.24', '1.414']);
  const sum3 = {...snapshot, scoreDivisors: [Math.sqrt(3 * headDim)]};
  assert.equal(scoreFormula(sceneOf(sum3)), 'q·k/√(3d) + b');
  const ofSum = storyOf(queryScene(sceneOf(sum3), 1), sceneOf(sum3), sum3);
  assert.deepEqual([ofSum.divisor, ofSum.root], ['√(3·2)', '2.45']);
  // For q = (3, 1) and k = (2, 0), which is one token behind.
  const {sum, divisor, position, score} = storyOf(scene, head, snapshot);
  assert.deepEqual([sum, divisor, position, score], ['6.000', '', '−0.750', '5.250']);
  const said = strings.neuron.steps[2](storyOf(scene, head, snapshot));
  assert.match(
    said.map(String).join(''),
    /not divide it\. The distance from the query adds .0\.750: 5\.250\.$/,
  );
  const {score: tooltip} = numbersOf(head, scene, {key: 2, dimension: 0});
  assert.match(
    tooltip,
    /sum to 6\.000; not divided, and .0\.750 for the distance: 5\.250; softmax/,
  );
});

test('a difference has how much more distances add, which is nothing where one text is run twice', () => {
  const before = {...snapshotOf(), hasPositionScores: true};
  const twice = positionScores.map((number) => 2 * number);
  const after = {...before, vectors: (/** @type {VectorKind} */ kind) => ({...vectors, positionScores: twice})[kind]}; // prettier-ignore
  const changeIn = (/** @type {LazySnapshot} */ to) => {
    const head = sceneOf({...to, sides: {before, after: to}});
    const scene = queryScene(head, 1);
    return {
      added: [...(scene.arithmetic.positionScores ?? [])],
      ...numbersOf(head, scene, {key: 3, dimension: 0}),
    };
  };
  assert.deepEqual(changeIn(before).added, [0, 0, 0, 0]);
  assert.deepEqual(changeIn(after).added, [2, 0.25, -0.75, 1]);
  // One of two models may have no such part.
  const without = snapshotOf();
  for (const [sides, sign] of /** @type {const} */ ([
    [{before: without, after: before}, 1],
    [{before, after: without}, -1],
  ])) {
    const head = sceneOf({...sides.after, sides});
    const {positionScores: more} = queryScene(head, 1).arithmetic;
    const wanted = positionScores.slice(4, 8).map((number) => sign * number);
    assert.deepEqual(more, wanted);
    assert.equal(scoreFormula(head), 'q·k/√d + b');
  }
  assert.match(changeIn(after).score, /^q·k 0\.000, b 1\.000, q·k\/√d \+ b 1\.000, softmax /);
});

test('the steps of a single token are explained, too', () => {
  const lone = createSnapshot({
    tokens: ['time'],
    layers: 1,
    heads: 1,
    attention: () => Float32Array.of(1),
    headDim,
    vectors: () => Float32Array.of(1, 2),
  });
  const head = sceneOf(lone);
  const story = storyOf(queryScene(head, 0), head, lone);
  assert.deepEqual([story.key, story.second, story.share], ['time', '', '100']);
});

/** @type {any} */
const layout = {
  columns: {
    query: {left: 100, width: 64},
    links: {left: 164, width: 20},
    key: {left: 200, width: 64},
    position: {left: 266, width: 4},
    score: {left: 270, width: 40},
  },
  rowHeight: 24,
  top: 24,
  height: 60,
  ratio: 1,
};

test('a point on a band finds a key and a dimension, on a number a key, and between columns nothing', () => {
  const head = sceneOf(snapshotOf());
  const scene = queryScene(head, 1);
  const spot = (/** @type {number} */ x, /** @type {number} */ y) =>
    spotAt(head, scene, layout, x, y);
  assert.deepEqual(spot(201, 5), {column: 'key', key: 1, dimension: 0});
  assert.deepEqual(spot(263, 30), {column: 'key', key: 2, dimension: 1});
  assert.deepEqual(spot(267, 5), {column: 'position', key: 1, dimension: null});
  assert.deepEqual(spot(280, 5), {column: 'score', key: 1, dimension: null});
  assert.deepEqual(spot(140, 12), {column: 'query', key: null, dimension: 1});
  assert.equal(spot(140, 50), null);
  assert.equal(spot(190, 5), null);
  assert.equal(spot(201, 200), null);
});

test('the query’s vector stays visible when its row is scrolled away', () => {
  const head = sceneOf(snapshotOf());
  assert.equal(queryHeight(head, queryScene(head, 1), layout), 12);
  assert.equal(queryHeight(head, queryScene(head, 0), layout), 12);
  assert.equal(queryHeight(head, queryScene(head, 3), layout), 48);
});

test('the cells of a band have equal widths and fit, however many', () => {
  const band = fc.record({
    width: fc.integer({min: 40, max: 800}),
    count: fc.integer({min: 1, max: 128}),
    ratio: fc.constantFrom(1, 1.5, 2, 3),
  });
  fc.assert(
    fc.property(band, ({width, count, ratio}) => {
      const cell = cellWidth(width, count, ratio);
      assert.ok(cell > 0 && cell * count <= width + 1e-9);
      if (width * ratio > count) assert.ok(Number.isInteger(Math.round(cell * ratio * 1e6) / 1e6));
    }),
  );
});

test('the bars of scores are scaled by the largest score of the keys shown, positive or negative', () => {
  const scene = queryScene(sceneOf(snapshotOf()), 1);
  const near = (/** @type {number} */ score) =>
    assert.ok(Math.abs(largestScore(scene) - score) < 1e-6, `${largestScore(scene)}`);
  near(6 / Math.SQRT2);
  scene.keys = {start: 3, end: 4};
  near(4 / Math.SQRT2);
});

test('negative numbers have a minus sign, and zero has none', () => {
  assert.equal(formatNumber(-1.2345), '−1.234');
  assert.equal(formatNumber(-0.0001), '0.000');
  assert.equal(formatNumber(2, 0), '2');
});

test('a number of any size is written with four digits that count', () => {
  assert.equal(formatMagnitude(31460772.3), '31,460,000');
  assert.equal(formatMagnitude(664.1416), '664.1');
  assert.equal(formatMagnitude(0.05), '0.05');
  assert.equal(formatMagnitude(1.23456e30), '1.235 × 10^30');
  assert.equal(formatMagnitude(1e-5), '1.000 × 10^−5');
});

test('guesses are written in whole percents, and those below one as such', () => {
  assert.deepEqual([0.052, 0.0042, 0].map(formatGuess), ['5%', '<1%', '0%']);
});

test('a larger number is more opaque, up to fully opaque', () => {
  assert.equal(opacityOf(0, 1), 0);
  assert.equal(opacityOf(1, 0), 0);
  assert.equal(opacityOf(2, 1), opacityOf(-2, 1));
  assert.ok(opacityOf(1, 1) < opacityOf(2, 1) && opacityOf(100, 1) <= 1);
});

test('the hues of numbers are readable as text in the light and the dark theme', () => {
  for (const dark of [false, true]) {
    const ground = luminance(dark ? '#16181c' : '#ffffff');
    for (const [name, colour] of Object.entries(coloursOfNumbers(dark))) {
      const [low, high] = [ground, luminance(colour)].sort((a, b) => a - b);
      const contrast = (high + 0.05) / (low + 0.05);
      assert.ok(contrast >= 4.5, `${name} has a contrast of ${contrast.toFixed(2)}`);
    }
  }
});
