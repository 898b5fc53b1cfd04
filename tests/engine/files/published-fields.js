/** Gives the fields that the hub's models share, for the tests of their configurations. */

/** @typedef {Record<string, unknown>} Fields Those that differ from bert-base-uncased's. */

/** @param {number} layers @param {number} size @param {number} [heads] @param {number} [inner] */
export const sizes = (layers, size, heads = size / 64, inner = 4 * size) => ({
  num_hidden_layers: layers,
  hidden_size: size,
  num_attention_heads: heads,
  intermediate_size: inner,
});
export const LARGE = sizes(24, 1024);
export const MINI_12 = sizes(12, 384, 12);
export const MINI_6 = sizes(6, 384, 12);
export const cased = {vocab_size: 28996};
export const multilingual = {
  vocab_size: 119547,
  directionality: 'bidi',
  pooler_type: 'first_token_transform',
};
export const chinese = {vocab_size: 21128, pooler_fc_size: 768};

/** @param {number} vocab_size @param {Fields} [others] */
export const roberta = (vocab_size, others) => ({
  model_type: 'roberta',
  vocab_size,
  max_position_embeddings: 514,
  type_vocab_size: 1,
  pad_token_id: 1,
  layer_norm_eps: 1e-5,
  ...others,
});
export const xlm = (/** @type {Fields} */ others = {}) =>
  roberta(250002, {model_type: 'xlm-roberta', output_past: true, ...others});
/** @param {Fields} [others] */
export const distil = (others) => ({
  model_type: 'distilbert',
  activation: 'gelu',
  dim: 768,
  hidden_dim: 3072,
  n_heads: 12,
  n_layers: 6,
  sinusoidal_pos_embds: false,
  tie_weights_: true,
  hidden_size: undefined,
  num_hidden_layers: undefined,
  num_attention_heads: undefined,
  intermediate_size: undefined,
  hidden_act: undefined,
  type_vocab_size: undefined,
  ...others,
});
/** @param {Fields} others */
export const albert = (others) => ({
  model_type: 'albert',
  embedding_size: 128,
  vocab_size: 30000,
  num_hidden_groups: 1,
  inner_group_num: 1,
  net_structure_type: 0,
  layers_to_keep: [],
  ...others,
});
/** @param {number} embedding_size @param {Fields} [others] */
export const electra = (embedding_size, others) => ({
  model_type: 'electra',
  embedding_size,
  summary_type: 'first',
  ...others,
});
/** @param {number} n_layer @param {number} [n_embd] @param {number} [n_head] */
export const gpt2 = (n_layer, n_embd = 768, n_head = 12) => ({
  model_type: 'gpt2',
  architectures: ['GPT2LMHeadModel'],
  ...{activation_function: 'gelu_new', layer_norm_epsilon: 1e-5, vocab_size: 50257},
  ...{n_ctx: 1024, n_embd, n_head, n_layer, n_positions: 1024},
  hidden_size: undefined,
  num_hidden_layers: undefined,
});
/** @param {Fields} [others] */
export const modern = (others) => ({
  model_type: 'modernbert',
  architectures: ['ModernBertForMaskedLM'],
  ...{vocab_size: 50368, max_position_embeddings: 8192, position_embedding_type: 'absolute'},
  ...{hidden_activation: 'gelu', norm_eps: 1e-5, norm_bias: false, decoder_bias: true},
  ...{global_attn_every_n_layers: 3, local_attention: 128},
  ...{global_rope_theta: 160000, local_rope_theta: 10000},
  ...sizes(22, 768, 12, 1152),
  ...others,
});
/**
 * @param {string} model_type
 * @param {number} num_key_value_heads
 * @param {Fields} others
 */
export const llama = (model_type, num_key_value_heads, others) => ({
  model_type,
  ...{hidden_act: 'silu', rms_norm_eps: 1e-5, rope_scaling: null, tie_word_embeddings: true},
  ...{num_key_value_heads, layer_norm_eps: undefined},
  ...others,
});
/**
 * @param {string} model_type
 * @param {number} d_model
 * @param {number} layers Of each side.
 * @param {Fields} others
 */
const pair = (model_type, d_model, layers, others) => ({
  model_type,
  ...{is_encoder_decoder: true, d_model, scale_embedding: model_type === 'marian'},
  ...{encoder_layers: layers, encoder_attention_heads: d_model / 64, encoder_ffn_dim: 4 * d_model},
  ...{decoder_layers: layers, decoder_attention_heads: d_model / 64, decoder_ffn_dim: 4 * d_model},
  ...{normalize_before: false, add_final_layer_norm: false, normalize_embedding: false},
  ...others,
  hidden_size: undefined,
});
/** @param {number} vocab_size */
export const opus = (vocab_size) =>
  pair('marian', 512, 6, {
    ...{activation_function: 'swish', max_position_embeddings: 512, vocab_size},
    ...{decoder_start_token_id: vocab_size - 1, bad_words_ids: [[vocab_size - 1]]},
    ...{static_position_embeddings: true, num_beams: 6, forced_eos_token_id: 0},
  });
/** @param {number} layers @param {number} size @param {number} heads @param {number} inner */
export const debertaV3 = (layers, size, heads, inner) => ({
  ...{model_type: 'deberta-v2', type_vocab_size: 0, vocab_size: 128100, layer_norm_eps: 1e-7},
  ...{relative_attention: true, position_buckets: 256, max_relative_positions: -1},
  ...{norm_rel_ebd: 'layer_norm', share_att_key: true, pos_att_type: 'p2c|c2p'},
  ...{position_biased_input: false, pooler_hidden_act: 'gelu', pooler_hidden_size: size},
  ...sizes(layers, size, heads, inner),
});

/** @param {number} d_model @param {number} layers @param {number} [vocab_size] */
export const bart = (d_model, layers, vocab_size = 50265) =>
  pair('bart', d_model, layers, {
    ...{activation_function: 'gelu', max_position_embeddings: 1024, vocab_size},
    ...{decoder_start_token_id: 2, forced_bos_token_id: 0, normalize_embedding: true},
    ...{no_repeat_ngram_size: 3, min_length: 56, num_beams: 4},
  });
/**
 * @param {number} d_model
 * @param {number} layers Of each side.
 * @param {number} num_heads
 * @param {number} d_ff
 * @param {Fields} [others]
 */
export const t5 = (d_model, layers, num_heads, d_ff, others) => ({
  model_type: 't5',
  ...{architectures: ['T5ForConditionalGeneration'], is_encoder_decoder: true, d_kv: 64},
  ...{d_model, d_ff, num_heads, num_layers: layers, num_decoder_layers: layers, n_positions: 512},
  ...{layer_norm_epsilon: 1e-6, relative_attention_num_buckets: 32, vocab_size: 32128},
  ...{decoder_start_token_id: 0, pad_token_id: 0, eos_token_id: 1, ...others},
  ...{hidden_size: undefined, hidden_act: undefined},
});
export const architecture = (/** @type {string} */ name) => ({architectures: [name]});
export const untyped = {model_type: undefined};
