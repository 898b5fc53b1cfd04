/**
 * BERT and its relatives, by the `model_type` of their `config.json`: what each calls its sizes, and
 * the facts its configuration leaves unsaid. Whose tensors have which names is known to the encoder
 * (`src/model/tensor_names.cpp`).
 * Source: `configuration_<family>.py` and `modeling_<family>.py` of transformers.
 */

/** @import {Activation, FamilyName} from '../wasm-module.d.ts' */

/**
 * @typedef {object} Family
 * @property {FamilyName} names Of its tensors.
 * @property {Partial<Record<keyof typeof BERT_FIELDS, string>>} [fields] That it calls differently.
 * @property {true} [hasNoTokenTypes]
 * @property {true} [countsFromPadding] Positions begin behind the padding's, `pad_token_id`.
 * @property {'always' | 'when-narrower'} [projectsEmbeddings] From `embedding_size`.
 * @property {true} [sharesLayers] In `num_hidden_groups`.
 * @property {number} [layerNormEpsilon] Whatever the configuration says.
 * @property {Activation} [maskedLmActivation] Where it is not that of the layers.
 * @property {Activation | 'tanh'} [classifierActivation] Behind the classifier's own dense layer;
 *   without one it stands on the pooler.
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
});

/** @type {Family} */
const ROBERTA = {
  names: 'roberta',
  countsFromPadding: true,
  maskedLmActivation: 'gelu',
  classifierActivation: 'tanh',
};

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
    maskedLmActivation: 'gelu',
    classifierActivation: 'gelu',
  },
  albert: {names: 'albert', projectsEmbeddings: 'always', sharesLayers: true},
});
