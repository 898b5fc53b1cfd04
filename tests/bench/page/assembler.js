/** Assembles WebAssembly modules of one loop. */

export const SIMD = 0xfd;
const V128 = 0x7b;
const I32 = 0x7f;

/** @param {number} length */
export const range = (length) => Array.from({length}, (_, i) => i);

export const localGet = (/** @type {number} */ index) => [0x20, index];
export const localSet = (/** @type {number} */ index) => [0x21, index];

/** v128.load */
export const load = (/** @type {number} */ offset) => [SIMD, 0x00, 0x04, ...leb(offset)];

/**
 * A module that exports `run`, a function of a number that returns one, and `memory`.
 *
 * @param {object} options
 * @param {number} options.vectors The number of local vectors, after the parameter and one more number.
 * @param {number[]} options.body The instructions, with the last `end`.
 * @param {number} [options.pages] The size of its memory, each of 64 kB.
 */
export function moduleOf({vectors, body, pages = 1}) {
  const code = [2, 1, I32, vectors, V128, ...body];
  return Uint8Array.of(
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 1, I32, 1, I32]), // (i32) -> i32
    ...section(3, [1, 0]),
    ...section(5, [1, 0, ...leb(pages)]),
    ...section(7, [2, ...name('run'), 0x00, 0, ...name('memory'), 0x02, 0]), // exports
    ...section(10, [1, ...leb(code.length), ...code]),
  );
}

/** @param {string} text */
const name = (text) => [text.length, ...new TextEncoder().encode(text)];

/** @param {number} id @param {number[]} content */
function section(id, content) {
  return [id, ...leb(content.length), ...content];
}

/** @param {number} value Unsigned LEB128. @returns {number[]} */
function leb(value) {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >> 7)];
}
