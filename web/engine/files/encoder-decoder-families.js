/** The families of encoder-decoders; see `model-families.js`. */

/** @import {Choices} from '../wasm-module.d.ts' */
/** @import {Family} from './model-families.js' */

/** @type {Family} */
const LIKE_BART = {
  names: 'bart',
  prefix: 'model.',
  words: 'shared.weight',
  fields: {
    hiddenSize: 'd_model',
    layers: 'encoder_layers',
    heads: 'encoder_attention_heads',
    intermediateSize: 'encoder_ffn_dim',
    activation: 'activation_function',
  },
  hasNoTokenTypes: true,
  layerNormEpsilon: 1e-5,
  // Only the decoder has a word head.
  decoder: {
    fields: {
      layers: 'decoder_layers',
      heads: 'decoder_attention_heads',
      intermediateSize: 'decoder_ffn_dim',
    },
    choices: {
      isCausal: true,
      crossAttention: true,
      wordHeadTransform: false,
      wordHeadBias: true,
    },
  },
  only: {tie_word_embeddings: true, normalize_before: false, add_final_layer_norm: false},
};

/**
 * Whether the feed-forward network has gates, by its name: `relu`, or `gated-gelu`.
 * @param {Record<string, unknown>} json
 * @returns {Partial<Choices>}
 */
const gatesOfT5 = ({feed_forward_proj: kind}) =>
  typeof kind === 'string' && kind.startsWith('gated-') ? {isGated: true, ownGate: true} : {};

/** @type {Family} */
export const T5 = {
  names: 't5',
  prefix: 'transformer.',
  words: 'shared.weight',
  fields: {
    hiddenSize: 'd_model',
    layers: 'num_layers',
    heads: 'num_heads',
    headSize: 'd_kv',
    intermediateSize: 'd_ff',
    positions: 'n_positions',
    activation: 'dense_act_fn',
    layerNormEpsilon: 'layer_norm_epsilon',
  },
  // Their positions have no table, so they have no last one. They were trained with texts of 512 tokens.
  usual: {
    ...{n_positions: 512, d_kv: 64, layer_norm_epsilon: 1e-6, feed_forward_proj: 'relu'},
    ...{relative_attention_num_buckets: 32, relative_attention_max_distance: 128},
    decoder_start_token_id: 0,
  },
  derived: ({feed_forward_proj: kind, ...json}) => ({
    num_decoder_layers: json.num_decoder_layers ?? json.num_layers,
    dense_act_fn:
      kind === 'gated-gelu'
        ? 'gelu_new'
        : typeof kind === 'string'
          ? kind.replace('gated-', '')
          : kind,
    // A model whose words are also its head scales what that head reads.
    tie_word_embeddings: json.scale_decoder_outputs ?? json.tie_word_embeddings ?? true,
  }),
  hasNoTokenTypes: true,
  ownHeadSize: true,
  hasDistances: true,
  choices: {
    normBefore: true,
    embeddingNorm: false,
    rmsNorm: true,
    normBias: false,
    linearBias: false,
    unscaledScores: true,
    noPositions: true,
  },
  choicesOf: gatesOfT5,
  // Only the decoder has a word head.
  decoder: {
    fields: {layers: 'num_decoder_layers'},
    choices: {
      isCausal: true,
      crossAttention: true,
      wordHeadTransform: false,
      wordHeadBias: false,
    },
    choicesOf: (json) => ({...gatesOfT5(json), scaledWordHead: json.tie_word_embeddings === true}),
  },
};

/** @type {Family} */
export const MARIAN = {
  ...LIKE_BART,
  choices: {embeddingNorm: false, sinusoidalPositions: true, wordHeadBias: false},
};

/** @type {Family} */
export const BART = {
  ...LIKE_BART,
  positionOffset: 2,
  choices: {countsPadding: true, wordHeadBias: false},
};
