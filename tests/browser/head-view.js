/** Computes what the head view must show from the engine's attention, and compares colours and numbers. */

import assert from 'node:assert/strict';
import {headColour} from '../../web/views/parts/head-colours.js';

export const text = '#text=the+cat+sat+on+the+mat&view=head';

/** Averages `[head][query][key]` over heads. @param {number[][][]} heads */
export const meanOf = (heads) =>
  heads[0].map((row, i) =>
    row.map((_, j) => heads.reduce((sum, head) => sum + head[i][j], 0) / heads.length),
  );

/** @param {number[][]} matrix @param {number} key */
export const column = (matrix, key) => matrix.map((row) => row[key]);

/** Gives the colour of a head as red, green and blue. @param {number} head */
export const rgb = (head, dark = false) =>
  [1, 3, 5].map((at) => parseInt(headColour(head, dark).slice(at, at + 2), 16));

/** @param {number[]} found @param {number[]} expected @param {number} tolerance */
export function assertColour(found, expected, tolerance = 8) {
  const near = found.every((value, i) => Math.abs(value - expected[i]) <= tolerance);
  assert.ok(near, `colour ${found}, expected ${expected}`);
}

/** @param {number} found @param {number} expected */
export function assertNear(found, expected, tolerance = 0.04) {
  assert.ok(Math.abs(found - expected) <= tolerance, `${found}, expected ${expected}`);
}

/** Finds the strongest weight between two different tokens. @param {number[][]} matrix */
export function strongest(matrix) {
  let best = {query: 0, key: 0, weight: 0};
  matrix.forEach((row, query) =>
    row.forEach((weight, key) => {
      if (query !== key && weight > best.weight) best = {query, key, weight};
    }),
  );
  return best;
}
