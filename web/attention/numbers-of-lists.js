import {isTensor} from './file-fields.js';
import {SnapshotError} from './snapshot.js';

/**
 * Numbers with a shape, row-major.
 *
 * @typedef {{values: Float32Array, shape: number[]}} NumberArray
 */

/** The attention of a batch has five dimensions. */
const mostDimensions = 5;

/** As float32 these are two gigabytes, which every browser can allocate. */
const mostNumbers = 2 ** 29;

/**
 * Converts nested lists to a tensor. Lists of one level must be equally long.
 *
 * @param {unknown} nested
 * @param {string} name  the name in error messages
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
  // The shape is that of the first list of each level, so it may ask for more numbers than there are.
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
          // null is named, since JSON has null in place of NaN.
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

/** Makes an array of lists; one from an NPZ file is such an array already. @param {unknown} value @param {string} name @returns {NumberArray} */
export function asTensor(value, name) {
  return isTensor(value) ? value : numberArrayOf(value, name);
}
