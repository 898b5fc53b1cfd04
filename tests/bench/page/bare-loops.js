/**
 * Makes loops of only the instruction that an int8 kernel is made of, with all operands in registers.
 * No kernel can be faster on this machine. The loops are assembled by hand, because every compiler
 * would improve them.
 */

import {localGet, localSet, moduleOf, load, range, SIMD} from './assembler.js';

/** @typedef {'relaxed' | 'relaxed-pairs' | 'simd128'} Instruction */

/** A step adds one vector's products to four sums. The stack has the sums, weights and activations. */
const STEPS = {
  relaxed: {
    multiplyAdds: 16,
    // i32x4.relaxed_dot_i8x16_i7x16_add_s
    emit: (/** @type {number} */ w, /** @type {number} */ x, /** @type {number} */ sum) => [
      ...[...localGet(w), ...localGet(x), ...localGet(sum)],
      ...[SIMD, 0x93, 0x02],
      ...localSet(sum),
    ],
  },
  'relaxed-pairs': {
    multiplyAdds: 16,
    // i16x8.relaxed_dot_i8x16_i7x16_s, i32x4.dot_i16x8_s, i32x4.add; any operand takes the place of ones
    emit: (/** @type {number} */ w, /** @type {number} */ x, /** @type {number} */ sum) => [
      ...[...localGet(w), ...localGet(x), SIMD, 0x92, 0x02],
      ...[...localGet(w), SIMD, 0xba, 0x01],
      ...[...localGet(sum), SIMD, 0xae, 0x01],
      ...localSet(sum),
    ],
  },
  simd128: {
    multiplyAdds: 8,
    // i32x4.dot_i16x8_s, i32x4.add
    emit: (/** @type {number} */ w, /** @type {number} */ x, /** @type {number} */ sum) => [
      ...[...localGet(w), ...localGet(x), SIMD, 0xba, 0x01],
      ...[...localGet(sum), SIMD, 0xae, 0x01],
      ...localSet(sum),
    ],
  },
};

/**
 * Each loop has a number of weights and of sums in registers, and of steps a turn, each with one more
 * activation. Which loop is fastest depends on the latency of the instruction and on how the compiler
 * assigns registers.
 */
const LOOPS = [
  [2, 12, 6],
  [2, 10, 5],
  [6, 4, 4],
  [7, 4, 4],
  [4, 8, 4],
  [3, 10, 4],
];

/**
 * @param {Instruction} instruction
 * @returns {{run: (turns: number) => number, multiplyAdds: number}[]} With the multiply-adds a turn;
 *   none where the browser lacks the instruction.
 */
export function bareLoops(instruction) {
  return LOOPS.flatMap(([weights, sums, steps]) => {
    const bytes = assemble(instruction, weights, sums, steps);
    if (!WebAssembly.validate(bytes)) return [];
    const {run, memory} = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
    crypto.getRandomValues(new Uint8Array(/** @type {WebAssembly.Memory} */ (memory).buffer));
    const multiplyAdds = weights * steps * STEPS[instruction].multiplyAdds;
    return [{run: /** @type {(turns: number) => number} */ (run), multiplyAdds}];
  });
}

/**
 * @param {Instruction} instruction
 * @param {number} weights
 * @param {number} sums
 * @param {number} steps
 */
function assemble(instruction, weights, sums, steps) {
  // Local variables: the turns left, an address, an activation, weights and sums.
  const [turns, address, x, w] = [0, 1, 2, 3];
  const sum = (/** @type {number} */ i) => w + weights + (i % sums);
  const vectors = 1 + weights + sums;
  const body = [
    // Weights come from memory, because the compiler would compute the products of constants.
    ...range(weights).flatMap((j) => [0x41, 0, ...load(16 * j), ...localSet(w + j)]),
    ...[0x03, 0x40], // loop
    // Each turn has other activations, at turns * 16 & 0x1ff0, or the products would move out of the loop.
    ...[...localGet(turns), 0x41, 0x04, 0x74, 0x41, 0xf0, 0x3f, 0x71, ...localSet(address)],
    ...range(steps).flatMap((step) => [
      ...[...localGet(address), ...load(16 * step), ...localSet(x)],
      ...range(weights).flatMap((j) => STEPS[instruction].emit(w + j, x, sum(step * weights + j))),
    ]),
    ...[...localGet(turns), 0x41, 0x01, 0x6b, 0x22, turns], // turns = turns - 1
    ...[0x0d, 0x00, 0x0b], // br_if, end
    ...localGet(sum(0)),
    ...range(sums - 1).flatMap((i) => [...localGet(sum(i + 1)), SIMD, 0x51]), // xor
    ...[SIMD, 0x1b, 0x00, 0x0b], // i32x4.extract_lane 0, end
  ];
  return moduleOf({vectors, body});
}
