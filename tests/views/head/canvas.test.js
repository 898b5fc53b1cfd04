import assert from 'node:assert/strict';
import {test} from 'node:test';
import {drawScene} from '../../../web/views/head/canvas.js';

/** Lists the opacities of what is drawn. Like a canvas, it ignores an opacity beyond 0 to 1. */
class Context {
  /** @type {number[]} */
  lines = [];
  /** @type {number[]} */
  strips = [];
  #opacity = 1;

  /** @param {number} opacity */
  set globalAlpha(opacity) {
    if (opacity >= 0 && opacity <= 1) this.#opacity = opacity;
  }

  stroke() {
    this.lines.push(this.#opacity);
  }

  fillRect() {
    this.strips.push(this.#opacity);
  }

  setTransform() {}
  clearRect() {}
  translate() {}
  beginPath() {}
  moveTo() {}
  lineTo() {}
}
Object.assign(globalThis, {CanvasRenderingContext2D: Context});

test('a weight that rounding has made greater than 1 is drawn with full opacity', () => {
  const context = new Context();
  const tokens = {start: 0, end: 2};
  const weights = Float32Array.of(0.25, 1 + 2 ** -23, 0.5, 0.5);
  drawScene(
    /** @type {any} */ (context),
    {
      matrices: [{head: 0, colour: '#000000', weights}],
      signs: null,
      limit: 1,
      lift: 1,
      stride: 2,
      query: tokens,
      key: tokens,
      focus: {side: 'query', index: 0},
      rowHeight: 24,
      width: 400,
    },
    {top: 0, height: 48, ratio: 1},
    null,
  );
  assert.deepEqual([context.lines, context.strips], [[0.25, 1], [0.25, 1]]); // prettier-ignore
});
