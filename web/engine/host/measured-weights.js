/** Attention matrices in each measure. */

import {attempt} from './attempt.js';
import {BertscopeError} from '../errors.js';
import {yieldIfDue} from '../event-loop.js';
import {measures} from '../measures.js';

/** @import {Encoder, PassInput} from './encoder.js' */
/** @import {Measure} from '../measures.js' */
/** @import {WasmModule} from '../wasm-module.d.ts' */

/**
 * @param {Pick<WasmModule, 'Flow'>} module
 * @param {Encoder} encoder
 * @param {PassInput} pass
 * @param {Measure} measure
 * @param {number} layer
 * @param {number} [head] Ignored by a measure of all heads.
 * @param {object} [options]
 * @param {AbortSignal} [options.signal]
 * @param {(progress: {done: number, total: number}) => void} [options.onProgress] Counts queries.
 * @returns {Promise<Float32Array>} `[tokens * tokens]`
 */
export async function measureOf(module, encoder, pass, measure, layer, head, options) {
  switch (measure) {
    case 'weight':
      if (head === undefined) {
        throw new BertscopeError('bad-index', 'weight: expected a layer and a head, found a layer');
      }
      return encoder.pull(pass, 'attention', [layer, head]);
    case 'norm':
      return head === undefined
        ? encoder.pull(pass, 'layerNorms', [layer])
        : encoder.pull(pass, 'headNorms', [layer, head]);
    case 'rollout':
      return encoder.pull(pass, 'rollout', [layer]);
    case 'flow':
      return flowOf(module, encoder, pass, layer, options);
    default: {
      const names = Object.keys(measures).join(', ');
      const message = `expected a measure of ${names}, found ${String(measure)}`;
      throw new BertscopeError('bad-option', message);
    }
  }
}

/**
 * Computes row by row, and lets other calls run in between, since a row of a long text takes long.
 * @param {Pick<WasmModule, 'Flow'>} module
 * @param {Encoder} encoder
 * @param {PassInput} pass
 * @param {number} layer
 * @param {{signal?: AbortSignal, onProgress?: (progress: {done: number, total: number}) => void}}
 *   [options]
 */
async function flowOf(module, encoder, pass, layer, {signal, onProgress} = {}) {
  const tokens = pass.ids.length;
  const flow = new module.Flow();
  try {
    await encoder.beginFlow(pass, flow, layer);
    const matrix = new Float32Array(tokens * tokens);
    for (let query = 0; query < tokens; query++) {
      await yieldIfDue(signal);
      const row = attempt('flow', () => flow.row(query));
      matrix.set(/** @type {Float32Array} */ (row), query * tokens);
      onProgress?.({done: query + 1, total: tokens});
    }
    return matrix;
  } finally {
    flow.delete();
  }
}
