/** The engine in Node. */

import {readFile} from 'node:fs/promises';
import {fileURLToPath} from 'node:url';
import {BertscopeError} from '../../web/engine/errors.js';
import {Runtime} from '../../web/engine/host/runtime.js';
import {printable} from './output.mjs';
import {progressBar} from './progress.mjs';
import {openModel} from './source.mjs';
import {enter} from './stage.mjs';

/** @import {Precision} from '../../web/engine/host/load-encoders.js' */

const WASM = new URL('../../build/wasm/bertscope.wasm', import.meta.url);
const RELAXED = new URL('../../build/wasm/bertscope-relaxed.wasm', import.meta.url);

/**
 * @param {string} [precision] The value of --precision.
 * @returns {Precision}
 */
export function checkPrecision(precision = 'int8') {
  if (precision === 'int8' || precision === 'f32') return precision;
  throw new BertscopeError('usage', `--precision: expected int8 or f32, found ${precision}`);
}

export async function createRuntime() {
  let wasmBinary;
  try {
    wasmBinary = await readFile(WASM);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
    const message = `${fileURLToPath(WASM)}: expected the engine, found nothing; build it with: npm run build:wasm`;
    throw new BertscopeError('not-built', message);
  }
  const {default: createModule} = await import('#wasm/bertscope.js');
  // The plug-in only makes things faster, so its absence is no error.
  const relaxedBinary = readFile(RELAXED).catch(() => undefined);
  return Runtime.create(createModule, {wasmBinary, relaxedBinary});
}

/**
 * @param {string} path
 * @param {Precision} [precision]
 */
export async function loadModel(path, precision) {
  enter(`opening ${path}`);
  const [runtime, source] = await Promise.all([createRuntime(), openModel(path)]);
  const bar = progressBar(`loading ${printable(source.name)}`);
  try {
    return await runtime.load(source, {
      precision,
      onStage: (stage) => enter(`reading the ${stage} of ${path}`),
      onProgress: ({loaded, total}) => bar.update(loaded / total),
    });
  } finally {
    bar.end();
  }
}
