/**
 * Reads how far the rotary positions of a model turn, and which of its layers see only what is near. Source:
 * `configuration_llama.py`, `configuration_gpt_neox.py` and `configuration_modernbert.py` of transformers.
 */

import {isRecord, quote} from '../json.js';

/** @import {Choices} from '../wasm-module.d.ts' */

/** The values that hold where a configuration does not state them. */
const USUAL = {every: 3, window: 128, base: 160000, localBase: 10000};

/**
 * @param {Record<string, unknown>} json `config.json`
 * @param {number} headSize
 * @param {string[]} wrong Gets what the engine cannot express.
 * @returns {Partial<Choices>} How far positions turn.
 */
export function readRotaryPositions(json, headSize, wrong) {
  const {rope_theta, rotary_emb_base: usual = rope_theta ?? 10000} = json;
  const {rope_parameters: rotations, rope_scaling: scaling} = json;
  // Old files describe the rotation in two fields and newer files in one. Some files have all of
  // these fields.
  const [type, other] = [typeOf(rotations), typeOf(scaling)];
  if (rotations && scaling && type !== other) {
    wrong.push(`rope_scaling to have the rope_type of rope_parameters, found ${quote(other)}`);
  }
  const given = rotations ?? scaling;
  return {
    rotaryBase: baseOf(given, usual, wrong),
    rotaryWidth: widthOf(json, headSize, wrong),
    ...scalingOf(given, wrong),
  };
}

/**
 * Reads how much slower a model turns than its base says, for longer texts than it first learned with.
 * @param {unknown} rotations What the configuration says of them; a record, or nothing.
 * @param {string[]} wrong Gets what the engine cannot express.
 * @returns {Partial<Choices>}
 */
function scalingOf(rotations, wrong) {
  const type = typeOf(rotations);
  if (type === 'default' || !isRecord(rotations)) return {};
  if (type !== 'linear' && type !== 'llama3') {
    wrong.push(`rope_type to be one of default, linear, llama3, found ${quote(type)}`);
    return {};
  }
  /** @param {string} field @param {number} least */
  const number = (field, least) => {
    const value = rotations[field];
    if (typeof value === 'number' && value >= least) return value;
    wrong.push(`${field} to be a number of at least ${least}, found ${quote(value)}`);
    return 0;
  };
  const rotaryFactor = number('factor', 1);
  if (type === 'linear') return {rotaryFactor};
  const rotaryTrained = number('original_max_position_embeddings', 1);
  const rotaryLow = number('low_freq_factor', 0);
  const rotaryHigh = number('high_freq_factor', 0);
  if (rotaryHigh <= rotaryLow) {
    wrong.push(
      `high_freq_factor to be above ${rotaryLow}, found ${quote(rotations.high_freq_factor)}`,
    );
  }
  return {rotaryFactor, rotaryTrained, rotaryLow, rotaryHigh};
}

/**
 * Tells how many numbers of a head are rotated; 0 for all.
 * @param {Record<string, unknown>} json `config.json`
 * @param {number} headSize
 * @param {string[]} wrong Gets what the engine cannot express.
 */
function widthOf({rope_parameters: rotations, rotary_pct, partial_rotary_factor}, headSize, wrong) {
  const given = isRecord(rotations) ? rotations.partial_rotary_factor : undefined;
  const share = given ?? partial_rotary_factor ?? rotary_pct ?? 1;
  const width = Math.floor(Number(share) * headSize);
  if (share === 1) return 0;
  if (!(typeof share === 'number' && share > 0 && share < 1 && width > 0 && width % 2 === 0)) {
    wrong.push(`rotary_pct to rotate an even number of a head's numbers, found ${quote(share)}`);
  }
  return width;
}

/**
 * @param {Record<string, unknown>} json `config.json`
 * @param {number} layers
 * @param {string[]} wrong Gets what the engine cannot express.
 * @returns {Pick<Choices, 'rotaryBase' | 'localRotaryBase' | 'window' | 'globalEvery'>}
 */
export function readLocalAttention(json, layers, wrong) {
  const {local_attention: across = USUAL.window, layer_types: types} = json;
  const {rope_parameters: rotations, rope_scaling: scaling = null} = json;
  const every = Array.isArray(types)
    ? everyOf(types)
    : (json.global_attn_every_n_layers ?? USUAL.every);
  const isLocal = (/** @type {number} */ layer) => layer % Number(every) !== 0;
  /** @param {string} field @param {boolean} isFine @param {string} expected @param {unknown} found */
  const check = (field, isFine, expected, found) => {
    if (!isFine) wrong.push(`${field} to be ${expected}, found ${quote(found)}`);
  };
  check('global_attn_every_n_layers', isPositive(every), 'a positive integer', every);
  check('local_attention', isPositive(across), 'a positive integer', across);
  check('rope_scaling', scaling === null, 'null', scaling);
  const isKnown =
    !Array.isArray(types) ||
    (types.length === layers && types.every((type, at) => type === nameOf(isLocal(at))));
  check('layer_types', isKnown, 'full_attention in every n-th layer', types);
  /** @param {boolean} local @param {string} field @param {number} usual */
  const base = (local, field, usual) => {
    const given = isRecord(rotations) ? rotations[nameOf(local)] : undefined;
    check('rope_type', typeOf(given) === 'default', 'default', typeOf(given));
    return baseOf(given, json[field] ?? usual, wrong);
  };
  return {
    rotaryBase: base(false, 'global_rope_theta', USUAL.base),
    localRotaryBase: base(true, 'local_rope_theta', USUAL.localBase),
    window: Math.floor(Number(across) / 2),
    globalEvery: Number(every),
  };
}

/**
 * @param {unknown} rotations What the configuration says of them; a record, or nothing.
 * @param {unknown} usual The base where that does not state it.
 * @param {string[]} wrong Gets what the engine cannot express.
 */
function baseOf(rotations, usual, wrong) {
  const theta = (isRecord(rotations) ? rotations.rope_theta : null) ?? usual;
  if (typeof theta !== 'number' || !(theta > 0)) {
    wrong.push(`rope_theta to be a positive number, found ${quote(theta)}`);
  }
  return Number(theta);
}

/** @param {unknown} rotations @returns {unknown} Old files call it by another name. */
const typeOf = (rotations) =>
  (isRecord(rotations) ? (rotations.rope_type ?? rotations.type) : null) ?? 'default';

const nameOf = (/** @type {boolean} */ isLocal) =>
  isLocal ? 'sliding_attention' : 'full_attention';

/** @param {unknown[]} types How far it is from the first layer that sees all to the next. */
function everyOf(types) {
  const next = types.indexOf(nameOf(false), 1);
  return next < 0 ? types.length : next;
}

/** @param {unknown} value */
const isPositive = (value) => Number.isInteger(value) && Number(value) > 0;
