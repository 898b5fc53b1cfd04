/** Starts our side: the engine as `web/engine/host/worker.js` starts it, with access to its internals. */

import createModule from '#wasm/bertscope.js';
import {Bridge} from '../../../web/engine/bridge.js';
import {openHttpFile} from '../../../web/engine/files/http-file.js';
import {openWeights} from '../../../web/engine/files/model-folder.js';
import {Helpers} from '../../../web/engine/host/helpers.js';
import {Runtime} from '../../../web/engine/host/runtime.js';

/** @import {Helper} from '../../../web/engine/host/helper.js' */
/** @import {LoadedModel} from '../../../web/engine/host/loaded-model.js' */
/** @import {Precision} from '../../../web/engine/host/load-encoders.js' */
/** @import {Kernel} from '../../../web/engine/host/runtime.js' */
/** @import {WasmModule} from '../../../web/engine/wasm-module.d.ts' */

/**
 * @typedef {object} OurFiles
 * @property {string} weights The address of a safetensors file.
 * @property {Record<string, string>} texts The files beside it; none when it is quantized.
 */

export const RELAXED = new URL('../../../build/wasm/bertscope-relaxed.wasm', import.meta.url);

/** A vocabulary is needed to load a model, not to run ids. */
const ANY_VOCABULARY = '[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n';

/** @param {Kernel} [kernel] */
export async function startEngine(kernel) {
  /** @type {{module: WasmModule, memory: WebAssembly.Memory} | undefined} */
  let made;
  const relaxed = await fetch(RELAXED);
  const runtime = await Runtime.create(
    async (options) => {
      const module = await createModule(options);
      made = {module, memory: /** @type {WebAssembly.Memory} */ (options?.wasmMemory)};
      return module;
    },
    {kernel, relaxedBinary: Promise.resolve(relaxed.ok ? relaxed.arrayBuffer() : undefined)},
  );
  const {module, memory} = /** @type {NonNullable<typeof made>} */ (made);
  return {
    kernel: runtime.kernel,
    runtime,
    module,
    memory,
    /** @param {OurFiles} files @param {Precision} [precision] */
    load: (files, precision) => load(runtime, files, precision),
  };
}

/**
 * Starts workers that help with the passes of a model, and gives them the model.
 * @param {LoadedModel} model
 * @param {number} count
 */
export async function addHelpers({encoder}, count) {
  const helpers = new Helpers();
  encoder.helpers = helpers;
  for (let i = 0; i < count; i++) {
    const worker = new Worker(new URL('./helper.js', import.meta.url), {type: 'module'});
    /** @type {Bridge<Helper>} */
    const bridge = new Bridge(worker, {moves: true});
    await helpers.add(encoder, bridge);
  }
  return helpers;
}

/**
 * @param {Runtime} runtime
 * @param {OurFiles} files
 * @param {Precision} [precision]
 */
async function load(runtime, {weights, texts}, precision) {
  const file = await openHttpFile(new URL(weights, location.href).href);
  const hasTokenizer = 'tokenizer.json' in texts || !('config.json' in texts);
  return runtime.load(
    {
      name: weights,
      path: weights,
      weights,
      open: () => openWeights(file),
      files: hasTokenizer ? texts : {...texts, 'vocab.txt': ANY_VOCABULARY},
    },
    {precision},
  );
}
