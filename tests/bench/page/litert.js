/** Starts the other peer: LiteRT.js on the CPU. Its graphs are each for one number of tokens. */

/// <reference path="./litert-core.d.ts" />

/** @import {Tensor} from '@litertjs/core' */

/** @typedef {Awaited<ReturnType<typeof startLiteRt>>} LiteRt */
/** @typedef {Awaited<ReturnType<LiteRt['load']>>} LiteRtSession */

const FOLDER = new URL('/litert/', location.href).href;

export async function startLiteRt(threads = 1) {
  const {loadAndCompile, loadLiteRt, Tensor} = await import('@litertjs/core');
  const script = provideImportScripts();
  await loadLiteRt(FOLDER, {threads: threads > 1});
  return {
    /** The name of the script that LiteRT.js chose for this browser, which says what its binary uses. */
    build: script.name.replace(FOLDER, ''),
    /** @param {string} graph Its address. */
    async load(graph) {
      const model = await loadAndCompile(graph, {
        accelerator: 'wasm',
        cpuOptions: {numThreads: threads},
      });
      /** @type {Record<string, Tensor>} */
      let outputs = {};
      const release = () => Object.values(outputs).forEach((tensor) => tensor.delete());
      return {
        /**
         * Leaves the outputs in wasm memory until the next run, as ours does.
         * @param {Int32Array} ids One sentence.
         */
        async run(ids) {
          release();
          const input = new Tensor(ids, [ids.length]);
          outputs = await model.run({input_ids: input});
          input.delete();
        },
        /** @param {number} layers @returns {Promise<Float32Array[]>} Of the last run, by layer. */
        attention: (layers) =>
          Promise.all(
            Array.from({length: layers}, (_, layer) => outputs[`attention_${layer}`].data()),
          ),
        close() {
          release();
          model.delete();
        },
      };
    },
  };
}

/**
 * Lets LiteRT.js load its script into this worker: it calls `importScripts`, which refuses in workers that are modules,
 * and the script looks for its binary beside the worker.
 */
function provideImportScripts() {
  const script = {name: ''};
  Object.assign(self, {
    /** @param {string} url */
    importScripts(url) {
      const request = new XMLHttpRequest();
      request.open('GET', url, false);
      request.send();
      // oxlint-disable-next-line no-eval -- an indirect call declares the script's variables globally
      (0, eval)(request.responseText);
      script.name = url;
      const locateFile = (/** @type {string} */ name) => FOLDER + name;
      Object.assign(self, {Module: {locateFile, mainScriptUrlOrBlob: url}});
    },
  });
  return script;
}
