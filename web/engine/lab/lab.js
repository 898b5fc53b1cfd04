/**
 * Attention built from scratch, one operation at a time, for lessons: `engine.lab`. It knows no
 * model; its weights are random from a seed, and the same in every browser (`src/lab/random.h` says
 * how). Every operation checks its shapes and rejects with a `BertscopeError` that says what was
 * expected and found.
 */

import {BertscopeError} from '../errors.js';
import {ATTENDING, checkOption, INPUTS, LAYER, MASKING} from './options.js';

/** @import {LabOperation} from '../wasm-module.d.ts' */

/** @typedef {{shape: number[], data: Float32Array}} Tensor Row-major. */

/** @typedef {{shape: number[], data: ArrayLike<number>}} TensorLike */

/**
 * @typedef {'head' | 'hidden' | 'none'} Scale What dot products are divided by: √features of a head
 *   (right), √(heads · features) (a common slip; the same where there are no heads), or 1.
 */

/**
 * @typedef {'keys' | 'queries'} Axis What a softmax makes sum to 1: each row, over its keys (right),
 *   or each column, over the queries (wrong).
 */

/** @typedef {{weight: Tensor, bias: Tensor}} Linear `[out, in]` and `[out]`, as in PyTorch. */

/**
 * @typedef {object} Masking
 * @property {boolean} [causal] No query looks at a key behind it in the text; false unless given.
 * @property {TensorLike | null} [keep] `[batch, keys]` or `[keys]`: 1 for a token, 0 for padding.
 */

/**
 * @typedef {object} Scoring
 * @property {Scale} [scale] 'head' unless given.
 * @property {Axis} [axis] Of the softmax; 'keys' unless given.
 */

/**
 * @typedef {object} Attention
 * @property {Tensor} scores `[…, queries, keys]`
 * @property {Tensor} masked The same, -Infinity where a query may not look.
 * @property {Tensor} weights Their softmax.
 * @property {Tensor} entropy `[…, queries]`, of each row in nats: from 0 to ln(keys).
 * @property {Tensor} output `[…, queries, features]`
 */

/**
 * @typedef {object} MultiHead
 * @property {Tensor} query `[batch, queries, hidden]`, projected.
 * @property {Tensor} key `[batch, keys, hidden]`
 * @property {Tensor} value `[batch, keys, hidden]`
 * @property {Tensor} queryHeads `[batch, heads, queries, hidden / heads]`
 * @property {Tensor} keyHeads `[batch, heads, keys, hidden / heads]`
 * @property {Tensor} valueHeads `[batch, heads, keys, hidden / heads]`
 * @property {Attention} attention `[batch, heads, queries, keys]` and the like.
 * @property {Tensor} combined `[batch, queries, hidden]`
 * @property {Tensor | null} output `[batch, queries, hidden]`, after the output projection.
 * @property {{query: Linear, key: Linear, value: Linear, output: Linear | null} | null} parameters
 *   Each `[hidden, hidden]`; head h has the rows from h · hidden / heads on. Null unless asked for.
 */

/**
 * @typedef {object} FeedForward
 * @property {Tensor} expanded `[…, intermediate]`, before GELU.
 * @property {Tensor} activated `[…, intermediate]`
 * @property {Tensor} output `[…, hidden]`
 * @property {{expand: Linear, contract: Linear} | null} parameters Null unless asked for.
 */

/**
 * @typedef {object} LayerOptions
 * @property {number} heads
 * @property {number} seed
 * @property {number} [intermediate] Width of the feed-forward layer; 4 · hidden unless given.
 * @property {'pre' | 'post'} [norm] Layer norm before each block, or after each residual sum as in
 *   BERT; 'post' unless given.
 */

/**
 * @typedef {object} EncoderLayer All `[batch, tokens, hidden]`.
 * @property {Tensor | null} attentionInput With norm 'pre' the normed input, else null.
 * @property {MultiHead} attention
 * @property {Tensor} attentionSum Input + attention.
 * @property {Tensor} attended With norm 'post' the normed sum, else the sum itself.
 * @property {Tensor | null} feedForwardInput With norm 'pre' the normed sum, else null.
 * @property {FeedForward} feedForward
 * @property {Tensor} feedForwardSum Attended + feed-forward.
 * @property {Tensor} output With norm 'post' the normed sum, else the sum itself.
 */

/**
 * @typedef {object} Encoder
 * @property {Tensor | null} positions `[tokens, hidden]`
 * @property {Tensor[]} hiddenStates `layers + 1` of `[batch, tokens, hidden]`; the first is the layer
 *   norm of input + positions.
 * @property {Tensor[]} attention Each layer's weights, `[batch, heads, tokens, tokens]`.
 * @property {Tensor[]} norms Of each hidden state, every token's length: `[batch, tokens]`.
 */

/**
 * @typedef {object} DecoderLayer All `[batch, targets, hidden]`.
 * @property {MultiHead} selfAttention Causal: the target looks at the target.
 * @property {Tensor} attended After the residual sum (and with norm 'post' its norm).
 * @property {MultiHead} crossAttention Queries from the target (decoder), keys and values from the
 *   encoder's output: `[batch, heads, targets, sources]`.
 * @property {Tensor} crossed After the residual sum, likewise.
 * @property {FeedForward} feedForward
 * @property {Tensor} output
 */

export class Lab {
  #run;
  /** @type {AbortSignal | undefined} */
  #signal;

  /**
   * @param {(operation: LabOperation, options: object, signal?: AbortSignal) => Promise<any>} run
   *   Reaches the engine.
   * @param {AbortSignal} [signal]
   */
  constructor(run, signal) {
    this.#run = run;
    this.#signal = signal;
  }

  /**
   * @param {AbortSignal} signal
   * @returns {Lab} The same, for as long as somebody waits: once aborted, its calls reject, and those
   *   that the engine has not begun are never run.
   */
  until(signal) {
    return new Lab(this.#run, signal);
  }

  /**
   * N(0, 1), as PyTorch begins `nn.Embedding`.
   * @param {number[]} shape
   * @param {number} seed Any whole number from 0.
   * @returns {Promise<Tensor>}
   */
  normal(shape, seed) {
    return this.#call('labNormal', {shape, seed});
  }

  /**
   * The rows of a random embedding table for some tokens, as PyTorch begins `nn.Embedding`: N(0, 1),
   * a token's row the same wherever it stands.
   * @param {TensorLike} ids Whole numbers from 0.
   * @param {number} features
   * @param {number} seed
   * @returns {Promise<Tensor>} `[...ids, features]`
   */
  embedding(ids, features, seed) {
    return this.#call('labEmbedding', {ids, features, seed});
  }

  /**
   * As PyTorch begins `nn.Linear`: weight and bias uniform in ±1/√inFeatures.
   * @param {number} inFeatures
   * @param {number} outFeatures
   * @param {number} seed
   * @returns {Promise<Linear>}
   */
  linear(inFeatures, outFeatures, seed) {
    return this.#call('labLinear', {inFeatures, outFeatures, seed});
  }

  /**
   * @param {TensorLike} x `[…, in]`
   * @param {{weight: TensorLike, bias: TensorLike}} linear `[out, in]` and `[out]`
   * @returns {Promise<Tensor>} x Wᵀ + b, `[…, out]`
   */
  project(x, linear) {
    return this.#call('labProject', {x, weight: linear?.weight, bias: linear?.bias});
  }

  /**
   * @param {TensorLike} a
   * @param {TensorLike} b Of a's shape or its last dimensions.
   * @returns {Promise<Tensor>} The sum: a skip connection, or positions on embeddings.
   */
  add(a, b) {
    return this.#call('labAdd', {a, b});
  }

  /** @param {TensorLike} x @returns {Promise<Tensor>} The exact GELU of every number. */
  gelu(x) {
    return this.#call('labGelu', {x});
  }

  /**
   * @param {TensorLike} x
   * @param {{epsilon?: number}} [options] 1e-5 unless given, as in PyTorch.
   * @returns {Promise<Tensor>} Rows of mean 0 and variance 1, as a new `nn.LayerNorm` gives them.
   */
  layerNorm(x, options) {
    return this.#call('labLayerNorm', {x}, options, {epsilon: 1e-5});
  }

  /** @param {TensorLike} x `[…, n]` @returns {Promise<Tensor>} Each row's Euclidean length, `[…]`. */
  norms(x) {
    return this.#call('labNorms', {x});
  }

  /**
   * Two random linear layers, GELU between them.
   * @param {TensorLike} x `[…, hidden]`
   * @param {{seed: number, intermediate?: number, parameters?: boolean}} options `intermediate` is
   *   4 · hidden unless given.
   * @returns {Promise<FeedForward>}
   */
  feedForward(x, options) {
    const intermediate = 4 * (x?.shape?.at(-1) ?? 0);
    const defaults = {seed: undefined, intermediate, parameters: false};
    return this.#call('labFeedForward', {x}, options, defaults);
  }

  /**
   * @param {{tokens: number, hiddenSize: number, kind?: 'learned' | 'sinusoidal', seed?: number}}
   *   options Learned ones (the default) are N(0, 1) here, as they are before they learn anything.
   * @returns {Promise<Tensor>} `[tokens, hiddenSize]`
   */
  positions(options) {
    const defaults = {tokens: undefined, hiddenSize: undefined, kind: 'learned', seed: 0};
    return this.#call('labPositions', {}, options, defaults);
  }

  /**
   * @param {TensorLike} query `[…, queries, features]`
   * @param {TensorLike} key `[…, keys, features]`
   * @param {{scale?: Scale}} [options]
   * @returns {Promise<Tensor>} q kᵀ / scale, `[…, queries, keys]`
   */
  scores(query, key, options) {
    return this.#call('labScores', {query, key}, options, {scale: 'head'});
  }

  /**
   * @param {TensorLike} scores `[…, queries, keys]`
   * @param {Masking} [options]
   * @returns {Promise<Tensor>} The same, -Infinity where a query may not look.
   */
  mask(scores, options) {
    return this.#call('labMask', {scores}, options, MASKING);
  }

  /**
   * @param {TensorLike} scores `[…, queries, keys]`
   * @param {{axis?: Axis}} [options]
   * @returns {Promise<Tensor>} What is -Infinity gets 0; a line of nothing else gets zeros.
   */
  softmax(scores, options) {
    return this.#call('labSoftmax', {scores}, options, {axis: 'keys'});
  }

  /**
   * @param {TensorLike} weights `[…, queries, keys]`
   * @param {{axis?: Axis}} [options]
   * @returns {Promise<Tensor>} Over the keys (each row's sum, `[…, queries]`) unless told otherwise,
   *   or over the queries (each column's, `[…, keys]`).
   */
  sums(weights, options) {
    return this.#call('labSums', {weights}, options, {axis: 'keys'});
  }

  /**
   * @param {TensorLike} weights `[…, queries, keys]`
   * @returns {Promise<Tensor>} Of each row in nats, `[…, queries]`.
   */
  entropy(weights) {
    return this.#call('labEntropy', {weights});
  }

  /**
   * @param {TensorLike} weights `[…, queries, keys]`, or `[queries, keys]` for any values.
   * @param {TensorLike} values `[…, keys, features]`
   * @returns {Promise<Tensor>} `[…, queries, features]`
   */
  weightedSum(weights, values) {
    return this.#call('labWeightedSum', {weights, values});
  }

  /**
   * Every token's mean with all tokens before it.
   * @param {TensorLike} x `[…, tokens, features]`
   * @returns {Promise<{allowed: Tensor, masked: Tensor, weights: Tensor, output: Tensor}>} 1 on and
   *   below the diagonal; zeros with -Infinity above it; their softmax, all `[tokens, tokens]`; and
   *   the means.
   */
  causalAverage(x) {
    return this.#call('labCausalAverage', {x});
  }

  /**
   * Moves numbers and changes none, so with `data` of 0, 1, 2, … the result says where each number
   * of the output comes from.
   * @param {TensorLike} x `[batch, tokens, heads · d_k]`
   * @param {number} heads
   * @returns {Promise<Tensor>} `[batch, heads, tokens, d_k]`
   */
  splitHeads(x, heads) {
    return this.#call('labSplitHeads', {x, heads});
  }

  /**
   * @param {TensorLike} x `[batch, heads, tokens, d_k]`
   * @returns {Promise<Tensor>} `[batch, tokens, heads · d_k]`
   */
  combineHeads(x) {
    return this.#call('labCombineHeads', {x});
  }

  /**
   * Scaled dot-product attention, nothing learned: `[…, tokens, features]` each.
   * @param {{query: TensorLike, key: TensorLike, value: TensorLike} & Scoring & Masking} options
   * @returns {Promise<Attention>}
   */
  attention(options) {
    return this.#call('labAttention', {}, options, {...INPUTS, ...ATTENDING});
  }

  /**
   * Multi-head attention with random projections. Self-attention has the same query, key and value;
   * cross-attention has its queries from one text, keys and values from another. One head and no
   * output is plain self-attention with projections.
   * @param {{query: TensorLike, key: TensorLike, value: TensorLike, heads: number, seed: number,
   *   output?: boolean, parameters?: boolean} & Scoring & Masking} options `[batch, tokens, hidden]`
   *   each; `output`: with the output projection, true unless given.
   * @returns {Promise<MultiHead>}
   */
  multiHead(options) {
    const own = {heads: undefined, seed: undefined, output: true, parameters: false};
    const defaults = {...INPUTS, ...ATTENDING, ...own};
    return this.#call('labMultiHead', {}, options, defaults);
  }

  /**
   * @param {{input: TensorLike} & LayerOptions & Scoring & Masking} options `[batch, tokens, hidden]`
   * @returns {Promise<EncoderLayer>}
   */
  encoderLayer(options) {
    const defaults = {input: undefined, ...LAYER};
    return this.#call('labEncoderLayer', {}, options, defaults);
  }

  /**
   * A whole encoder with random weights, on token embeddings. More layers leave the first ones as
   * they are.
   * @param {{input: TensorLike, layers: number, positions?: 'learned' | 'sinusoidal' | 'none'}
   *   & LayerOptions & Scoring & Masking} options 'learned' unless given.
   * @returns {Promise<Encoder>}
   */
  encoder(options) {
    const defaults = {input: undefined, layers: undefined, positions: 'learned', ...LAYER};
    return this.#call('labEncoder', {}, options, defaults);
  }

  /**
   * A random linear layer on the first token, `[CLS]`.
   * @param {{hiddenState: TensorLike, labels: number, seed: number}} options `[batch, tokens, hidden]`
   * @returns {Promise<{logits: Tensor, probabilities: Tensor, parameters: Linear}>} `[batch, labels]`
   */
  classifier(options) {
    const defaults = {hiddenState: undefined, labels: undefined, seed: undefined};
    return this.#call('labClassifier', {}, options, defaults);
  }

  /**
   * One encoder layer on the source and one decoder layer on the target, which looks at what the
   * encoder made of the source.
   * @param {{source: TensorLike, target: TensorLike, keep?: TensorLike | null,
   *   targetKeep?: TensorLike | null} & LayerOptions & Scoring} options `[batch, tokens, hidden]`;
   *   `keep` is the source's padding.
   * @returns {Promise<{encoder: EncoderLayer, decoder: DecoderLayer}>}
   */
  encoderDecoder(options) {
    const {causal, ...layer} = LAYER;
    const defaults = {source: undefined, target: undefined, targetKeep: null, ...layer};
    return this.#call('labEncoderDecoder', {causal}, options, defaults);
  }

  /**
   * @param {LabOperation} operation
   * @param {Record<string, unknown>} operands
   * @param {object} [options]
   * @param {Record<string, unknown>} [defaults] Of every option there is.
   */
  async #call(operation, operands, options = {}, defaults = {}) {
    const name = operationName(operation);
    for (const option of Object.keys(options)) {
      if (option in defaults) continue;
      const message = `${name}: expected the options ${Object.keys(defaults).join(', ')}, found ${option}`;
      throw new BertscopeError('bad-option', message);
    }
    const given = Object.entries(options).filter(([, value]) => value !== undefined);
    const complete = {...operands, ...defaults, ...Object.fromEntries(given)};
    const checked = Object.entries(complete).map(([key, value]) => [
      key,
      checkOption(name, key, value),
    ]);
    return this.#run(operation, Object.fromEntries(checked), this.#signal);
  }
}

/** @param {LabOperation} operation `labSoftmax` is `softmax` to its callers. */
export function operationName(operation) {
  return operation[3].toLowerCase() + operation.slice(4);
}
