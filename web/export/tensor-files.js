import {npz} from '../engine/files/npz-writer.js';
import {csv} from './csv.js';

/**
 * @typedef {object} NamedTensor
 * @property {readonly number[]} shape
 * @property {Float32Array} data
 * @property {readonly string[]} axes  what each axis counts
 * @property {(row: number) => string} nameOf  of a row, counted over the whole tensor; may be empty
 * @property {readonly string[]} columns  empty: they are numbered
 */

/**
 * Writes a tensor as CSV. A matrix is a square of names and numbers; with more axes, the indices of each row come
 * first.
 *
 * @param {NamedTensor} tensor
 */
export function tensorCsv({shape, data, axes, nameOf, columns}) {
  const width = shape[shape.length - 1];
  const outer = shape.slice(0, -1);
  const isMatrix = outer.slice(0, -1).every((size) => size === 1);
  const names = Array.from({length: width}, (_, at) => columns[at] ?? String(at));
  const rows = Array.from({length: data.length / width}, (_, row) => [
    ...(isMatrix ? [] : indicesOf(row, outer)),
    nameOf(row),
    ...data.subarray(row * width, (row + 1) * width),
  ]);
  const head = isMatrix ? [] : outer.map((_, axis) => axes[axis] ?? '');
  return csv([[...head, '', ...names], ...rows]);
}

/**
 * Writes a tensor as NumPy's file of arrays: the numbers, and the names of the rows where they have any.
 *
 * @param {string} name
 * @param {NamedTensor} tensor
 */
export function tensorNpz(name, {shape, data, nameOf}) {
  const count = data.length / shape[shape.length - 1];
  const names = Array.from({length: count}, (_, row) => nameOf(row));
  return npz({
    [arrayName(name)]: {values: data, shape: [...shape]},
    ...(names.some(Boolean) ? {rows: {values: names, shape: [count]}} : {}),
  });
}

/**
 * Writes several tensors as one file of NumPy's arrays.
 *
 * @param {Record<string, Pick<NamedTensor, 'shape' | 'data'>>} tensors
 */
export const tensorsNpz = (tensors) =>
  npz(
    Object.fromEntries(
      Object.entries(tensors).map(([name, {shape, data}]) => [
        name,
        {values: data, shape: [...shape]},
      ]),
    ),
  );

/** A name that Python accepts as a keyword. @param {string} name */
const arrayName = (name) =>
  name.replace(/[^\p{L}\p{N}]+/gu, '_').replace(/^(?=\p{N})|^_+|_+$/gu, '') || 'tensor';

/** @param {number} flat @param {readonly number[]} shape */
function indicesOf(flat, shape) {
  let rest = flat;
  return shape
    .toReversed()
    .map((size) => {
      const index = rest % size;
      rest = Math.floor(rest / size);
      return index;
    })
    .reverse();
}
