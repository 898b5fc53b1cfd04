/** Starts the peer: onnxruntime-web as transformers.js runs it, on one thread. */

/** @typedef {{run(ids: Int32Array): Promise<Record<string, {data: Float32Array}>>}} PeerSession */

const PEER = new URL('/peer/', location.href).href;

export async function startPeer() {
  const ort = await import(/* @vite-ignore */ `${PEER}ort.wasm.min.mjs`);
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.proxy = false;
  ort.env.wasm.wasmPaths = PEER;
  return {
    /**
     * @param {string} graph Its address.
     * @returns {Promise<PeerSession>}
     */
    async load(graph) {
      const session = await ort.InferenceSession.create(graph, {executionProviders: ['wasm']});
      return {run: (ids) => session.run(feedsOf(ort, ids))};
    },
  };
}

/**
 * @param {any} ort
 * @param {Int32Array} ids One sentence.
 */
function feedsOf(ort, ids) {
  const tensor = (/** @type {BigInt64Array} */ values) =>
    new ort.Tensor('int64', values, [1, ids.length]);
  return {
    input_ids: tensor(BigInt64Array.from(ids, BigInt)),
    attention_mask: tensor(new BigInt64Array(ids.length).fill(1n)),
    token_type_ids: tensor(new BigInt64Array(ids.length)),
  };
}
