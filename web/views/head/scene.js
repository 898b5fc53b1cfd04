import {drawnSlices} from '../../attention/selection.js';
import {largestOf, shownWeights} from '../../attention/weights.js';
import {coloursOfNumbers, headColour} from '../parts/head-colours.js';
import {rowCentre} from '../parts/token-column.js';
import {limitFor} from '../parts/weight-colours.js';

/** @import {Selection, Slice, TokenRef} from '../../attention/selection.js' */
/** @import {Snapshot} from '../../attention/snapshot.js' */

/**
 * The geometry of the head view, without a canvas: where lines run, how strong they are, and which line lies under a
 * point. Coordinates are CSS pixels of the area between the two token columns; y counts from the first row.
 *
 * @typedef {{head: number, colour: string, weights: Float32Array}} HeadMatrix
 * @typedef {{positive: string, negative: string}} SignColours
 * @typedef {{query: number, key: number}} Pair
 *
 * @typedef {object} Scene
 * @property {HeadMatrix[]} matrices  the active heads, each `[queries * stride]`
 * @property {SignColours | null} signs  the colours of a difference, whose lines show the sign and not the head
 * @property {number} limit  the weight of full opacity; below 1 for differences that are small
 * @property {boolean} dark
 * @property {number} stride  the number of keys in a row of a matrix
 * @property {Slice} query  rows on the left
 * @property {Slice} key  rows on the right
 * @property {TokenRef | null} focus  if there is one, only its lines are drawn
 * @property {number} rowHeight
 * @property {number} width
 */

/** A line of lower opacity, before the lift, is not drawn: it would hardly change an 8-bit pixel. */
export const faintest = 1 / 255;

/**
 * @param {{snapshot: Snapshot, selection: Selection, dark: boolean}} data
 * @returns {Scene}
 */
export function headScene({snapshot, selection, dark}) {
  const shown = shownWeights(snapshot, selection);
  return {
    ...shown,
    matrices: shown.matrices.map((each) => ({...each, colour: headColour(each.head, dark)})),
    signs: snapshot.isDifference ? coloursOfNumbers(dark) : null,
    limit: snapshot.isDifference ? limitFor(largestOf(shown.matrices)) : 1,
    dark,
    focus: null,
    rowHeight: 0,
    width: 0,
  };
}

/**
 * Tells where lines begin and end horizontally. They leave room for the strips beside the column opposite the focus.
 *
 * @param {Scene} scene
 */
export function lineSpan(scene) {
  const room = scene.focus ? stripBlockWidth(scene) : 0;
  return scene.focus?.side === 'key'
    ? {left: room, right: scene.width}
    : {left: 0, right: scene.width - room};
}

/** @param {Scene} scene */
export function stripBlockWidth({width, matrices}) {
  return Math.min(Math.max(16, matrices.length * 8), 64, width / 3);
}

/** The weights of a line, head by head. @param {Scene} scene @param {Pair} pair */
export const weightsOf = ({matrices, stride}, {query, key}) =>
  matrices.map(({head, colour, weights}) => ({
    head,
    colour,
    weight: weights[query * stride + key],
  }));

/**
 * Finds the strongest visible line within `tolerance` of a point.
 *
 * @param {Scene} scene
 * @param {number} x
 * @param {number} y
 * @param {number} tolerance
 * @returns {Pair | null}
 */
export function findLine(scene, x, y, tolerance) {
  const {matrices, limit, stride, rowHeight} = scene;
  const {query, key} = drawnSlices(scene);
  const span = lineSpan(scene);
  if (x < span.left || x > span.right) return null;
  const width = span.right - span.left;
  const along = (x - span.left) / width;
  const faintestWeight = faintest * limit * matrices.length;
  let strongest = 0;
  /** @type {Pair | null} */
  let found = null;
  for (let i = query.start; i < query.end; i++) {
    const left = rowCentre(scene.query, i, rowHeight);
    for (let j = key.start; j < key.end; j++) {
      const rise = rowCentre(scene.key, j, rowHeight) - left;
      const vertical = Math.abs(left + rise * along - y);
      // The distance is measured perpendicular to the line, not vertically.
      if (vertical * width > tolerance * Math.hypot(width, rise)) continue;
      let sum = 0;
      let visible = false;
      for (const {weights} of matrices) {
        const weight = Math.abs(weights[i * stride + j]);
        sum += weight;
        visible ||= weight >= faintestWeight;
      }
      if (visible && sum > strongest) {
        strongest = sum;
        found = {query: i, key: j};
      }
    }
  }
  return found;
}
