import {drawnSlices, faintest, lineSpan, rowCentre, stripBlockWidth} from './head-scene.js';

/** @import {Scene} from './head-scene.js' */
/** @import {TokenRef} from './selection.js' */

const lineWidth = 2;

/**
 * Draws the lines of a scene, and beside the column opposite the focused token the strips.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {{top: number, height: number, ratio: number}} view  the visible part in CSS pixels, and
 *   device pixels per CSS pixel
 */
export function drawScene(context, scene, {top, height, ratio}) {
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, scene.width, height);
  context.translate(0, -top);
  drawLines(context, scene, top, top + height);
  if (scene.focus) drawStrips(context, scene, scene.focus);
  context.globalAlpha = 1;
}

/**
 * One line for each head and pair of tokens, as opaque as its weight divided by the number of
 * active heads.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {number} top
 * @param {number} bottom
 */
function drawLines(context, scene, top, bottom) {
  const {matrices, stride, rowHeight} = scene;
  const {query, key} = drawnSlices(scene);
  const span = lineSpan(scene);
  context.lineWidth = lineWidth;
  for (const {colour, weights} of matrices) {
    context.strokeStyle = colour;
    for (let i = query.start; i < query.end; i++) {
      const left = rowCentre(scene.query, i, rowHeight);
      for (let j = key.start; j < key.end; j++) {
        const alpha = weights[i * stride + j] / matrices.length;
        if (alpha < faintest) continue;
        const right = rowCentre(scene.key, j, rowHeight);
        if ((left < top && right < top) || (left > bottom && right > bottom)) continue;
        context.globalAlpha = alpha;
        context.beginPath();
        context.moveTo(span.left, left);
        context.lineTo(span.right, right);
        context.stroke();
      }
    }
  }
}

/**
 * On the side opposite the focused token, one strip for each active head, as opaque as its full
 * weight: attention given when the focus is a query, received when it is a key.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {TokenRef} focus
 */
function drawStrips(context, scene, focus) {
  const {matrices, stride, width, rowHeight} = scene;
  const given = focus.side === 'query';
  const slice = given ? scene.key : scene.query;
  const block = stripBlockWidth(scene);
  const left = given ? width - block : 0;
  const step = block / matrices.length;

  matrices.forEach(({colour, weights}, position) => {
    context.fillStyle = colour;
    for (let i = slice.start; i < slice.end; i++) {
      context.globalAlpha = weights[given ? focus.index * stride + i : i * stride + focus.index];
      context.fillRect(
        left + position * step,
        (i - slice.start) * rowHeight + 2,
        step,
        rowHeight - 4,
      );
    }
  });
}
