/**
 * The families that run, by the `model_type` of their `config.json`: the names that each uses for
 * its sizes, the facts that its configuration does not state, and how its layers are built. The
 * encoder knows the names of the tensors of each (`src/model/family_names.cpp`). Source:
 * `configuration_<family>.py` and `modeling_<family>.py` of transformers.
 */

import {BART, MARIAN, T5} from './encoder-decoder-families.js';

/** @import {Activation, Choices, FamilyName} from '../wasm-module.d.ts' */

/**
 * @typedef {object} Family
 * @property {FamilyName} names Which names its tensors have.
 * @property {string} [prefix] What the names of its tensors begin with in a model with heads; usually its name and
 *   a dot.
 * @property {string} [words] The name of its word embeddings, after that prefix.
 * @property {Partial<Record<keyof typeof BERT_FIELDS, string>>} [fields] Fields that have other
 *   names.
 * @property {true} [hasNoTokenTypes]
 * @property {true} [countsFromPadding] Positions begin after that of padding, `pad_token_id`.
 * @property {number} [positionOffset] The number of rows of the position table before those that
 *   the configuration states.
 * @property {'always' | 'when-narrower'} [projectsEmbeddings] Whether embeddings are projected from
 *   `embedding_size` to the hidden size.
 * @property {true} [sharesLayers] Layers share `num_hidden_groups` sets of weights.
 * @property {number} [layerNormEpsilon] Overrides the configuration.
 * @property {Activation} [wordHeadActivation] Set if it is not that of the layers.
 * @property {Partial<Choices>} [choices] How it differs from BERT in what it computes.
 * @property {true} [isRotary] Positions are rotary.
 * @property {true} [isLocal] Some layers see only what is near, and positions are rotary.
 * @property {(json: Record<string, unknown>) => Record<string, unknown>} [derived] Fields that follow from those
 *   that the configuration states.
 * @property {true} [ownHeadSize] The configuration may state the size of a head.
 * @property {true} [sharesKeys] Several heads share keys and values, `num_key_value_heads` in all.
 * @property {Record<string, unknown>} [usual] What holds where the configuration does not state it.
 * @property {Record<string, unknown>} [only] Fields that have one value in all models that run.
 * @property {number} [intermediateFactor] The intermediate size is the hidden size times this where
 *   the configuration does not state it.
 * @property {true} [hasDistances] The distance of two tokens adds to their score.
 * @property {(json: Record<string, unknown>) => Partial<Choices>} [choicesOf] What it computes as its configuration
 *   says.
 * @property {Pick<Family, 'fields' | 'choices' | 'choicesOf'>} [decoder] How the decoder of an encoder-decoder
 *   differs from its encoder, which everything else describes.
 * @property {Activation | 'tanh'} [classifierActivation] Follows the classifier's own dense layer.
 *   A classifier without that layer follows the pooler.
 * @property {true} [classifierNorm] A norm follows that activation.
 * @property {FamilyName} [classifierNames] The names of tensors of a model with a classifier, if they are others.
 */

export const BERT_FIELDS = Object.freeze({
  hiddenSize: 'hidden_size',
  layers: 'num_hidden_layers',
  heads: 'num_attention_heads',
  intermediateSize: 'intermediate_size',
  positions: 'max_position_embeddings',
  tokenTypes: 'type_vocab_size',
  vocabulary: 'vocab_size',
  activation: 'hidden_act',
  layerNormEpsilon: 'layer_norm_eps',
  headSize: 'head_dim',
  distanceBuckets: 'relative_attention_num_buckets',
  greatestDistance: 'relative_attention_max_distance',
});

/** @type {Family} */
const ROBERTA = {
  names: 'roberta',
  countsFromPadding: true,
  wordHeadActivation: 'gelu',
  classifierActivation: 'tanh',
};

/**
 * Writes the parts of DeBERTa's scores, a string or a list of strings, in one way. Anything else stays as it is.
 * @param {unknown} parts
 */
function partsOfScores(parts) {
  const stated = [parts ?? 'none'].flat();
  const isWords = stated.every((part) => typeof part === 'string');
  return isWords ? ['c2p', 'p2c'].filter((part) => stated.join().includes(part)).join('|') : parts;
}

/** @type {Family} */
const LLAMA = {
  names: 'llama',
  prefix: 'model.',
  words: 'embed_tokens.weight',
  fields: {layerNormEpsilon: 'rms_norm_eps'},
  usual: {rms_norm_eps: 1e-6, tie_word_embeddings: false},
  hasNoTokenTypes: true,
  isRotary: true,
  ownHeadSize: true,
  sharesKeys: true,
  choices: {
    normBefore: true,
    embeddingNorm: false,
    rmsNorm: true,
    normBias: false,
    linearBias: false,
    isGated: true,
    ownGate: true,
    isCausal: true,
    wordHeadTransform: false,
    wordHeadBias: false,
  },
  only: {attention_bias: false, mlp_bias: false},
};

/**
 * Families that are refused, as their classes in transformers are named, in small letters. Any other name
 * of a class may be its author's own.
 */
export const OTHER_FAMILIES = Object.freeze([
  ...['bigbird', 'convbert', 'ctrl', 'data2vectext', 'deberta', 'ernie'],
  ...['esm', 'flaubert', 'fnet', 'funnel', 'ibert', 'layoutlm', 'longformer', 'luke'],
  ...['mbart', 'megatronbert', 'mobilebert', 'nezha', 'nomicbert'],
  ...['nystromformer', 'openaigpt', 'reformer', 'rembert', 'robertaprelayernorm', 'rocbert'],
  ...['roformer', 'squeezebert', 'transfoxl', 'umt5', 'xlm', 'xlmrobertaxl', 'xlnet', 'xmod'],
]);

/** @type {Readonly<Record<string, Family>>} */
export const FAMILIES = Object.freeze({
  bert: {names: 'bert'},
  distilbert: {
    names: 'distilbert',
    fields: {
      hiddenSize: 'dim',
      layers: 'n_layers',
      heads: 'n_heads',
      intermediateSize: 'hidden_dim',
      activation: 'activation',
    },
    hasNoTokenTypes: true,
    layerNormEpsilon: 1e-12,
    classifierActivation: 'relu',
  },
  roberta: ROBERTA,
  camembert: ROBERTA,
  'xlm-roberta': ROBERTA,
  electra: {
    names: 'electra',
    projectsEmbeddings: 'when-narrower',
    wordHeadActivation: 'gelu',
    classifierActivation: 'gelu',
  },
  albert: {
    names: 'albert',
    projectsEmbeddings: 'always',
    sharesLayers: true,
    only: {inner_group_num: 1},
  },
  gpt2: {
    names: 'gpt2',
    prefix: 'transformer.',
    words: 'wte.weight',
    fields: {
      hiddenSize: 'n_embd',
      layers: 'n_layer',
      heads: 'n_head',
      intermediateSize: 'n_inner',
      positions: 'n_positions',
      activation: 'activation_function',
      layerNormEpsilon: 'layer_norm_epsilon',
    },
    hasNoTokenTypes: true,
    intermediateFactor: 4,
    choices: {
      normBefore: true,
      embeddingNorm: false,
      isCausal: true,
      wordHeadTransform: false,
      wordHeadBias: false,
    },
    choicesOf: (json) => ({layerScaledScores: json.scale_attn_by_inverse_layer_idx === true}),
    only: {
      scale_attn_weights: true,
      add_cross_attention: false,
    },
  },
  modernbert: {
    names: 'modernbert',
    prefix: 'model.',
    words: 'embeddings.tok_embeddings.weight',
    fields: {activation: 'hidden_activation', layerNormEpsilon: 'norm_eps'},
    hasNoTokenTypes: true,
    isLocal: true,
    choices: {
      normBefore: true,
      firstNorm: false,
      normBias: false,
      linearBias: false,
      isGated: true,
    },
    only: {
      norm_bias: false,
      attention_bias: false,
      mlp_bias: false,
      classifier_bias: false,
      decoder_bias: true,
      classifier_activation: 'gelu',
    },
    classifierNames: 'modernbert-classifier',
    classifierActivation: 'gelu',
    classifierNorm: true,
  },
  llama: LLAMA,
  qwen2: {
    ...LLAMA,
    choices: {...LLAMA.choices, projectionBias: true},
    only: {use_sliding_window: false},
  },
  qwen3: {
    ...LLAMA,
    usual: {...LLAMA.usual, head_dim: 128},
    choices: {...LLAMA.choices, headNorms: true},
    only: {attention_bias: false, use_sliding_window: false},
  },
  gpt_neox: {
    names: 'gpt_neox',
    prefix: 'gpt_neox.',
    words: 'embed_in.weight',
    usual: {rotary_pct: 0.25, tie_word_embeddings: false},
    hasNoTokenTypes: true,
    isRotary: true,
    choices: {
      normBefore: true,
      embeddingNorm: false,
      isCausal: true,
      isParallel: true,
      wordHeadTransform: false,
      wordHeadBias: false,
    },
    only: {attention_bias: true},
  },
  mpnet: {
    names: 'mpnet',
    // Its classes do not read the padding id, which is always this one.
    usual: {
      pad_token_id: 1,
      relative_attention_num_buckets: 32,
      relative_attention_max_distance: 128,
    },
    only: {pad_token_id: 1, relative_attention_num_buckets: 32},
    countsFromPadding: true,
    hasNoTokenTypes: true,
    hasDistances: true,
    wordHeadActivation: 'gelu',
    classifierActivation: 'tanh',
  },
  'deberta-v2': {
    names: 'deberta-v2',
    prefix: 'deberta.',
    // Half of the buckets are of keys on one side of a query.
    fields: {
      headSize: 'attention_head_size',
      distanceBuckets: 'position_buckets',
      greatestDistance: 'max_relative_positions',
    },
    usual: {
      ...{layer_norm_eps: 1e-7, position_biased_input: true, relative_attention: false},
      ...{share_att_key: false, norm_rel_ebd: 'none', pos_att_type: 'none'},
    },
    derived: ({pos_att_type: parts, max_relative_positions: greatest = -1, ...json}) => ({
      pos_att_type: partsOfScores(parts),
      max_relative_positions:
        typeof greatest === 'number' && greatest < 1 ? json.max_position_embeddings : greatest,
    }),
    only: {
      ...{relative_attention: true, position_biased_input: false, share_att_key: true},
      ...{norm_rel_ebd: 'layer_norm', pos_att_type: 'c2p|p2c', conv_kernel_size: 0},
      ...{type_vocab_size: 0, pooler_hidden_act: 'gelu'},
    },
    hasNoTokenTypes: true,
    ownHeadSize: true,
    hasDistances: true,
    choices: {noPositions: true, distanceVectors: true},
    classifierActivation: 'gelu',
  },
  t5: T5,
  mt5: T5,
  marian: MARIAN,
  bart: BART,
});
