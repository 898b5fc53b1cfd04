/**
 * `engine.lab` builds attention from scratch, one operation at a time, for lessons. It needs no
 * model. Its weights are random numbers from a seed, the same in every browser (`src/lab/random.h`
 * says how). Every operation checks the shapes that it gets, and rejects with a `BertscopeError`
 * that says what was expected and found.
 */

import {BertscopeError} from '../errors.js';
import {ATTENDING, checkOption, INPUTS, LAYER, MASKING} from './options.js';

/** @import {LabOperation} from '../wasm-module.d.ts' */
/** @import {Attention, Axis, DecoderLayer, Encoder, EncoderLayer, FeedForward, LayerOptions, Linear, Masking, MultiHead, Scale, Scoring, Tensor, TensorLike} from './lab-types.js' */

export class Lab {
  #run;
  /** @type {AbortSignal | undefined} */
  #signal;

  /**
   * @param {(operation: LabOperation, options: object, signal?: AbortSignal) => Promise<any>} run
   *   Runs an operation in the engine.
   * @param {AbortSignal} [signal]
   */
  constructor(run, signal) {
    this.#run = run;
    this.#signal = signal;
  }

  /**
   * @param {AbortSignal} signal
   * @returns {Lab} A lab that stops with the signal. Once that is aborted, calls reject, and the
   *   engine does not run those that it has not begun.
   */
  until(signal) {
    return new Lab(this.#run, signal);
  }

  /**
   * Random numbers from N(0, 1), as in a new `nn.Embedding` of PyTorch.
   * @param {number[]} shape
   * @param {number} seed A whole number from 0.
   * @returns {Promise<Tensor>}
   */
  normal(shape, seed) {
    return this.#call('labNormal', {shape, seed});
  }

  /**
   * The rows of a random embedding table for some tokens: N(0, 1), as in a new `nn.Embedding` of
   * PyTorch. A token has the same row wherever it occurs.
   * @param {TensorLike} ids Whole numbers from 0.
   * @param {number} features
   * @param {number} seed
   * @returns {Promise<Tensor>} `[...ids, features]`
   */
  embedding(ids, features, seed) {
    return this.#call('labEmbedding', {ids, features, seed});
  }

  /**
   * A random linear layer, as a new `nn.Linear` of PyTorch: weight and bias are uniform in
   * ±1/√inFeatures.
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
   * @param {TensorLike} b Has the shape of `a`, or its last dimensions.
   * @returns {Promise<Tensor>} The sum, as for a skip connection or for positions on embeddings.
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
   * @param {{probability?: number, seed: number}} options The default of `probability` is 0.1.
   * @returns {Promise<Tensor>} What dropout leaves in training: 0 with that probability, the others
   *   divided by 1 - probability.
   */
  dropout(x, options) {
    return this.#call('labDropout', {x}, options, {probability: 0.1, seed: undefined});
  }

  /**
   * @param {TensorLike} x
   * @param {{epsilon?: number}} [options] The default is 1e-5, as in PyTorch.
   * @returns {Promise<Tensor>} Rows with mean 0 and variance 1, as a new `nn.LayerNorm` makes them.
   */
  layerNorm(x, options) {
    return this.#call('labLayerNorm', {x}, options, {epsilon: 1e-5});
  }

  /** @param {TensorLike} x `[…, n]` @returns {Promise<Tensor>} Each row's Euclidean length, `[…]`. */
  norms(x) {
    return this.#call('labNorms', {x});
  }

  /**
   * Two random linear layers with GELU between them.
   * @param {TensorLike} x `[…, hidden]`
   * @param {{seed: number, intermediate?: number, parameters?: boolean}} options The default of
   *   `intermediate` is 4 · hidden.
   * @returns {Promise<FeedForward>}
   */
  feedForward(x, options) {
    const intermediate = 4 * (x?.shape?.at(-1) ?? 0);
    const defaults = {seed: undefined, intermediate, parameters: false};
    return this.#call('labFeedForward', {x}, options, defaults);
  }

  /**
   * @param {{tokens: number, hiddenSize: number, kind?: 'learned' | 'sinusoidal', seed?: number}}
   *   options The default is 'learned': N(0, 1), since they have not learned anything.
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
   * @returns {Promise<Tensor>} The scores, with -Infinity where a query must not attend.
   */
  mask(scores, options) {
    return this.#call('labMask', {scores}, options, MASKING);
  }

  /**
   * @param {TensorLike} scores `[…, queries, keys]`
   * @param {{axis?: Axis}} [options]
   * @returns {Promise<Tensor>} A score of -Infinity becomes 0, and a line of nothing else becomes
   *   zeros.
   */
  softmax(scores, options) {
    return this.#call('labSoftmax', {scores}, options, {axis: 'keys'});
  }

  /**
   * @param {TensorLike} weights `[…, queries, keys]`
   * @param {{axis?: Axis}} [options]
   * @returns {Promise<Tensor>} The sum of each row over its keys, `[…, queries]`, or with axis
   *   'queries' the sum of each column, `[…, keys]`.
   */
  sums(weights, options) {
    return this.#call('labSums', {weights}, options, {axis: 'keys'});
  }

  /**
   * @param {TensorLike} weights `[…, queries, keys]`
   * @returns {Promise<Tensor>} The entropy of each row in nats, `[…, queries]`.
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
   * The mean of every token and all tokens before it.
   * @param {TensorLike} x `[…, tokens, features]`
   * @returns {Promise<{allowed: Tensor, masked: Tensor, weights: Tensor, output: Tensor}>}
   *   `allowed` is 1 on and below the diagonal, else 0. `masked` is 0 there, else -Infinity.
   *   `weights` is the softmax of that. All three are `[tokens, tokens]`. `output` has the means.
   */
  causalAverage(x) {
    return this.#call('labCausalAverage', {x});
  }

  /**
   * Moves numbers without changing them, so if `data` is 0, 1, 2, …, the result says where each
   * number comes from.
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
   * Scaled dot-product attention without weights. Each input is `[…, tokens, features]`.
   * @param {{query: TensorLike, key: TensorLike, value: TensorLike} & Scoring & Masking} options
   * @returns {Promise<Attention>}
   */
  attention(options) {
    return this.#call('labAttention', {}, options, {...INPUTS, ...ATTENDING});
  }

  /**
   * Multi-head attention with random projections. For self-attention, query, key and value are the
   * same. For cross-attention, the query is from one text, key and value are from another. With one
   * head and without output, it is plain self-attention with projections.
   * @param {{query: TensorLike, key: TensorLike, value: TensorLike, heads: number, seed: number,
   *   output?: boolean, parameters?: boolean} & Scoring & Masking} options Each input is
   *   `[batch, tokens, hidden]`. `output` says whether to apply the output projection; the default
   *   is true.
   * @returns {Promise<MultiHead>}
   */
  multiHead(options) {
    const own = {heads: undefined, seed: undefined, output: true, parameters: false};
    const defaults = {...INPUTS, ...ATTENDING, ...own};
    return this.#call('labMultiHead', {}, options, defaults);
  }

  /**
   * @param {{input: TensorLike} & LayerOptions & Scoring & Masking} options
   *   `[batch, tokens, hidden]`
   * @returns {Promise<EncoderLayer>}
   */
  encoderLayer(options) {
    const defaults = {input: undefined, ...LAYER};
    return this.#call('labEncoderLayer', {}, options, defaults);
  }

  /**
   * A whole encoder with random weights, on token embeddings. The first layers stay the same if
   * there are more.
   * @param {{input: TensorLike, layers: number, positions?: 'learned' | 'sinusoidal' | 'none'}
   *   & LayerOptions & Scoring & Masking} options The default of `positions` is
   *   'learned'.
   * @returns {Promise<Encoder>}
   */
  encoder(options) {
    const defaults = {input: undefined, layers: undefined, positions: 'learned', ...LAYER};
    return this.#call('labEncoder', {}, options, defaults);
  }

  /**
   * A random linear layer on the first token, `[CLS]`.
   * @param {{hiddenState: TensorLike, labels: number, seed: number}} options
   *   `[batch, tokens, hidden]`
   * @returns {Promise<{logits: Tensor, probabilities: Tensor, parameters: Linear}>}
   *   `[batch, labels]`
   */
  classifier(options) {
    const defaults = {hiddenState: undefined, labels: undefined, seed: undefined};
    return this.#call('labClassifier', {}, options, defaults);
  }

  /**
   * One encoder layer on the source, and one decoder layer on the target, which attends to the
   * output of the encoder.
   * @param {{source: TensorLike, target: TensorLike, keep?: TensorLike | null,
   *   targetKeep?: TensorLike | null} & LayerOptions & Scoring} options Each input is
   *   `[batch, tokens, hidden]`. `keep` tells tokens of the source from padding.
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
   * @param {Record<string, unknown>} [defaults] Has every option.
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

/** Turns the name in C++, `labSoftmax`, into the one that callers use, `softmax`. @param {LabOperation} operation */
export function operationName(operation) {
  return operation[3].toLowerCase() + operation.slice(4);
}
