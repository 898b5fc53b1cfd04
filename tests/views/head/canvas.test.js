import assert from 'node:assert/strict';
import {test} from 'node:test';
import {drawScene} from '../../../web/views/head/canvas.js';
import {headColour, luminance, paletteSize} from '../../../web/views/parts/head-colours.js';
import {screenCanvas} from '../../support/svg-screen.js';

/** @import {Scene} from '../../../web/views/head/scene.js' */

/**
 * Draws the first of two tokens in focus, which gives these weights to the two. Returns the opacities, widths and
 * paths of the lines, and the opacities of the strips.
 *
 * @param {number[]} given
 * @param {Partial<Scene>} [scene]
 */
function drawnOf(given, scene) {
  const {context, content} = screenCanvas();
  const tokens = {start: 0, end: 2};
  drawScene(
    context,
    {
      matrices: [{head: 0, colour: '#000000', weights: Float32Array.of(...given, 0.5, 0.5)}],
      signs: null,
      limit: 1,
      dark: false,
      stride: 2,
      query: tokens,
      key: tokens,
      focus: {side: 'query', index: 0},
      rowHeight: 24,
      width: 400,
      ...scene,
    },
    {top: 0, height: 48, ratio: 1},
    null,
  );
  const valuesOf = (/** @type {string} */ attribute) =>
    Array.from(
      content().matchAll(new RegExp(` ${attribute}="([^"]*)"`, 'g')),
      ([, value]) => value,
    );
  return {
    lines: valuesOf('stroke-opacity').map(Number),
    widths: valuesOf('stroke-width').map(Number),
    paths: valuesOf('d'),
    strips: valuesOf('fill-opacity').map(Number),
  };
}

test('a weight greater than 1, as rounding can make it, is drawn with full opacity', () => {
  const {lines, strips} = drawnOf([0.25, 1.01]);
  assert.deepEqual([lines, strips], [[0.5743, 1], [0.5743, 1]]); // prettier-ignore
});

test('the opacity of the lines of a whole head is their weight in the light', () => {
  assert.deepEqual(drawnOf([0.25, 0.75], {focus: null}).lines, [0.25, 0.75, 0.5, 0.5]);
});

test('a line goes from its query to its key, and is wider for a greater weight', () => {
  const {paths, widths} = drawnOf([0.25, 1], {focus: null, rowHeight: 36});
  assert.deepEqual(paths.slice(0, 2), ['M0 18L400 18', 'M0 18L400 54']);
  assert.ok(widths[0] < widths[1], `${widths}`);
});

test('a line of a token, from 3 % on, is seen in the colour of every head and in both themes', () => {
  for (const dark of [false, true]) {
    const {lines} = drawnOf([0.03, 0.97], {dark});
    const ground = dark ? '#16181c' : '#ffffff';
    for (let head = 0; head < paletteSize; head++) {
      const colour = over(ground, headColour(head, dark), lines[0]);
      const [more, less] = [colour, ground].map(luminance).sort((a, b) => b - a);
      const contrast = (more + 0.05) / (less + 0.05);
      assert.ok(contrast > 1.2, `${headColour(head, dark)} has a contrast of ${contrast}`);
    }
  }
});

test('a line of several heads is as strong as their mean, and a larger mean is a stronger line', () => {
  const heads = [0.08, 0.16, 0.5].map((weight) => {
    const weights = Float32Array.of(weight, weight, 0, 0);
    const matrices = Array.from({length: 8}, (_, head) => ({head, colour: '#000000', weights}));
    return drawnOf([], {matrices, focus: null}).lines[0];
  });
  const expected = [0.08, 0.16, 0.5].map((mean) => Math.sqrt(1 - (1 - mean / 8) ** 8));
  // SVG has four digits.
  heads.forEach((opacity, at) => assert.ok(Math.abs(opacity - expected[at]) < 1e-4));
});

/** Gives a colour of some opacity over another, `#rrggbb`. @param {string} ground @param {string} colour @param {number} opacity */
const over = (ground, colour, opacity) =>
  `#${[1, 3, 5]
    .map((at) => {
      const [below, above] = [ground, colour].map((each) => parseInt(each.slice(at, at + 2), 16));
      const mixed = Math.round(below + (above - below) * opacity);
      return mixed.toString(16).padStart(2, '0');
    })
    .join('')}`;
