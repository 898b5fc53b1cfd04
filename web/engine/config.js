/** Hugging Face's `config.json` in the encoder's own words. */

import {BertscopeError} from './errors.js';
import {parseJsonObject, quote} from './json.js';

/** @import {Activation, ModelConfig} from './wasm-module.d.ts' */

/** @type {Activation[]} */
const ACTIVATIONS = ['gelu', 'gelu_new', 'gelu_pytorch_tanh', 'relu'];

/** Every size that the shapes of the weights depend on. */
const SIZES = /** @type {const} */ ({
  hiddenSize: 'hidden_size',
  layers: 'num_hidden_layers',
  heads: 'num_attention_heads',
  intermediateSize: 'intermediate_size',
  positions: 'max_position_embeddings',
  tokenTypes: 'type_vocab_size',
  vocabulary: 'vocab_size',
});

/**
 * @param {string} text `config.json`
 * @param {string} name The model's, for messages.
 * @returns {ModelConfig}
 */
export function parseConfig(text, name) {
  const json = parseJsonObject(text, `${name}: config.json`, 'bad-config');
  refuseOtherModels(json, name);

  /** @type {string[]} */
  const wrong = [];
  const sizes = /** @type {Record<keyof typeof SIZES, number>} */ ({});
  for (const [key, field] of entriesOf(SIZES)) {
    const value = json[field];
    if (Number.isInteger(value) && Number(value) > 0) sizes[key] = Number(value);
    else wrong.push(`${field} to be a positive integer, found ${quote(value)}`);
  }
  const activation = ACTIVATIONS.find((name) => name === json.hidden_act);
  if (!activation) {
    wrong.push(
      `hidden_act to be one of ${ACTIVATIONS.join(', ')}, found ${quote(json.hidden_act)}`,
    );
  }
  // BERT's default; the first published configurations do not state it.
  const {layer_norm_eps: layerNormEpsilon = 1e-12} = json;
  if (typeof layerNormEpsilon !== 'number' || !(layerNormEpsilon >= 0)) {
    wrong.push(`layer_norm_eps to be a number, found ${quote(layerNormEpsilon)}`);
  }
  // Left out by nearly all; the masked-LM decoder is then the word embeddings whatever is stored.
  const {tie_word_embeddings: tieWordEmbeddings = true} = json;
  if (typeof tieWordEmbeddings !== 'boolean') {
    wrong.push(`tie_word_embeddings to be true or false, found ${quote(tieWordEmbeddings)}`);
  }
  if (wrong.length > 0) {
    throw new BertscopeError('bad-config', `${name}: config.json: expected ${wrong.join('; ')}`);
  }
  return {
    ...sizes,
    activation: /** @type {Activation} */ (activation),
    layerNormEpsilon: Number(layerNormEpsilon),
    tieWordEmbeddings: Boolean(tieWordEmbeddings),
  };
}

/**
 * Models that would load and silently compute something else than they were trained for.
 * @param {Record<string, unknown>} json
 * @param {string} name
 */
function refuseOtherModels(json, name) {
  // The first published configurations have no model_type.
  const {model_type: type = 'bert', position_embedding_type: positions = 'absolute'} = json;
  const expected =
    type !== 'bert'
      ? `model_type "bert", found ${quote(type)}`
      : positions !== 'absolute'
        ? `position_embedding_type "absolute", found ${quote(positions)}`
        : json.is_decoder === true
          ? 'an encoder, found is_decoder true'
          : null;
  if (expected) {
    throw new BertscopeError('unsupported-model', `${name}: config.json: expected ${expected}`);
  }
}

/**
 * @template {object} T
 * @param {T} record
 */
function entriesOf(record) {
  return /** @type {[keyof T, T[keyof T]][]} */ (Object.entries(record));
}
