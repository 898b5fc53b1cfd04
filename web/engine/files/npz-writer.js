/**
 * Writes NumPy's array files. Source:
 * https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 */

import {zipSync} from 'fflate';

/** @typedef {{values: Float32Array | Int32Array | string[], shape: number[]}} NumpyArray */

/** The earliest date that zip can hold. It is fixed, so that the same arrays give the same file. */
const NO_TIME = new Date(1980, 0, 1);

/**
 * @param {Record<string, NumpyArray>} arrays
 * @returns {Uint8Array} A `.npz` file. It is not compressed, since attention hardly gets smaller.
 */
export function npz(arrays) {
  const files = Object.entries(arrays).map(([name, array]) => [`${name}.npy`, npy(array)]);
  return zipSync(Object.fromEntries(files), {level: 0, mtime: NO_TIME});
}

/**
 * @param {NumpyArray} array
 * @returns {Uint8Array} A `.npy` file, version 1.0, row-major and little-endian.
 */
export function npy({values, shape}) {
  const {type, bytes} = encode(values);
  // In Python, a tuple of one element needs a comma at its end, and any other tuple may have one.
  const tuple = `(${shape.map((size) => `${size},`).join(' ')})`;
  const dictionary = `{'descr': '${type}', 'fortran_order': False, 'shape': ${tuple}, }`;
  const headerBytes = Math.ceil((10 + dictionary.length + 1) / 64) * 64 - 10;
  const header = `${dictionary.padEnd(headerBytes - 1)}\n`;
  const file = new Uint8Array(10 + headerBytes + bytes.length);
  file.set([0x93, ...new TextEncoder().encode('NUMPY'), 1, 0]);
  new DataView(file.buffer).setUint16(8, headerBytes, true);
  file.set(new TextEncoder().encode(header), 10);
  file.set(bytes, 10 + headerBytes);
  return file;
}

/** @param {NumpyArray['values']} values */
function encode(values) {
  if (Array.isArray(values)) return encodeStrings(values);
  const type = values instanceof Float32Array ? '<f4' : '<i4';
  return {type, bytes: new Uint8Array(values.buffer, values.byteOffset, values.byteLength)};
}

/** Writes UTF-32, padded with zeros to the longest. @param {string[]} values */
function encodeStrings(values) {
  const codePoints = values.map((value) => Array.from(value, (c) => Number(c.codePointAt(0))));
  const length = Math.max(1, ...codePoints.map((points) => points.length));
  const view = new DataView(new ArrayBuffer(values.length * length * 4));
  codePoints.forEach((points, row) =>
    points.forEach((point, column) => view.setUint32((row * length + column) * 4, point, true)),
  );
  return {type: `<U${length}`, bytes: new Uint8Array(view.buffer)};
}
