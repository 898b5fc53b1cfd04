/**
 * Measures only the int8 kernels, `multiplyPanel` of `src/kernels/kernels.h`, panel after panel of one
 * weight matrix, beside the bare loop of the instruction each is made of.
 */

import {bareLoops} from './bare-loops.js';
import {RELAXED, startEngine} from './ours.js';
import {takeTurns} from './sampling.js';

/** @import {Instruction} from './bare-loops.js' */
/** @import {Effort} from './sampling.js' */

/**
 * @typedef {object} KernelTask
 * @property {'kernels'} kind
 * @property {number} depth
 * @property {number} channels
 * @property {number[]} rows
 * @property {Effort} effort
 */

/**
 * @typedef {object} KernelRow
 * @property {Instruction} kernel
 * @property {number} rows
 * @property {number} depth
 * @property {number} channels
 * @property {number} gmacs The rate in 1e9 multiply-adds a second.
 * @property {number} limit_gmacs The rate of the best bare loop, in turns with the kernel.
 */

/**
 * @typedef {object} Kernel
 * @property {Instruction} instruction
 * @property {number} activationBytes
 * @property {WebAssembly.Memory} memory
 * @property {MultiplyPanel} multiplyPanel
 */

/**
 * @typedef {(activations: number, strideBytes: number, rows: number, depth: number, panel: number,
 *   out: number) => void} MultiplyPanel
 */

const PAGE = 65536;
const PANEL_COLUMNS = 64;

/**
 * @param {KernelTask} task
 * @param {(text: string) => void} progress
 * @returns {Promise<{kernels: KernelRow[], notes: string[]}>}
 */
export async function measureKernels({depth, channels, rows, effort}, progress) {
  const chosen = (await startEngine()).kernel;
  const found = [...(await relaxedKernels()), await simd128Kernel()];
  const kernels = [];
  const notes = [`the engine runs ${chosen}`];
  for (const kernel of found) {
    if (typeof kernel === 'string') {
      notes.push(kernel);
      continue;
    }
    const multiply = multiplierOf(kernel, depth, channels, Math.max(...rows));
    for (const count of rows) {
      progress(`${kernel.instruction}, ${count} rows`);
      const rates = await rateBeside(kernel.instruction, multiply(count), effort);
      kernels.push({kernel: kernel.instruction, rows: count, depth, channels, ...rates});
    }
  }
  return {kernels, notes};
}

/** @returns {Promise<(Kernel | string)[]>} Those of the plug-in, or the reason why there is none. */
async function relaxedKernels() {
  const response = await fetch(RELAXED);
  if (!response.ok) return ['relaxed: not built'];
  const bytes = await response.arrayBuffer();
  if (!WebAssembly.validate(bytes)) return ['relaxed: this browser has no relaxed SIMD'];
  const memory = new WebAssembly.Memory({initial: 16});
  const {instance} = await WebAssembly.instantiate(bytes, {env: {memory}});
  const {multiplyPanel, multiplyPanelInPairs} = /** @type {Record<string, MultiplyPanel>} */ (
    instance.exports
  );
  const of = {activationBytes: 1, memory};
  return [
    {...of, instruction: 'relaxed', multiplyPanel},
    {...of, instruction: 'relaxed-pairs', multiplyPanel: multiplyPanelInPairs},
  ];
}

/** @returns {Promise<Kernel>} The kernel in the main module, by its function pointer. */
async function simd128Kernel() {
  const {module, memory} = await startEngine('simd128');
  const kernels = new module.Kernels(0, 0, 0);
  const multiplyPanel = /** @type {MultiplyPanel} */ (
    module.getWasmTableEntry(kernels.multiplyPanel())
  );
  const activationBytes = kernels.activationBytes();
  return {instruction: 'simd128', activationBytes, memory, multiplyPanel};
}

/**
 * Lays out random operands behind everything else in the kernel's memory.
 * @param {Kernel} kernel
 * @param {number} depth
 * @param {number} channels
 * @param {number} maxRows
 * @returns {(rows: number) => {run: () => void, multiplyAdds: number}} Makes one product of a whole matrix.
 */
function multiplierOf({activationBytes, memory, multiplyPanel}, depth, channels, maxRows) {
  const panels = channels / PANEL_COLUMNS;
  const panelBytes = depth * PANEL_COLUMNS;
  const strideBytes = depth * activationBytes;
  const bytes = panels * panelBytes + maxRows * (strideBytes + PANEL_COLUMNS * 4);
  const weights = memory.grow(Math.ceil(bytes / PAGE)) * PAGE;
  const activations = weights + panels * panelBytes;
  const out = activations + maxRows * strideBytes;
  const levels = () => Math.floor(Math.random() * 255) - 127;
  new Int8Array(memory.buffer, weights, panels * panelBytes).forEach((_, i, all) => {
    all[i] = levels();
  });
  const Activations = activationBytes === 1 ? Int8Array : Int16Array;
  new Activations(memory.buffer, activations, maxRows * depth).forEach((_, i, all) => {
    all[i] = levels();
  });
  return (rows) => ({
    run: () => {
      for (let panel = weights; panel < activations; panel += panelBytes) {
        multiplyPanel(activations, strideBytes, rows, depth, panel, out);
      }
    },
    multiplyAdds: rows * depth * channels,
  });
}

/**
 * @param {Instruction} instruction
 * @param {{run: () => void, multiplyAdds: number}} multiply
 * @param {Effort} effort
 */
async function rateBeside(instruction, {run, multiplyAdds}, effort) {
  const loops = bareLoops(instruction);
  const turns = 20_000;
  const {medians} = await takeTurns(
    {kernel: run, ...Object.fromEntries(loops.map(({run}, i) => [`bare${i}`, () => run(turns)]))},
    effort,
  );
  const times = /** @type {Record<string, number>} */ (medians);
  const limits = loops.map(({multiplyAdds}, i) => (turns * multiplyAdds) / times[`bare${i}`] / 1e6);
  return {gmacs: multiplyAdds / times.kernel / 1e6, limit_gmacs: Math.max(...limits)};
}
