/** Our side: the engine as `web/engine/worker.js` starts it, its insides at hand. */

import createModule from '#wasm/bertscope.js';
import {Runtime} from '../../../web/engine/runtime.js';

/** @import {Precision} from '../../../web/engine/encoder.js' */
/** @import {Kernel} from '../../../web/engine/runtime.js' */
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
    module,
    memory,
    /** @param {OurFiles} files @param {Precision} [precision] */
    load: (files, precision) => load(runtime, files, precision),
  };
}

/**
 * @param {Runtime} runtime
 * @param {OurFiles} files
 * @param {Precision} [precision]
 */
async function load(runtime, {weights, texts}, precision) {
  const {body} = await fetch(weights);
  if (!body) throw new Error(`${weights}: expected a file, found nothing`);
  const hasTokenizer = 'tokenizer.json' in texts || !('config.json' in texts);
  return runtime.load(
    {
      name: weights,
      path: weights,
      weights,
      chunks: readAll(body),
      files: hasTokenizer ? texts : {...texts, 'vocab.txt': ANY_VOCABULARY},
    },
    {precision},
  );
}

/**
 * Not every browser iterates streams itself.
 * @param {ReadableStream<Uint8Array>} stream
 */
async function* readAll(stream) {
  const reader = stream.getReader();
  for (;;) {
    const {done, value} = await reader.read();
    if (done) return;
    yield value;
  }
}
