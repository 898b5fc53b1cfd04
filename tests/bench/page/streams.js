/**
 * Reads memory as fast as WebAssembly can: loops that add up all vectors, in the order of their
 * addresses or in several places at a time, since a processor reads ahead in each. A step of a model
 * that continues a text reads every weight once, so it takes at least as long as the fastest of them.
 */

import {load, localGet, localSet, moduleOf, range, SIMD} from './assembler.js';

const PLACES = [1, 2, 4];
const PAGE_BYTES = 1 << 16;
const LINE_BYTES = 64;
const VECTOR_BYTES = 16;

/**
 * @param {number} bytes The whole memory, each byte of which is read once.
 * @returns {Record<string, () => void>} By name.
 */
export function streamLoops(bytes) {
  const most = PAGE_BYTES * Math.max(...PLACES);
  const pages = (Math.ceil(bytes / most) * most) / PAGE_BYTES;
  return Object.fromEntries(
    PLACES.map((places) => {
      const each = (pages * PAGE_BYTES) / places;
      const module = new WebAssembly.Module(assemble(places, each, pages));
      const {run, memory} = new WebAssembly.Instance(module).exports;
      // The system gives no memory to pages that nobody has written to.
      new Uint8Array(/** @type {WebAssembly.Memory} */ (memory).buffer).fill(places);
      const read = /** @type {(end: number) => number} */ (run);
      return [`stream${places}`, () => void read(each)];
    }),
  );
}

/**
 * @param {number} places
 * @param {number} each The bytes that are read in each.
 * @param {number} pages
 */
function assemble(places, each, pages) {
  // Local variables: the end, an address, and a sum for each vector of a line.
  const [end, address, sums] = [0, 1, 2];
  const vectors = LINE_BYTES / VECTOR_BYTES;
  const add = (/** @type {number} */ vector, /** @type {number} */ at) => [
    ...[...localGet(sums + vector), ...localGet(address), ...load(at + vector * VECTOR_BYTES)],
    ...[SIMD, 0xae, 0x01, ...localSet(sums + vector)], // i32x4.add
  ];
  const body = [
    ...[0x03, 0x40], // loop
    ...range(places).flatMap((place) => range(vectors).flatMap((i) => add(i, place * each))),
    // address = address + 64, while it is less than the end
    ...[...localGet(address), 0x41, 0xc0, 0x00, 0x6a, 0x22, address, ...localGet(end), 0x49],
    ...[0x0d, 0x00, 0x0b], // br_if, end
    ...localGet(sums),
    ...range(vectors - 1).flatMap((i) => [...localGet(sums + i + 1), SIMD, 0x51]), // xor
    ...[SIMD, 0x1b, 0x00, 0x0b], // i32x4.extract_lane 0, end
  ];
  return moduleOf({vectors, body, pages});
}
