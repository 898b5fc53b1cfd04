/** Converts Hugging Face's `config.json` to the configuration of the encoder. */

import {BertscopeError} from '../errors.js';
import {BERT_FIELDS, FAMILIES, OTHER_FAMILIES} from './model-families.js';
import {readHeadSize, readSharedKeys} from './head-sizes.js';
import {architectureOf, classifierOf, isClassifier} from './trained-task.js';
import {isRecord, parseJsonObject, quote} from '../json.js';
import {readLocalAttention, readRotaryPositions} from './rotary-positions.js';

/** @import {Family} from './model-families.js' */
/** @import {Activation, Choices, ModelConfig} from '../wasm-module.d.ts' */

/** @type {Activation[]} */
const ACTIVATIONS = ['gelu', 'gelu_new', 'gelu_pytorch_tanh', 'relu', 'swish', 'silu'];

/**
 * @typedef {object} WritingRules How a decoder writes, besides what its weights say.
 * @property {number} startToken It stands before what is written.
 * @property {number} [firstToken] Every text begins with it.
 * @property {number[]} bannedTokens They are never written.
 * @property {number} leastTokens Without so many, `startToken` included, a text does not end.
 * @property {number} unrepeated So many tokens in a row are not written twice; 0: there is no limit.
 *
 * @typedef {ModelConfig & WritingRules} DecoderConfig
 */

/**
 * @param {string} text `config.json`
 * @param {string} name The model's, for messages.
 * @param {string} [generation] `generation_config.json`, which may state how a decoder writes.
 * @returns {ModelConfig & {decoder?: DecoderConfig}} Of an encoder-decoder, the encoder's with that
 *   of the decoder.
 */
export function parseConfig(text, name, generation = '{}') {
  const json = parseJsonObject(text, `${name}: config.json`, 'bad-config');
  const family = familyOf(json, name);
  const config = configOf(json, family, name);
  const {decoder} = family;
  if (!decoder || /EncoderModel$/.test(architectureOf(json.architectures))) return config;
  const ownWords = json.share_encoder_decoder_embeddings === false;
  const side = {
    ...family,
    fields: {
      ...family.fields,
      ...decoder.fields,
      ...(ownWords && {vocabulary: 'decoder_vocab_size'}),
    },
    choices: {...family.choices, ...decoder.choices, ...(ownWords && {ownWords})},
    choicesOf: decoder.choicesOf ?? family.choicesOf,
  };
  const whole = configOf(json, side, name);
  // The words of an encoder-decoder are the decoder's to write.
  config.tieWordEmbeddings = true;
  const rules = writingRulesOf({...family.usual, ...json}, generation, name, whole.vocabulary);
  return {...config, decoder: {...whole, ...rules}};
}

/**
 * @param {Record<string, unknown>} json `config.json`
 * @param {string} text `generation_config.json`, whose fields take the place of those of `config.json`.
 * @param {string} name The model's, for messages.
 * @param {number} vocabulary The decoder's.
 * @returns {WritingRules}
 */
function writingRulesOf(json, text, name, vocabulary) {
  const generation = parseJsonObject(text, `${name}: generation_config.json`, 'bad-config');
  /** @param {string} field @param {unknown} value @param {string} [which] */
  const idOf = (field, value, which = '') => {
    if (Number.isInteger(value) && Number(value) >= 0 && Number(value) < vocabulary) {
      return Number(value);
    }
    const file = Object.hasOwn(generation, field) ? 'generation_config.json' : 'config.json';
    const message = `${name}: ${file}: expected ${which}${field} to be an id below ${vocabulary}, found ${quote(value)}`;
    throw new BertscopeError('bad-config', message);
  };
  const {
    decoder_start_token_id: start,
    bad_words_ids: bad,
    forced_bos_token_id: first,
    min_length: least,
    no_repeat_ngram_size: repeated,
  } = {...json, ...generation};
  const startToken = idOf('decoder_start_token_id', start);
  // Each entry is a sequence of ids. In all published models, it has one id.
  const banned = (Array.isArray(bad) ? bad : []).map((word) =>
    idOf('bad_words_ids', Array.isArray(word) && word.length === 1 ? word[0] : word, 'each of '),
  );
  // Duplicates are removed, because every banned token is looked at for each token that is written.
  const bannedTokens = [...new Set(banned)];
  const firstToken =
    typeof first === 'number' ? {firstToken: idOf('forced_bos_token_id', first)} : {};
  const [leastTokens, unrepeated] = [least, repeated].map((number) =>
    typeof number === 'number' ? number : 0,
  );
  return {startToken, ...firstToken, bannedTokens, leastTokens, unrepeated};
}

/**
 * @param {Record<string, unknown>} stated `config.json`
 * @param {Family} family
 * @param {string} name
 * @returns {ModelConfig}
 */
function configOf(stated, family, name) {
  const json = {...family.usual, ...stated};
  Object.assign(json, family.derived?.(json));
  const fields = {...BERT_FIELDS, ...family.fields};

  /** @type {string[]} */
  const wrong = [];
  const {embeddingSize, ...sizes} = readSizes(json, family, fields, wrong);
  const {activation, layerNormEpsilon, tied} = readBlockFields(json, fields, wrong);
  for (const [field, only] of Object.entries(family.only ?? {})) {
    const value = json[field] ?? only;
    if (value !== only) wrong.push(`${field} to be ${only}, found ${quote(value)}`);
  }
  const attention = readAttention(json, family, sizes, wrong);
  if (wrong.length > 0) {
    throw new BertscopeError('bad-config', `${name}: config.json: expected ${wrong.join('; ')}`);
  }
  const isProjected = family.projectsEmbeddings === 'always' || embeddingSize !== sizes.hiddenSize;
  return {
    family: (isClassifier(json.architectures) && family.classifierNames) || family.names,
    ...sizes,
    embeddingSize: isProjected ? embeddingSize : 0,
    activation,
    wordHeadActivation: family.wordHeadActivation ?? activation,
    ...classifierOf(json, family),
    layerNormEpsilon: family.layerNormEpsilon ?? layerNormEpsilon,
    tieWordEmbeddings: tied,
    ...family.choices,
    ...family.choicesOf?.(json),
    ...attention,
    ...(json.scale_embedding === true && {scaledEmbeddings: true}),
    ...(json.use_parallel_residual === false && {isParallel: false}),
  };
}

/**
 * @param {Record<string, unknown>} json `config.json`
 * @param {Family} family
 * @param {Record<keyof typeof BERT_FIELDS, string>} fields Their names in it.
 * @param {string[]} wrong Gets what is no size.
 */
function readSizes(json, family, fields, wrong) {
  /** @param {string} field @param {number} [least] */
  const integer = (field, least = 1) => {
    const value = json[field];
    if (Number.isInteger(value) && Number(value) >= least) return Number(value);
    const kind = least > 0 ? 'a positive integer' : 'an integer from 0';
    wrong.push(`${field} to be ${kind}, found ${quote(value)}`);
    return 0;
  };
  const hiddenSize = integer(fields.hiddenSize);
  const layers = integer(fields.layers);
  const heads = integer(fields.heads);
  const intermediateSize =
    family.intermediateFactor && (json[fields.intermediateSize] ?? null) === null
      ? family.intermediateFactor * hiddenSize
      : integer(fields.intermediateSize);
  const rows = integer(fields.positions) + (family.positionOffset ?? 0);
  const tokenTypes = family.hasNoTokenTypes ? 0 : integer(fields.tokenTypes);
  const vocabulary = integer(fields.vocabulary);
  const embeddingSize = family.projectsEmbeddings ? integer('embedding_size') : 0;
  const layerGroups = family.sharesLayers ? integer('num_hidden_groups') : 0;
  const positionOffset = family.countsFromPadding
    ? integer('pad_token_id', 0) + 1
    : (family.positionOffset ?? 0);
  if (rows > 0 && rows <= positionOffset) {
    wrong.push(`${fields.positions} to be more than ${positionOffset}, found ${rows}`);
  }
  const distances = family.hasDistances && {
    distanceBuckets: integer(fields.distanceBuckets) * (family.choices?.distanceVectors ? 2 : 1),
    greatestDistance: integer(fields.greatestDistance),
  };
  return {
    ...{hiddenSize, layers, heads, intermediateSize, tokenTypes, vocabulary},
    ...{embeddingSize, layerGroups, positionOffset, positions: rows - positionOffset},
    ...distances,
  };
}

/**
 * Reads the choices of attention that only some families have.
 * @param {Record<string, unknown>} json `config.json`
 * @param {Family} family
 * @param {Pick<ModelConfig, 'hiddenSize' | 'layers' | 'heads'>} sizes
 * @param {string[]} wrong Gets what the engine cannot express.
 * @returns {Partial<Choices>}
 */
function readAttention(json, family, {hiddenSize, layers, heads}, wrong) {
  const {headSize: field = BERT_FIELDS.headSize} = family.fields ?? {};
  const headSize = family.ownHeadSize
    ? readHeadSize(field, json[field], {hiddenSize, heads}, wrong)
    : 0;
  const rotary = family.isLocal
    ? readLocalAttention(json, layers, wrong)
    : family.isRotary && readRotaryPositions(json, headSize || hiddenSize / heads, wrong);
  const sharedKeys = family.sharesKeys && readSharedKeys(json, heads, wrong);
  return {...rotary, ...sharedKeys, ...(headSize && {headSize})};
}

/**
 * Reads the fields that every block has and that are not sizes.
 * @param {Record<string, unknown>} json `config.json`
 * @param {{activation: string, layerNormEpsilon: string}} fields
 * @param {string[]} wrong Gets what the engine cannot express.
 */
function readBlockFields(json, fields, wrong) {
  const activation = ACTIVATIONS.find((known) => known === json[fields.activation]);
  if (!activation) {
    const value = quote(json[fields.activation]);
    wrong.push(`${fields.activation} to be one of ${ACTIVATIONS.join(', ')}, found ${value}`);
  }
  // The first published configurations do not state these fields.
  const {[fields.layerNormEpsilon]: layerNormEpsilon = 1e-12, tie_word_embeddings: tied = true} =
    json;
  if (typeof layerNormEpsilon !== 'number' || !(layerNormEpsilon >= 0)) {
    wrong.push(`${fields.layerNormEpsilon} to be a number, found ${quote(layerNormEpsilon)}`);
  }
  if (typeof tied !== 'boolean') {
    wrong.push(`tie_word_embeddings to be true or false, found ${quote(tied)}`);
  }
  return {
    activation: /** @type {Activation} */ (activation),
    layerNormEpsilon: /** @type {number} */ (layerNormEpsilon),
    tied: Boolean(tied),
  };
}

/**
 * Tells whether a model was trained to give one vector per sentence: the list of its modules has one that
 * pools the vectors of the tokens. Source: `models/Pooling.py` of sentence-transformers.
 * @param {string} [modules] `modules.json`
 */
export function poolsSentences(modules = '') {
  try {
    const list = /** @type {unknown} */ (JSON.parse(modules));
    return Array.isArray(list) && list.some((each) => isRecord(each) && isPooling(each.type));
  } catch {
    return false;
  }
}

/** @param {unknown} type */
const isPooling = (type) =>
  typeof type === 'string' && /^sentence_transformers\..*Pooling$/.test(type);

/** The reasons why some models do not run. @type {Map<unknown, string>} */
const REASONS = new Map([
  ['deberta', ', whose layers have other maps than those of version 2, which is not built here'],
  ['umt5', ', whose scores have biases of their own in each layer, which is not built here'],
  ['mbart', ', whose vocabulary and languages are not read here'],
]);

/**
 * Refuses models that would load but compute something other than what they were trained for.
 * @param {Record<string, unknown>} json
 * @param {string} name
 * @returns {Family}
 */
function familyOf(json, name) {
  const {quantization_config: quantized, position_embedding_type: positions = 'absolute'} = json;
  const {is_decoder: isDecoder} = json;
  const type = typeOf(json);
  const family = typeof type === 'string' && Object.hasOwn(FAMILIES, type) ? FAMILIES[type] : null;
  const expected = !family
    ? `model_type to be one of ${Object.keys(FAMILIES).join(', ')}, found ${quote(type)}${REASONS.get(type) ?? ''}`
    : isRecord(quantized)
      ? `weights in F32, F16 or BF16, found weights quantized with ${quote(quantized.quant_method)}; take the model that they were made from`
      : positions !== 'absolute'
        ? `position_embedding_type "absolute", found ${quote(positions)}`
        : isDecoder === true && !family.choices?.isCausal
          ? 'an encoder, found is_decoder true'
          : null;
  if (expected || !family) {
    throw new BertscopeError('unsupported-model', `${name}: config.json: expected ${expected}`);
  }
  return family;
}

/**
 * The first published configurations have no model_type. Then the name of the architecture tells the
 * family if it is known, or the name of a field does.
 * @param {Record<string, unknown>} json
 */
function typeOf({model_type: type, architectures, ...json}) {
  if (type !== undefined && type !== null) return type;
  const [, named = ''] = CLASS_NAME.exec(architectureOf(architectures)) ?? [];
  const family = ARCHITECTURES.get(named) ?? named.toLowerCase();
  if (Object.hasOwn(FAMILIES, family) || OTHER_FAMILIES.includes(family)) return family;
  return json.n_layers !== undefined && json.dim !== undefined ? 'distilbert' : 'bert';
}

/** The class of a model in transformers: its family, and what it is for. */
const CLASS_NAME = /^(\w+?)(?:(?:With)?LMHead)?(?:Model|For[A-Z]\w*)$/;

/** The values of model_type that are not the names of their architectures in small letters. */
const ARCHITECTURES = new Map([
  ['XLMRoberta', 'xlm-roberta'],
  ['GPTNeoX', 'gpt_neox'],
  ['DebertaV2', 'deberta-v2'],
]);
