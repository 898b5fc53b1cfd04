import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {paintOpacities, paintTwo, rasterizeHead} from '../../../web/views/parts/line-raster.js';
import {shownTokens} from '../../../web/attention/selection.js';
import {strongestLinks} from '../../../web/attention/weights.js';
import {thumbnail} from '../../../web/views/parts/head-thumbnail.js';
import {createSnapshot} from '../../../web/attention/snapshot.js';

/** @import {Selection} from '../../../web/attention/selection.js' */

const size = {width: 40, height: 40, thickness: 1};
/** @type {Selection} */
const everything = {layer: 0, heads: [0], filter: 'all', token: null};

/**
 * @param {ArrayLike<number>} weights
 * @param {number} tokens
 * @param {Partial<Selection>} [selection]
 * @param {number} [second]  where sentence B starts
 */
function thumbnailOf(weights, tokens, selection = {}, second = tokens) {
  const snapshot = createSnapshot({
    tokens: Array.from({length: tokens}, (_, i) => `t${i}`),
    tokenTypeIds: Array.from({length: tokens}, (_, i) => Number(i >= second)),
    layers: 1,
    heads: 1,
    attention: () => Float32Array.from(weights),
  });
  const shown = shownTokens(snapshot, {...everything, ...selection});
  const found = thumbnail(snapshot, shown, 0, 0);
  assert.ok(found);
  return found;
}

/** @param {number} tokens @param {number} query @param {number} key @param {number} weight */
function lone(tokens, query, key, weight) {
  const weights = new Array(tokens * tokens).fill(0);
  weights[query * tokens + key] = weight;
  return weights;
}

/** Reads the opacities of column x, from top to bottom. @param {ArrayLike<number>} image @param {number} x */
const column = (image, x) => Array.from({length: size.height}, (_, y) => image[y * size.width + x]);

/** @param {number[]} numbers */
const total = (numbers) => numbers.reduce((a, b) => a + b, 0);

/** Computes where a column's ink lies on average. @param {number[]} opacities */
const centre = (opacities) =>
  opacities.reduce((sum, opacity, y) => sum + opacity * (y + 0.5), 0) / total(opacities);

test('a line runs from the row of its query to the row of its key, as opaque as its weight', () => {
  const place = fc.record({
    tokens: fc.integer({min: 1, max: 20}),
    query: fc.nat(19),
    key: fc.nat(19),
    weight: fc.double({min: 0.05, max: 0.5, noNaN: true}),
  });
  fc.assert(
    fc.property(place, ({tokens, query, key, weight}) => {
      const [from, to] = [query % tokens, key % tokens];
      const image = rasterizeHead(thumbnailOf(lone(tokens, from, to, weight), tokens), size);
      const row = size.height / tokens;
      const rise = Math.abs(to - from) * row;
      const slack = 1 + rise / size.width;
      assert.ok(Math.abs(centre(column(image, 0)) - (from + 0.5) * row) < slack);
      assert.ok(Math.abs(centre(column(image, size.width - 1)) - (to + 0.5) * row) < slack);
      const ink = total(column(image, 20));
      const opacity = weight * Math.min(1, row / 3);
      assert.ok(Math.abs(ink - opacity) < 0.2 * opacity + 0.01, `${ink} for weight ${weight}`);
    }),
  );
});

test('crossing lines cover each other like paint', () => {
  // Both lines cross the middle at the same height.
  const image = rasterizeHead(thumbnailOf([0, 0.5, 0.5, 0], 2), {...size, width: 41, height: 41});
  const middle = Math.max(...Array.from({length: 41}, (_, y) => image[y * 41 + 20]));
  assert.ok(Math.abs(middle - 0.75) < 0.05, String(middle));
});

test('the lines of many tokens add up in one pixel, so that weights too faint alone make an even haze', () => {
  const tokens = 400;
  const even = new Array(tokens * tokens).fill(1 / tokens);
  const image = rasterizeHead(thumbnailOf(even, tokens), size);
  const middle = column(image, 20).slice(15, 25);
  assert.ok(Math.min(...middle) > 0.2 && Math.max(...middle) < 0.5);
  assert.ok(Math.max(...middle) - Math.min(...middle) < 0.1);
});

test('every pixel of a thumbnail is an opacity, whatever the shape', () => {
  const shape = fc.record({
    tokens: fc.integer({min: 1, max: 60}),
    width: fc.integer({min: 1, max: 50}),
    height: fc.integer({min: 1, max: 50}),
    thickness: fc.integer({min: 1, max: 3}),
  });
  fc.assert(
    fc.property(shape, ({tokens, ...pixels}) => {
      const weights = Array.from({length: tokens * tokens}, (_, i) => (i % 7) / 6);
      const image = rasterizeHead(thumbnailOf(weights, tokens), pixels);
      assert.equal(image.length, pixels.width * pixels.height);
      assert.ok(image.every((opacity) => opacity >= 0 && opacity <= 1));
    }),
  );
});

test('a decoder’s queries and an encoder’s keys may differ in number', () => {
  const snapshot = createSnapshot({
    tokens: ['ein', 'Haus'],
    keyTokens: ['a', 'small', 'house', '.'],
    layers: 1,
    heads: 1,
    attention: () => Float32Array.of(0.5, 0, 0, 0, 0, 0, 0, 0.5),
  });
  const content = thumbnail(snapshot, shownTokens(snapshot, everything), 0, 0);
  assert.ok(content);
  assert.deepEqual(strongestLinks(content, 2), [
    {query: 0, key: 0, weight: 0.5},
    {query: 1, key: 3, weight: 0.5},
  ]);
  const image = rasterizeHead(content, size);
  // The longer side has the rows: query 1 is in the second quarter, key 3 in the last.
  assert.ok(Math.abs(centre(column(image, 0)) - 10) < 1);
  assert.ok(Math.abs(centre(column(image, 39)) - 20) < 1);
});

test('a weight that is not a number leaves no ink, and the others stay', () => {
  const image = rasterizeHead(thumbnailOf([NaN, 0, 0, 0.5], 2), size);
  const pixels = /** @type {any} */ ({data: new Uint8ClampedArray(4 * 40 * 40)});
  paintOpacities(pixels, image, '#000000');
  assert.equal(pixels.data[(10 * 40 + 20) * 4 + 3], 0);
  assert.ok(pixels.data[(30 * 40 + 20) * 4 + 3] > 0 || pixels.data[(29 * 40 + 20) * 4 + 3] > 0);
});

test('a filter leaves only its part of the lines, and a pinned token only its own', () => {
  const weights = [0.1, 0.2, 0.7, 0.3, 0.3, 0.4, 0.6, 0.2, 0.2];
  const links = (/** @type {Partial<Selection>} */ selection) =>
    strongestLinks(thumbnailOf(weights, 3, selection, 2), 9).map(
      ({query, key}) => `${query}→${key}`,
    );
  assert.deepEqual(links({filter: 'ab'}), ['0→2', '1→2']);
  assert.deepEqual(links({token: {side: 'key', index: 0}}), ['2→0', '1→0', '0→0']);
  assert.deepEqual(links({token: {side: 'query', index: 1}}), ['1→2', '1→0', '1→1']);
  assert.equal(links({filter: 'aa', token: {side: 'key', index: 2}}).length, 4);
  const ink = (/** @type {Partial<Selection>} */ selection) =>
    total([...rasterizeHead(thumbnailOf(lone(3, 0, 2, 0.5), 3, selection, 2), size)]);
  assert.ok(ink({filter: 'ab'}) > 0);
  assert.equal(ink({filter: 'aa'}), 0);
  assert.equal(ink({token: {side: 'query', index: 1}}), 0);
});

test('links are sorted by weight, strongest first', () => {
  const matrix = fc.array(fc.float({min: 0, max: 1, noNaN: true}), {minLength: 25, maxLength: 25});
  fc.assert(
    fc.property(matrix, (weights) => {
      const found = strongestLinks(thumbnailOf(weights, 5), 3).map(({weight}) => weight);
      assert.deepEqual(found, [...Float32Array.from(weights)].sort((a, b) => b - a).slice(0, 3));
    }),
  );
});

test('a pixel has the colour of the head, and its opacity', () => {
  const image = /** @type {any} */ ({data: new Uint8ClampedArray(8)});
  paintOpacities(image, Float32Array.of(0.5, 1), '#2e6bce');
  assert.deepEqual([...image.data], [0x2e, 0x6b, 0xce, 128, 0x2e, 0x6b, 0xce, 255]);
});

test('a lifted opacity is at most one step of 8 bits from its power', () => {
  const image = /** @type {any} */ ({data: new Uint8ClampedArray(4 * 256)});
  const opacities = Float64Array.from({length: 256}, (_, at) => at / 255);
  paintOpacities(image, opacities, '#000000', 0.6);
  opacities.forEach((opacity, at) => {
    assert.ok(Math.abs(image.data[4 * at + 3] - opacity ** 0.6 * 255) <= 1, `${opacity}`);
  });
});

test('where two colours cover a pixel, they are mixed in proportion to their opacities', () => {
  const image = /** @type {any} */ ({data: new Uint8ClampedArray(12)});
  const [more, less] = [
    [0.5, 0.25, 0],
    [0, 0.75, 0],
  ];
  paintTwo(image, [more, less], ['#ff0000', '#0000ff'], 1);
  const alpha = Math.round((1 - 0.75 * 0.25) * 255);
  assert.deepEqual([...image.data.subarray(0, 8)], [255, 0, 0, 128, 64, 0, 191, alpha]);
  assert.equal(image.data[11], 0);
});
