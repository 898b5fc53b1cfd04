import {SnapshotError} from './snapshot.js';

/**
 * Numbers with a shape, row-major.
 *
 * @typedef {{values: Float32Array, shape: number[]}} NumberArray
 */

/** Attention of a batch has five. */
const mostDimensions = 5;

/** Two gigabytes, which is what every browser allots. */
const mostNumbers = 2 ** 29;

/**
 * Nested lists as one block. Lists of one level must be equally long.
 *
 * @param {unknown} nested
 * @param {string} name  what it is called in a message
 * @returns {NumberArray}
 */
export function numberArrayOf(nested, name) {
  /** @type {number[]} */
  const shape = [];
  for (let level = nested; Array.isArray(level); level = level[0]) shape.push(level.length);
  if (shape.length > mostDimensions) {
    throw new SnapshotError(
      `${name} should have at most ${mostDimensions} dimensions, found ${shape.length}.`,
    );
  }
  const size = shape.reduce((size, length) => size * length, 1);
  // Lists of which only the first are so long ask for more than there are numbers.
  if (size > mostNumbers) {
    throw new SnapshotError(
      `${name} should hold at most ${mostNumbers} numbers, found lists of ${shape.join(' × ')}.`,
    );
  }
  const values = new Float32Array(size);
  let at = 0;

  /** @param {unknown} list @param {number} depth @param {number[]} path */
  const fill = (list, depth, path) => {
    if (depth === shape.length) {
      if (typeof list !== 'number') {
        throw new SnapshotError(
          // What NaN becomes where JSON is written.
          `${name}[${path.join('][')}] should be a number, found ${list === null ? 'null' : typeof list}.`,
        );
      }
      values[at++] = list;
      return;
    }
    const found = Array.isArray(list) ? list.length : typeof list;
    if (found !== shape[depth]) {
      const place = path.length ? `[${path.join('][')}]` : '';
      throw new SnapshotError(
        `${name}${place} should have ${shape[depth]} entries like the others, found ${found}.`,
      );
    }
    /** @type {unknown[]} */ (list).forEach((entry, i) => fill(entry, depth + 1, [...path, i]));
  };
  fill(nested, 0, []);
  return {values, shape};
}
