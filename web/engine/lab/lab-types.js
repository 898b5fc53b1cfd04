/** What the operations of `engine.lab` take and give. */

/** @typedef {{shape: number[], data: Float32Array}} Tensor A tensor in row-major order. */

/** @typedef {{shape: number[], data: ArrayLike<number>}} TensorLike */

/**
 * @typedef {'head' | 'hidden' | 'none'} Scale What dot products are divided by: 'head' is
 *   √(features of a head), which is right; 'hidden' is √(heads · features), a common mistake;
 *   'none' is 1. Without heads, 'hidden' is the same as 'head'.
 */

/**
 * @typedef {'keys' | 'queries'} Axis What a softmax makes sum to 1: 'keys' each row, over its keys,
 *   which is right; 'queries' each column, over the queries, which is wrong.
 */

/** @typedef {{weight: Tensor, bias: Tensor}} Linear `[out, in]` and `[out]`, as in PyTorch. */

/**
 * @typedef {object} Masking
 * @property {boolean} [causal] Whether queries attend only to their own token and to those before
 *   it; the default is false.
 * @property {TensorLike | null} [keep] `[batch, keys]` or `[keys]`: 1 for a token, 0 for padding.
 */

/**
 * @typedef {object} Scoring
 * @property {Scale} [scale] The default is 'head'.
 * @property {Axis} [axis] The axis of the softmax; the default is 'keys'.
 */

/**
 * @typedef {object} Attention
 * @property {Tensor} scores `[…, queries, keys]`
 * @property {Tensor} masked The scores, with -Infinity where a query must not attend.
 * @property {Tensor} weights The softmax of the masked scores.
 * @property {Tensor} entropy `[…, queries]`: the entropy of each row in nats, from 0 to ln(keys).
 * @property {Tensor} output `[…, queries, features]`
 */

/**
 * @typedef {object} MultiHead
 * @property {Tensor} query `[batch, queries, hidden]`, after the projection.
 * @property {Tensor} key `[batch, keys, hidden]`, after the projection.
 * @property {Tensor} value `[batch, keys, hidden]`, after the projection.
 * @property {Tensor} queryHeads `[batch, heads, queries, hidden / heads]`
 * @property {Tensor} keyHeads `[batch, heads, keys, hidden / heads]`
 * @property {Tensor} valueHeads `[batch, heads, keys, hidden / heads]`
 * @property {Attention} attention Its shapes begin with `[batch, heads, …]`.
 * @property {Tensor} combined `[batch, queries, hidden]`
 * @property {Tensor | null} output `[batch, queries, hidden]`, after the output projection.
 * @property {{query: Linear, key: Linear, value: Linear, output: Linear | null} | null} parameters
 *   Each weight is `[hidden, hidden]`. The rows of head h begin at h · hidden / heads. Null unless
 *   asked for.
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
 * @property {number} [intermediate] The width of the feed-forward layer; the default is 4 · hidden.
 * @property {'pre' | 'post'} [norm] Whether layer norms are before each block, or after each
 *   residual sum as in BERT; the default is 'post'.
 */

/**
 * @typedef {object} EncoderLayer Every tensor is `[batch, tokens, hidden]`.
 * @property {Tensor | null} attentionInput The normed input with norm 'pre', else null.
 * @property {MultiHead} attention
 * @property {Tensor} attentionSum Input + attention.
 * @property {Tensor} attended The normed sum with norm 'post', else the sum itself.
 * @property {Tensor | null} feedForwardInput The normed sum with norm 'pre', else null.
 * @property {FeedForward} feedForward
 * @property {Tensor} feedForwardSum Attended + feed-forward.
 * @property {Tensor} output The normed sum with norm 'post', else the sum itself.
 */

/**
 * @typedef {object} Encoder
 * @property {Tensor | null} positions `[tokens, hidden]`
 * @property {Tensor[]} hiddenStates `layers + 1` of `[batch, tokens, hidden]`; the first is the
 *   layer norm of input + positions.
 * @property {Tensor[]} attention Each layer's weights, `[batch, heads, tokens, tokens]`.
 * @property {Tensor[]} norms The length of every token's vector, for each hidden state:
 *   `[batch, tokens]`.
 */

/**
 * @typedef {object} DecoderLayer Every tensor is `[batch, targets, hidden]`.
 * @property {MultiHead} selfAttention The target attends to itself, causally.
 * @property {Tensor} attended The residual sum, normed with norm 'post'.
 * @property {MultiHead} crossAttention The queries are from the target (the decoder), the keys and
 *   values from the output of the encoder: `[batch, heads, targets, sources]`.
 * @property {Tensor} crossed The next residual sum, normed with norm 'post'.
 * @property {FeedForward} feedForward
 * @property {Tensor} output
 */

export {};
