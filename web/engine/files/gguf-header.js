/**
 * Reads the header of a GGUF file: facts of the model by their keys, then where each tensor is.
 * Source: `docs/gguf.md` of ggml-org/ggml, and `gguf.cpp` there.
 */

import {BertscopeError} from '../errors.js';
import {MAX_DRAWN, quote, shorten} from '../json.js';
import {refusePointer} from './git-lfs.js';
import {BLOCKS, typeName} from './gguf-blocks.js';
import {checkTensorNames} from './safetensors-header.js';

/** @import {Block} from './gguf-blocks.js' */
/** @import {Cursor, GgufInput, Refusal} from './gguf-input.js' */

/** Real files have less than a hundred facts. */
const MAX_FACTS = 4096;
/** Files of the largest vocabularies have lists of a quarter of a million. */
const MAX_ITEMS = 2 ** 20;
/** The characters of all tokens together. Their merges spell each token once more, in two halves. */
const MAX_CHARACTERS = 2 ** 23;
const MAX_LIST_CHARACTERS = 2 * MAX_CHARACTERS;
/** Chat templates have some ten thousand characters. */
const MAX_STRING_BYTES = 2 ** 20;
/** No character of UTF-8 has more bytes. */
const MAX_NAME_BYTES = 4 * MAX_DRAWN;
/** GGML has no tensor with more. */
const MAX_DIMENSIONS = 4;
const MAX_TENSORS = 2 ** 14;
const USUAL_ALIGNMENT = 32;

/** The lists that are kept. All others are only skipped, since a number of a byte takes more memory in a list. */
const LISTS = new Set(
  ['tokens', 'merges', 'scores', 'token_type'].map((key) => `tokenizer.ggml.${key}`),
);

const [STRING, LIST] = [8, 9];
/** The numbers that a fact may have, by their types. @type {Record<number, {bytes: number, read: (view: DataView, at: number) => number | boolean}>} */
const NUMBERS = {
  0: {bytes: 1, read: (view, at) => view.getUint8(at)},
  1: {bytes: 1, read: (view, at) => view.getInt8(at)},
  2: {bytes: 2, read: (view, at) => view.getUint16(at, true)},
  3: {bytes: 2, read: (view, at) => view.getInt16(at, true)},
  4: {bytes: 4, read: (view, at) => view.getUint32(at, true)},
  5: {bytes: 4, read: (view, at) => view.getInt32(at, true)},
  6: {bytes: 4, read: (view, at) => view.getFloat32(at, true)},
  7: {bytes: 1, read: (view, at) => view.getUint8(at) !== 0},
  10: {bytes: 8, read: (view, at) => Number(view.getBigUint64(at, true))},
  11: {bytes: 8, read: (view, at) => Number(view.getBigInt64(at, true))},
  12: {bytes: 8, read: (view, at) => view.getFloat64(at, true)},
};

/**
 * @typedef {object} GgufTensor
 * @property {string} name
 * @property {number[]} shape Rows before columns, unlike in the file.
 * @property {Block} block How its numbers are stored.
 * @property {number} offset From the beginning of all tensors.
 * @property {number} bytes
 */

/** A list that is not kept stands as this, so that it is not taken for a fact that is absent. */
const A_LIST = Object.freeze({});

/**
 * Texts of other tokenizers are passed over, such as a whole `tokenizer.json` or a template of chats.
 * @param {string} key
 */
const isOfAnotherTokenizer = (key) =>
  key.startsWith('tokenizer.') && !key.startsWith('tokenizer.ggml.');

/** @typedef {Map<string, unknown>} Facts Numbers, texts, truth values, and the lists of the tokenizer. */

/**
 * @param {GgufInput} input
 * @param {string} path For messages.
 * @returns {Promise<{version: number, facts: Facts, tensors: GgufTensor[], begin: number, alignment: number}>}
 *   `begin`: where the tensors begin in the file.
 */
export async function readGgufHeader(input, path) {
  const refuse = refusalOf(path);
  const version = await input.value((cursor) => readVersion(cursor, path), 'the version');
  const [tensorCount, factCount] = await input.value(
    (cursor) => [cursor.u64(), cursor.u64()],
    'the numbers of tensors and facts',
  );
  if (tensorCount > MAX_TENSORS) throw refuse(`at most ${MAX_TENSORS} tensors`, `${tensorCount}`);
  if (factCount > MAX_FACTS) throw refuse(`at most ${MAX_FACTS} facts`, `${factCount}`);
  /** @type {Facts} */
  const facts = new Map();
  for (let index = 0; index < factCount; index++) {
    const what = `fact ${index + 1} of ${factCount}`;
    const [key, value] = await input.value((cursor) => readFact(cursor, refuse), what);
    if (facts.has(key)) throw refuse('every fact once', `${shorten(key)} twice`);
    facts.set(key, value);
  }
  const alignment = alignmentOf(facts, refuse);
  /** @type {GgufTensor[]} */
  const tensors = [];
  for (let index = 0; index < tensorCount; index++) {
    const what = `the place of tensor ${index + 1} of ${tensorCount}`;
    tensors.push(await input.value((cursor) => readTensor(cursor, refuse), what));
  }
  checkTensors(tensors, alignment, refuse);
  return {version, facts, tensors, begin: padded(input.position, alignment), alignment};
}

/** @param {number} bytes @param {number} alignment */
export const padded = (bytes, alignment) => Math.ceil(bytes / alignment) * alignment;

/** @param {string} path @returns {Refusal} */
export const refusalOf = (path) => (expected, found) =>
  new BertscopeError('bad-checkpoint', `${path}: expected ${expected}, found ${found}`);

/** @param {Cursor} cursor @param {string} path */
function readVersion(cursor, path) {
  const refuse = refusalOf(path);
  const start = cursor.bytes(8);
  refusePointer(start, path);
  const magic = String.fromCharCode(...start.subarray(0, 4));
  if (magic !== 'GGUF') throw refuse('a GGUF file', `one that begins with ${quote(magic)}`);
  const version = new DataView(start.buffer, start.byteOffset).getUint32(4, true);
  if (version === 2 || version === 3) return version;
  // The bytes of a small number in the other order.
  const isSwapped = version % 2 ** 16 === 0 && version > 0;
  const found = isSwapped ? 'a file with numbers in big-endian order' : `version ${version}`;
  throw refuse('version 2 or 3 of GGUF, in little-endian order', found);
}

/** @param {Cursor} cursor @param {Refusal} refuse @returns {[string, unknown]} */
function readFact(cursor, refuse) {
  const key = cursor.string(MAX_DRAWN, 'the key of a fact');
  const type = cursor.u32();
  if (type === STRING && isOfAnotherTokenizer(key)) {
    cursor.skip(cursor.u64());
    return [key, undefined];
  }
  if (type === STRING) return [key, cursor.string(MAX_STRING_BYTES, shorten(key))];
  if (type === LIST) return [key, readList(cursor, key, refuse)];
  const number = Object.hasOwn(NUMBERS, type) ? NUMBERS[type] : undefined;
  if (!number) throw refuse(`${shorten(key)} to be of type 0 to 12`, `type ${type}`);
  return [key, cursor.scalar(number.read, number.bytes)];
}

/**
 * @param {Cursor} cursor
 * @param {string} key
 * @param {Refusal} refuse
 * @returns {readonly unknown[] | typeof A_LIST} The list itself if it is one that is kept.
 */
function readList(cursor, key, refuse) {
  const [type, count] = [cursor.u32(), cursor.u64()];
  const what = shorten(key);
  const isKept = LISTS.has(key);
  if (type === LIST) throw refuse(`${what} to be a list of numbers or texts`, 'a list of lists');
  if (count > MAX_ITEMS) throw refuse(`${what} of at most ${MAX_ITEMS} items`, `${count}`);
  if (type === STRING) return readTexts(cursor, count, key, refuse);
  const number = Object.hasOwn(NUMBERS, type) ? NUMBERS[type] : undefined;
  if (!number) throw refuse(`${what} to be a list of type 0 to 12`, `type ${type}`);
  if (!isKept) {
    cursor.skip(count * number.bytes);
    return A_LIST;
  }
  // All of the list has to be there before a list of this length is made.
  cursor.at = cursor.skip(count * number.bytes);
  return Array.from({length: count}, () => cursor.scalar(number.read, number.bytes));
}

/**
 * @param {Cursor} cursor
 * @param {number} count
 * @param {string} key
 * @param {Refusal} refuse
 * @returns {string[] | typeof A_LIST}
 */
function readTexts(cursor, count, key, refuse) {
  const what = `each text of ${shorten(key)}`;
  if (!LISTS.has(key)) {
    for (let index = 0; index < count; index++) cursor.stringBytes(MAX_STRING_BYTES, what);
    return A_LIST;
  }
  const most = key.endsWith('.tokens') ? MAX_CHARACTERS : MAX_LIST_CHARACTERS;
  /** @type {string[]} */
  const texts = [];
  let characters = 0;
  for (let index = 0; index < count; index++) {
    const text = cursor.string(MAX_STRING_BYTES, what);
    characters += text.length;
    if (characters > most) throw refuse(`${shorten(key)} of at most ${most} characters`, 'more');
    texts.push(text);
  }
  return texts;
}

/** @param {Cursor} cursor @param {Refusal} refuse @returns {GgufTensor} */
function readTensor(cursor, refuse) {
  const name = cursor.string(MAX_NAME_BYTES, 'the name of a tensor');
  const what = shorten(name);
  const dimensions = cursor.u32();
  if (dimensions < 1 || dimensions > MAX_DIMENSIONS) {
    throw refuse(`${what} to have 1 to ${MAX_DIMENSIONS} dimensions`, `${dimensions}`);
  }
  const sizes = Array.from({length: dimensions}, () => cursor.u64());
  const [type, offset] = [cursor.u32(), cursor.u64()];
  const block = Object.hasOwn(BLOCKS, type) ? BLOCKS[type] : undefined;
  if (!block) {
    const known = Object.values(BLOCKS).map((each) => each.name);
    throw refuse(`${what} to be of one of the types ${known.join(', ')}`, typeName(type));
  }
  if (sizes[0] % block.values !== 0) {
    throw refuse(`rows of ${what} in blocks of ${block.values} for ${block.name}`, `${sizes[0]}`);
  }
  // Each factor is checked, since a product of few sizes may exceed 2^53 although each is a safe integer.
  let values = 1;
  for (const size of sizes) {
    if (!(size >= 1 && values * size * block.bytes <= Number.MAX_SAFE_INTEGER)) {
      throw refuse(`${what} of sizes from 1 on, and of at most 2^53 bytes`, `[${sizes}]`);
    }
    values *= size;
  }
  const bytes = (values / block.values) * block.bytes;
  return {name, shape: sizes.reverse(), block, offset, bytes};
}

/** @param {Facts} facts @param {Refusal} refuse */
function alignmentOf(facts, refuse) {
  const alignment = facts.get('general.alignment') ?? USUAL_ALIGNMENT;
  const isPower =
    typeof alignment === 'number' && alignment >= 1 && Number.isInteger(Math.log2(alignment));
  if (!isPower) throw refuse('general.alignment to be a power of two', quote(alignment));
  return alignment;
}

/**
 * The tensors lie in their order without holes, as GGML itself demands: so the file is read once, and
 * no byte counts twice.
 * @param {GgufTensor[]} tensors
 * @param {number} alignment
 * @param {Refusal} refuse
 */
function checkTensors(tensors, alignment, refuse) {
  checkTensorNames(
    tensors.map(({name}) => name),
    refuse,
  );
  let end = 0;
  for (const {name, offset, bytes} of tensors) {
    if (offset !== end) {
      const how = offset < end ? 'an overlap' : 'a hole';
      throw refuse(`${shorten(name)} to begin at byte ${end} of the tensors`, `${offset}: ${how}`);
    }
    end = padded(end + bytes, alignment);
  }
}
