/** Starts a peer: onnxruntime-web as transformers.js runs it. */

/**
 * @typedef {object} PeerGraphs The addresses of graphs.
 * @property {string} int8
 * @property {string} float32
 * @property {string} [step] In 8 bits, of a model that continues a text: it takes the keys and values
 *   of the tokens before.
 * @property {Record<number, string>} [litert] Those of LiteRT.js, in 8 bits, by the number of tokens; only
 *   if it was asked for.
 */

/** @typedef {{run(ids: Int32Array): Promise<Record<string, {data: Float32Array}>>}} PeerSession */
/** @typedef {{layers: number, heads: number, headDim: number}} CacheShape */

const PEER = new URL('/peer/', location.href).href;

export async function startPeer(threads = 1) {
  const ort = await import(/* @vite-ignore */ `${PEER}ort.wasm.min.mjs`);
  ort.env.wasm.numThreads = threads;
  ort.env.wasm.proxy = false;
  ort.env.wasm.wasmPaths = PEER;
  const open = (/** @type {string} */ graph) =>
    ort.InferenceSession.create(graph, {executionProviders: ['wasm']});
  return {
    /**
     * @param {string} graph Its address.
     * @returns {Promise<PeerSession>}
     */
    async load(graph) {
      const session = await open(graph);
      return {run: (ids) => session.run(feedsOf(ort, ids, session.inputNames))};
    },
    /**
     * @param {string} graph The address of one that takes keys and values.
     * @param {CacheShape} shape
     */
    async loadSteps(graph, shape) {
      const session = await open(graph);
      /**
       * @param {Int32Array} ids Those of the new tokens.
       * @param {Record<string, unknown>} [past] What the call for the tokens before returned.
       * @returns {Promise<Record<string, {data: Float32Array}>>} The logits after the last token, and
       *   the keys and values of all.
       */
      return (ids, past) => {
        const cache = past ? asPast(past) : noPast(ort, shape);
        return session.run({...feedsOf(ort, ids, ['input_ids']), ...cache});
      };
    },
  };
}

/**
 * @param {any} ort
 * @param {Int32Array} ids One sentence.
 * @param {string[]} names Of the inputs that the graph has.
 */
function feedsOf(ort, ids, names) {
  const tensor = (/** @type {BigInt64Array} */ values) =>
    new ort.Tensor('int64', values, [1, ids.length]);
  const all = {
    input_ids: tensor(BigInt64Array.from(ids, BigInt)),
    attention_mask: tensor(new BigInt64Array(ids.length).fill(1n)),
    token_type_ids: tensor(new BigInt64Array(ids.length)),
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
}

/** @param {Record<string, unknown>} outputs */
function asPast(outputs) {
  return Object.fromEntries(
    Object.entries(outputs)
      .filter(([name]) => name.startsWith('present_'))
      .map(([name, tensor]) => [name.replace('present_', 'past_'), tensor]),
  );
}

/** @param {any} ort @param {CacheShape} shape */
function noPast(ort, {layers, heads, headDim}) {
  const none = () => new ort.Tensor('float32', new Float32Array(0), [1, heads, 0, headDim]);
  return Object.fromEntries(
    Array.from({length: layers}, (_, layer) => [
      [`past_key_${layer}`, none()],
      [`past_value_${layer}`, none()],
    ]).flat(),
  );
}
