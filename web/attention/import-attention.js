import {MAX_DRAWN, shorten} from '../engine/json.js';
import {
  aboutOf,
  flagOf,
  isOurs,
  isTensor,
  listOf,
  numberOf,
  offsetsOf,
  specialOf,
  typesOf,
} from './file-fields.js';
import {
  atHeadNumbers,
  checkHeads,
  headNumbersOf,
  matricesOf,
  presentHeads,
} from './missing-heads.js';
import {checkDivisors, vectorsOf} from './import-vectors.js';
import {SnapshotError, plainSnapshot, snapshotFormat} from './snapshot.js';
import {asTensor} from './numbers-of-lists.js';

/** @import {Fields} from './file-fields.js' */
/** @import {LazySnapshot, Matrices, PlainSnapshot, Snapshot, VectorKind} from './snapshot.js' */
/** @import {Places} from './missing-heads.js' */
/** @import {NumberArray} from './numbers-of-lists.js' */

/**
 * This file imports the attention of any model, in bertviz's format: nested lists or arrays
 * `[layer][head][query][key]` beside `tokens`. A batch of one may follow the layers. Encoder-decoder models have
 * three such arrays.
 *
 * @typedef {'all' | 'encoder' | 'decoder' | 'cross'} PartName
 * @typedef {Partial<Record<PartName, PlainSnapshot>>} PlainParts  the snapshots that a file holds, in this order
 * @typedef {Partial<Record<PartName, LazySnapshot>>} LazyParts
 * @typedef {Partial<Record<PartName, Snapshot>>} SnapshotParts
 *
 * @typedef {object} Hints  what the reader says of self-attention; it replaces what the file says
 * @property {readonly string[]} [tokens]
 * @property {number | null} [sentenceB]  index of the first token of sentence B
 */

/** More tokens cannot be drawn in reasonable time. */
const mostTokens = 1024;

/** The sum of a row may differ from 1 by this much, since weights may be rounded or have 16 bits. */
const sumTolerance = 0.02;

/** The names that attention has in files: ours and the command line's, bertviz's, PyTorch's. */
const attentionNames = ['attentions', 'attention', 'attn', 'weights'];

/**
 * @param {unknown} data  the fields of a file, or the attention alone
 * @param {Hints} [hints]
 * @returns {PlainParts}
 */
export function importAttention(data, hints = {}) {
  const fields = fieldsOf(data);
  const parts = aboutParts(fields, hints);
  const before = beforeOf(fields);
  if (!before) return parts;
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, {...part, before}]));
}

/** @param {unknown} data */
function fieldsOf(data) {
  return /** @type {Fields} */ (Array.isArray(data) ? {attention: data} : (data ?? {}));
}

/**
 * @param {Fields} fields
 * @param {Hints} [hints]
 * @returns {PlainParts}
 */
function aboutParts(fields, hints = {}) {
  checkFormat(fields);
  const about = aboutOf(fields);
  return Object.fromEntries(
    Object.entries(partsOf(fields, hints)).map(([name, part]) => [name, {...part, about}]),
  );
}

/**
 * Reads the baseline of a saved comparison: the object `before` in JSON, the arrays `before_…` in NPZ. In JSON of
 * another program, `before` may mean anything, so it is ignored.
 *
 * @param {Fields} fields
 * @returns {PlainParts | undefined}
 */
function beforeOf({before, ...fields}) {
  const prefix = 'before_';
  const isJson = isOurs(fields) && before !== undefined && before !== null;
  if (!isJson && !isTensor(fields[`${prefix}attentions`])) return undefined;
  const arrays = Object.entries(fields).filter(([name]) => name.startsWith(prefix));
  const named = arrays.map(([name, value]) => [name.slice(prefix.length), value]);
  try {
    return aboutParts(isJson ? fieldsOf(before) : Object.fromEntries(named));
  } catch (error) {
    if (error instanceof SnapshotError) throw new SnapshotError(`“before”: ${error.message}`);
    throw error;
  }
}

/**
 * @param {Fields} fields
 * @param {Hints} hints
 * @returns {PlainParts}
 */
function partsOf(fields, hints) {
  const {encoder_attention: encoder, decoder_attention: decoder, cross_attention: cross} = fields;
  if (!encoder && !decoder && !cross) {
    const keys = listOf(fields, 'key_tokens');
    return keys ? {cross: savedCross(fields, keys)} : {all: selfAttention(fields, hints)};
  }

  /** @type {PlainParts} */
  const parts = {};
  const encoderTokens = listOf(fields, 'encoder_tokens');
  const decoderTokens = listOf(fields, 'decoder_tokens');
  if (encoder) parts.encoder = partOf(encoder, 'encoder_attention', encoderTokens, encoderTokens);
  if (decoder) parts.decoder = partOf(decoder, 'decoder_attention', decoderTokens, decoderTokens);
  if (cross) parts.cross = partOf(cross, 'cross_attention', decoderTokens, encoderTokens);
  return parts;
}

/** Reads cross-attention that bertscope exported as NumPy arrays. @param {Fields} fields @param {string[]} keys */
function savedCross(fields, keys) {
  const part = partOf(fields.attentions, 'attentions', listOf(fields, 'tokens'), keys);
  return atHeadNumbers(part, headNumbersOf(fields, part));
}

/** @param {Fields} fields */
function checkFormat({version, ...fields}) {
  if (!isOurs(fields) || version === snapshotFormat.version) return;
  const found = typeof version === 'number' ? `version ${version}` : 'a version that is no number';
  throw new SnapshotError(
    `Expected a ${snapshotFormat.format} of version ${snapshotFormat.version}, found ${found}.`,
  );
}

/**
 * @param {Fields} fields
 * @param {Hints} hints
 */
function selfAttention(fields, hints) {
  const name = attentionNames.find((known) => fields[known] !== undefined);
  if (!name) {
    const found = Object.keys(fields).slice(0, 8).join(', ') || 'nothing';
    throw new SnapshotError(
      `Expected “attention”, lists [layer][head][query][key], beside “tokens”; found ${found}.`,
    );
  }
  const given = hints.tokens?.length ? hints.tokens : listOf(fields, 'tokens');
  // Without names, tokens are numbered.
  const tokens = given ?? Array.from({length: tokensOf(fields[name])}, (_, i) => String(i));
  const sentenceB = hints.sentenceB ?? numberOf(fields, 'sentence_b_start');
  if (sentenceB !== null && !(sentenceB >= 1 && sentenceB < tokens.length)) {
    throw new SnapshotError(
      `Sentence B should start between token 1 and ${tokens.length - 1}, found ${sentenceB}.`,
    );
  }
  const types = sentenceB === null ? typesOf(fields) : tokens.map((_, i) => Number(i >= sentenceB));
  const part = partOf(fields[name], name, tokens, tokens, {
    tokenTypeIds: types,
    special: specialOf(fields),
    offsets: offsetsOf(fields, tokens.length),
    isByteLevel: flagOf(fields, 'byte_level'),
  });
  const found = {...part, ...vectorsOf(fields, part)};
  const whole = atHeadNumbers(found, headNumbersOf(fields, part));
  checkDivisors(whole);
  return {...whole, isNumbered: !given};
}

/** @param {unknown} attention @returns {number} how many tokens it is about */
function tokensOf(attention) {
  let level = isTensor(attention) ? [] : presentHeads(attention).lists;
  while (Array.isArray(level) && Array.isArray(level[0])) level = level[0];
  const count = isTensor(attention)
    ? (attention.shape.at(-1) ?? 0)
    : Number(Object(level).length ?? 0);
  checkTokens(count);
  return count;
}

/** @param {number} count */
function checkTokens(count) {
  if (count <= mostTokens) return;
  throw new SnapshotError(`At most ${mostTokens} tokens can be drawn, found ${count}.`);
}

/**
 * @param {unknown} attention
 * @param {string} name
 * @param {readonly string[] | null} queries
 * @param {readonly string[] | null} keys
 * @param {Pick<PlainSnapshot, 'isByteLevel' | 'offsets'> & {tokenTypeIds?: number[] | null, special?: boolean[]}} [more]
 */
function partOf(attention, name, queries, keys, more) {
  if (!queries || !keys) {
    throw new SnapshotError(`“${name}” needs “encoder_tokens” and “decoder_tokens” beside it.`);
  }
  const {lists, places} = presentHeads(attention);
  const tensor = withoutBatch(asTensor(lists, name), name);
  const [, , rows, columns] = tensor.shape;
  checkTokens(Math.max(queries.length, keys.length));
  if (rows !== queries.length || columns !== keys.length) {
    const counts =
      queries === keys ? `${keys.length} tokens` : `${queries.length} and ${keys.length} tokens`;
    throw new SnapshotError(
      `${counts} need attention of ${queries.length} × ${keys.length}, but “${name}” has ${rows} × ${columns}.`,
    );
  }
  checkRows(tensor, places);
  const [layers, heads] = places ? [places.layers, places.heads] : tensor.shape;
  checkHeads(layers, heads);
  const drawn = (/** @type {readonly string[]} */ tokens) =>
    tokens.map((token) => shorten(token, MAX_DRAWN));
  const tokens = drawn(queries);
  return plainSnapshot({
    tokens,
    keyTokens: queries === keys ? tokens : drawn(keys),
    layers,
    heads,
    attention: matricesOf(tensor, places),
    ...(places && {held: places.at.map((at) => at !== undefined)}),
    ...more,
  });
}

/** @param {NumberArray} tensor @param {string} name @returns {NumberArray} */
function withoutBatch({values, shape}, name) {
  if (shape.length === 5 && shape[1] === 1) {
    return {values, shape: [shape[0], ...shape.slice(2)]};
  }
  if (shape.length !== 4) {
    const batch = shape.length === 5 ? `, the batch of ${shape[1]} should be 1` : '';
    throw new SnapshotError(
      `“${name}” should have 4 dimensions (layers × heads × queries × keys), found ${shape.length}: ${shape.join(' × ')}${batch}.`,
    );
  }
  return {values, shape};
}

/**
 * @param {NumberArray} tensor
 * @param {Places | null} places
 */
function checkRows({values, shape: [, heads, rows, columns]}, places) {
  for (let row = 0; row * columns < values.length; row++) {
    let sum = 0;
    let isWeight = true;
    for (let i = row * columns; i < (row + 1) * columns; i++) {
      sum += values[i];
      isWeight &&= values[i] >= -sumTolerance;
    }
    if (isWeight && Math.abs(sum - 1) <= sumTolerance) continue;
    const head = Math.floor(row / rows);
    const at = places ? places.at.indexOf(head) : head;
    const width = places?.heads ?? heads;
    const place = `row ${row % rows} of layer ${Math.floor(at / width)}, head ${at % width}`;
    throw new SnapshotError(
      Number.isNaN(sum)
        ? `Weights should be numbers; ${place} holds NaN.`
        : isWeight
          ? `Each row should sum to 1; ${place} sums to ${sum.toFixed(3)}.`
          : `Weights should not be negative; ${place} has one that is.`,
    );
  }
}
