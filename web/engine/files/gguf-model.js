/**
 * Describes the model of a GGUF file as a `config.json`, with the names that its tensors have in
 * Hugging Face's models. Source: `constants.py` and `tensor_mapping.py` of the Python package `gguf`,
 * and `convert_hf_to_gguf.py` of llama.cpp.
 */

import {BertscopeError} from '../errors.js';
import {quote, shorten} from '../json.js';
import {refusalOf} from './gguf-header.js';
import {scalingOf} from './gguf-rotations.js';

/** @import {Facts, GgufTensor} from './gguf-header.js' */

/**
 * @typedef {object} Description
 * @property {Record<string, unknown>} config `config.json`
 * @property {boolean} isInterleaved Whether the rows of queries and keys are in GGML's order.
 * @property {number} headSize
 */

/** The classes of transformers, by the names that GGUF has for their architectures. */
const ARCHITECTURES = new Map([
  ['llama', 'LlamaForCausalLM'],
  ['qwen2', 'Qwen2ForCausalLM'],
  ['qwen3', 'Qwen3ForCausalLM'],
]);

/** The names of the tensors that are not in a layer. */
const OUTER = new Map([
  ['token_embd.weight', 'model.embed_tokens.weight'],
  ['output_norm.weight', 'model.norm.weight'],
  ['output.weight', 'lm_head.weight'],
]);

/** The names of those in a layer, without `.weight` and `.bias`. */
const INNER = new Map([
  ['attn_norm', 'input_layernorm'],
  ['attn_q', 'self_attn.q_proj'],
  ['attn_k', 'self_attn.k_proj'],
  ['attn_v', 'self_attn.v_proj'],
  ['attn_q_norm', 'self_attn.q_norm'],
  ['attn_k_norm', 'self_attn.k_norm'],
  ['attn_output', 'self_attn.o_proj'],
  ['ffn_norm', 'post_attention_layernorm'],
  ['ffn_gate', 'mlp.gate_proj'],
  ['ffn_up', 'mlp.up_proj'],
  ['ffn_down', 'mlp.down_proj'],
]);

/** @param {string} name @returns {string} The name in Hugging Face's model; a name that is not known stays as it is. */
export function plainName(name) {
  const [, layer, inner = '', kind] = /^blk\.(\d{1,9})\.([a-z_]+)\.(weight|bias)$/.exec(name) ?? [];
  const known = INNER.get(inner);
  return known ? `model.layers.${layer}.${known}.${kind}` : (OUTER.get(name) ?? name);
}

/** @param {GgufTensor} tensor @param {Description} model */
export const isPermuted = ({name}, {isInterleaved}) =>
  isInterleaved && /^blk\.\d+\.attn_[qk]\.weight$/.test(name);

/**
 * @param {Facts} facts
 * @param {GgufTensor[]} tensors
 * @param {Float32Array | undefined} divisors What the angles of its rotations are divided by.
 * @param {string} path For messages.
 * @returns {Description}
 */
export function describeModel(facts, tensors, divisors, path) {
  const refuse = refusalOf(path);
  const architecture = architectureOf(facts, path);
  const fact = (/** @type {string} */ key) => facts.get(`${architecture}.${key}`);
  /** @param {string} key @param {unknown} [usual] */
  const count = (key, usual) => {
    const value = fact(key) ?? usual;
    if (Number.isInteger(value) && Number(value) > 0) return Number(value);
    throw refuse(`${architecture}.${key} to be a positive integer`, quote(value));
  };
  /** @param {string} key @param {number} [usual] */
  const measure = (key, usual) => {
    const value = fact(key) ?? usual;
    if (typeof value === 'number' && value > 0 && value < Infinity) return value;
    throw refuse(`${architecture}.${key} to be a number over 0`, quote(value));
  };
  const [hiddenSize, heads] = [count('embedding_length'), count('attention.head_count')];
  const headSize =
    fact('attention.key_length') === undefined ? hiddenSize / heads : count('attention.key_length');
  refuseRepeatedNames(tensors, refuse);
  const shapes = new Map(tensors.map(({name, shape}) => [name, shape]));
  const words = shapes.get('token_embd.weight');
  if (!words) throw refuse('token_embd.weight', 'no such tensor');
  const isInterleaved = architecture === 'llama';
  if (isInterleaved) checkHeads(tensors, headSize, refuse);
  refuseOther(architecture, headSize, fact, path);
  const base = measure('rope.freq_base', 10000);
  const hasBiases = (/** @type {RegExp} */ pattern) => tensors.some(({name}) => pattern.test(name));
  const config = {
    architectures: [ARCHITECTURES.get(architecture)],
    model_type: architecture,
    hidden_size: hiddenSize,
    num_hidden_layers: count('block_count'),
    num_attention_heads: heads,
    num_key_value_heads: count('attention.head_count_kv', heads),
    head_dim: headSize,
    intermediate_size: count('feed_forward_length'),
    max_position_embeddings: count('context_length'),
    vocab_size: words[0],
    hidden_act: 'silu',
    rms_norm_eps: measure('attention.layer_norm_rms_epsilon'),
    rope_theta: base,
    rope_scaling: scalingOf(fact, divisors, base, headSize, path),
    tie_word_embeddings: !shapes.has('output.weight'),
    ...(isInterleaved && {
      attention_bias: hasBiases(/^blk\.\d+\.attn_\w+\.bias$/),
      mlp_bias: hasBiases(/^blk\.\d+\.ffn_\w+\.bias$/),
    }),
  };
  return {config, isInterleaved, headSize};
}

/** @param {Facts} facts @param {string} path @returns {string} GGUF's name for it, if such a model runs here. */
function architectureOf(facts, path) {
  const named = facts.get('general.architecture');
  const kind = facts.get('general.type') ?? 'model';
  const parts = Number(facts.get('split.count') ?? 1);
  const isKnown = typeof named === 'string' && ARCHITECTURES.has(named);
  if (isKnown && kind === 'model' && !(parts > 1)) return named;
  const expected = !isKnown
    ? `general.architecture to be one of ${[...ARCHITECTURES.keys()].join(', ')}, found ${quote(named)}`
    : kind !== 'model'
      ? `general.type to be a model, found ${quote(kind)}`
      : `a whole model, found one of ${parts} files; llama-gguf-split --merge joins them`;
  throw new BertscopeError('unsupported-model', `${path}: expected ${expected}`);
}

/**
 * @param {GgufTensor[]} tensors
 * @param {(expected: string, found: string) => Error} refuse
 */
function refuseRepeatedNames(tensors, refuse) {
  const seen = new Set();
  for (const {name} of tensors) {
    const plain = plainName(name);
    if (seen.has(plain)) throw refuse('the name of each tensor once', `${shorten(name)} twice`);
    seen.add(plain);
  }
}

/**
 * The rows of queries and keys are put in order head by head, so they have to be whole heads.
 * @param {GgufTensor[]} tensors
 * @param {number} headSize
 * @param {(expected: string, found: string) => Error} refuse
 */
function checkHeads(tensors, headSize, refuse) {
  if (!Number.isInteger(headSize / 2)) throw refuse('heads of an even size', `${headSize}`);
  for (const {name, shape} of tensors) {
    if (!/^blk\.\d+\.attn_[qk]\.weight$/.test(name) || shape[0] % headSize === 0) continue;
    throw refuse(`rows of ${name} for heads of ${headSize}`, `${shape[0]} rows`);
  }
}

/**
 * Refuses what would load but compute something other than the model does.
 * @param {string} architecture
 * @param {number} headSize
 * @param {(key: string) => unknown} fact
 * @param {string} path
 */
function refuseOther(architecture, headSize, fact, path) {
  /** @type {[string, unknown, unknown][]} The fact, the value that runs, and the value where it is not stated. */
  const only = [
    ['rope.dimension_count', headSize, headSize],
    ['attention.value_length', headSize, headSize],
    ['expert_count', 0, 0],
    ['use_parallel_residual', false, false],
  ];
  for (const [key, value, usual] of only) {
    const found = fact(key) ?? usual;
    if (found === value) continue;
    const message = `${path}: expected ${architecture}.${key} to be ${value}, found ${quote(found)}`;
    throw new BertscopeError('unsupported-model', message);
  }
}
