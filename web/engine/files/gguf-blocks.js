/**
 * The types of numbers in GGUF files. Most have blocks of 32 or 256 small integers, with scales in half
 * precision. What comes out is equal, bit for bit, to what GGML's own reference computes.
 * Source: `ggml-quants.c` of ggml-org/ggml, and `quants.py` of its Python package `gguf`.
 */

/** @import {Dtype} from './safetensors-header.js' */

/**
 * @typedef {object} Block
 * @property {string} name
 * @property {number} values How many numbers a block has.
 * @property {number} bytes The size of a block.
 * @property {Dtype} dtype The type of the numbers that the reader hands out.
 * @property {(bytes: Uint8Array, at: number, out: Float32Array, to: number) => void} [read] Writes the
 *   numbers of the block at byte `at` from index `to` on. Types without it are handed out as they are.
 */

/** The types that are read, by their numbers. @type {Readonly<Record<number, Block>>} */
export const BLOCKS = Object.freeze({
  0: {name: 'F32', values: 1, bytes: 4, dtype: 'F32'},
  1: {name: 'F16', values: 1, bytes: 2, dtype: 'F16'},
  2: {name: 'Q4_0', values: 32, bytes: 18, dtype: 'F32', read: readQ4_0},
  3: {name: 'Q4_1', values: 32, bytes: 20, dtype: 'F32', read: readQ4_1},
  6: {name: 'Q5_0', values: 32, bytes: 22, dtype: 'F32', read: readQ5_0},
  7: {name: 'Q5_1', values: 32, bytes: 24, dtype: 'F32', read: readQ5_1},
  8: {name: 'Q8_0', values: 32, bytes: 34, dtype: 'F32', read: readQ8_0},
  12: {name: 'Q4_K', values: 256, bytes: 144, dtype: 'F32', read: readQ4_K},
  13: {name: 'Q5_K', values: 256, bytes: 176, dtype: 'F32', read: readQ5_K},
  14: {name: 'Q6_K', values: 256, bytes: 210, dtype: 'F32', read: readQ6_K},
  30: {name: 'BF16', values: 1, bytes: 2, dtype: 'BF16'},
});

/** Some types that people have and that are not read. @type {Record<number, string>} */
const OTHERS = {
  10: 'Q2_K',
  11: 'Q3_K',
  16: 'IQ2_XXS',
  17: 'IQ2_XS',
  18: 'IQ3_XXS',
  19: 'IQ1_S',
  20: 'IQ4_NL',
  21: 'IQ3_S',
  22: 'IQ2_S',
  23: 'IQ4_XS',
  34: 'TQ1_0',
  35: 'TQ2_0',
  39: 'MXFP4',
};

/** @param {number} type */
export const typeName = (type) => (Object.hasOwn(OTHERS, type) ? OTHERS[type] : `type ${type}`);

/**
 * @param {Uint8Array} bytes
 * @param {number} at Where a number in half precision is.
 */
function half(bytes, at) {
  const bits = bytes[at] | (bytes[at + 1] << 8);
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/** @param {number} byte @returns {number} As a signed integer. */
const signed = (byte) => (byte << 24) >> 24;

// Storing in a Float32Array rounds once. The product of a half and a small integer is exact in the
// numbers of JavaScript, so it is rounded by hand before something is added.
const {fround} = Math;

/** @type {NonNullable<Block['read']>} */
function readQ4_0(bytes, at, out, to) {
  const scale = half(bytes, at);
  for (let i = 0; i < 16; i++) {
    const pair = bytes[at + 2 + i];
    out[to + i] = scale * ((pair & 15) - 8);
    out[to + i + 16] = scale * ((pair >> 4) - 8);
  }
}

/** @type {NonNullable<Block['read']>} */
function readQ4_1(bytes, at, out, to) {
  const [scale, least] = [half(bytes, at), half(bytes, at + 2)];
  for (let i = 0; i < 16; i++) {
    const pair = bytes[at + 4 + i];
    out[to + i] = fround(scale * (pair & 15)) + least;
    out[to + i + 16] = fround(scale * (pair >> 4)) + least;
  }
}

/** @type {NonNullable<Block['read']>} */
function readQ5_0(bytes, at, out, to) {
  const scale = half(bytes, at);
  for (let i = 0; i < 16; i++) {
    const pair = bytes[at + 6 + i];
    out[to + i] = scale * (((pair & 15) | fifthBit(bytes, at + 2, i)) - 16);
    out[to + i + 16] = scale * (((pair >> 4) | fifthBit(bytes, at + 2, i + 16)) - 16);
  }
}

/** @type {NonNullable<Block['read']>} */
function readQ5_1(bytes, at, out, to) {
  const [scale, least] = [half(bytes, at), half(bytes, at + 2)];
  for (let i = 0; i < 16; i++) {
    const pair = bytes[at + 8 + i];
    out[to + i] = fround(scale * ((pair & 15) | fifthBit(bytes, at + 4, i))) + least;
    out[to + i + 16] = fround(scale * ((pair >> 4) | fifthBit(bytes, at + 4, i + 16))) + least;
  }
}

/**
 * @param {Uint8Array} bytes
 * @param {number} at Where the highest bits of a block are.
 * @param {number} index Which number of the block it is.
 */
const fifthBit = (bytes, at, index) => ((bytes[at + (index >> 3)] >> (index & 7)) & 1) << 4;

/** @type {NonNullable<Block['read']>} */
function readQ8_0(bytes, at, out, to) {
  const scale = half(bytes, at);
  for (let i = 0; i < 32; i++) out[to + i] = scale * signed(bytes[at + 2 + i]);
}

/** @type {NonNullable<Block['read']>} */
function readQ4_K(bytes, at, out, to) {
  const [scale, least] = [half(bytes, at), half(bytes, at + 2)];
  for (let group = 0; group < 8; group++) {
    const [d, m] = scalesOf(bytes, at + 4, group);
    const [step, base] = [fround(scale * d), fround(least * m)];
    // Two groups share bytes: one has their lower halves, the next the upper ones.
    const begin = at + 16 + 32 * (group >> 1);
    const shift = 4 * (group & 1);
    for (let i = 0; i < 32; i++) {
      out[to + 32 * group + i] = fround(step * ((bytes[begin + i] >> shift) & 15)) - base;
    }
  }
}

/** @type {NonNullable<Block['read']>} */
function readQ5_K(bytes, at, out, to) {
  const [scale, least] = [half(bytes, at), half(bytes, at + 2)];
  for (let group = 0; group < 8; group++) {
    const [d, m] = scalesOf(bytes, at + 4, group);
    const [step, base] = [fround(scale * d), fround(least * m)];
    const begin = at + 48 + 32 * (group >> 1);
    const shift = 4 * (group & 1);
    for (let i = 0; i < 32; i++) {
      const high = ((bytes[at + 16 + i] >> group) & 1) << 4;
      const value = ((bytes[begin + i] >> shift) & 15) | high;
      out[to + 32 * group + i] = fround(step * value) - base;
    }
  }
}

/**
 * Twelve bytes hold the scales and the offsets of eight groups, six bits each.
 * @param {Uint8Array} bytes
 * @param {number} at
 * @param {number} group
 * @returns {[number, number]}
 */
function scalesOf(bytes, at, group) {
  const place = at + (group & 3);
  const [scale, offset, both] = [bytes[place], bytes[place + 4], bytes[place + 8]];
  if (group < 4) return [scale & 63, offset & 63];
  return [(both & 15) | ((scale >> 2) & 48), (both >> 4) | ((offset >> 2) & 48)];
}

/** @type {NonNullable<Block['read']>} */
function readQ6_K(bytes, at, out, to) {
  const scale = half(bytes, at + 208);
  for (let group = 0; group < 16; group++) {
    const step = fround(scale * signed(bytes[at + 192 + group]));
    // A half of the block is four rows of 32 numbers. Two rows share the bytes of lower bits, and all
    // four those of higher bits.
    const [part, row, column] = [group >> 3, (group >> 1) & 3, 16 * (group & 1)];
    const low = at + 64 * part + 32 * (row & 1) + column;
    const high = at + 128 + 32 * part + column;
    for (let i = 0; i < 16; i++) {
      const lower = (bytes[low + i] >> (4 * (row >> 1))) & 15;
      const upper = ((bytes[high + i] >> (2 * row)) & 3) << 4;
      out[to + 16 * group + i] = step * ((lower | upper) - 32);
    }
  }
}
