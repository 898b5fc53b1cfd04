/** Checks and writes the header of a safetensors file, which is JSON. */

import {BertscopeError} from '../errors.js';
import {isRecord, MAX_DRAWN, parseJsonObject, quote, shorten} from '../json.js';

/** Bytes per element. */
export const ITEM_BYTES = Object.freeze({
  BOOL: 1,
  U8: 1,
  I8: 1,
  F8_E5M2: 1,
  F8_E4M3: 1,
  I16: 2,
  U16: 2,
  F16: 2,
  BF16: 2,
  I32: 4,
  U32: 4,
  F32: 4,
  I64: 8,
  U64: 8,
  F64: 8,
});

/** The reference implementation refuses longer headers, so no real file has one. */
export const MAX_HEADER_BYTES = 100_000_000;

/** The largest models of the families that run have some thousand tensors. */
const MAX_TENSORS = 2 ** 14;

/** No weight has more dimensions, so the size of a tensor is a product of few numbers. */
const MAX_DIMENSIONS = 8;

const [QUOTE, BACKSLASH, COLON] = new TextEncoder().encode('"\\:');

/** @typedef {keyof typeof ITEM_BYTES} Dtype */

/**
 * @typedef {object} TensorEntry
 * @property {string} name
 * @property {Dtype} dtype
 * @property {number[]} shape
 * @property {number} begin In bytes from the end of the header.
 * @property {number} end
 * @property {string} [storedAs] The type that the file has, where that is none of these.
 */

/**
 * @typedef {object} Header
 * @property {TensorEntry[]} tensors In file order.
 * @property {Record<string, string>} metadata
 * @property {number} fileBytes The size of the whole file.
 */

/**
 * @param {Uint8Array} bytes The header without its length.
 * @param {string} name The name of the file, for messages.
 * @returns {Header}
 */
export function parseHeader(bytes, name) {
  let text;
  try {
    text = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes);
  } catch {
    throw refuse(name, 'a header in UTF-8', 'bytes that are not');
  }
  const json = parseJsonObject(text, `${name}: header`, 'bad-safetensors');

  const {__metadata__: metadata = {}, ...entries} = json;
  if (!isRecord(metadata) || !Object.values(metadata).every((value) => typeof value === 'string')) {
    throw refuse(name, '__metadata__ to map strings to strings', quote(metadata));
  }
  checkTensorNames(Object.keys(entries), (expected, found) => refuse(name, expected, found));
  const tensors = Object.entries(entries).map(([key, entry]) => parseTensor(key, entry, name));
  refuseRepeatedKeys(bytes, [json, metadata, ...Object.values(entries)], name);
  tensors.sort((a, b) => a.begin - b.begin || a.end - b.end);
  let end = 0;
  for (const tensor of tensors) {
    if (tensor.begin !== end) {
      const what = tensor.begin < end ? 'an overlap' : 'a hole';
      throw refuse(
        name,
        `${shorten(tensor.name)} to begin at byte ${end}`,
        `${tensor.begin}: ${what}`,
      );
    }
    end = tensor.end;
  }
  return {
    tensors,
    metadata: /** @type {Record<string, string>} */ (metadata),
    fileBytes: 8 + bytes.length + end,
  };
}

/**
 * @param {string[]} names
 * @param {(expected: string, found: string) => Error} error
 */
export function checkTensorNames(names, error) {
  if (names.length > MAX_TENSORS) {
    throw error(`at most ${MAX_TENSORS} tensors`, `${names.length}`);
  }
  const long = names.find((each) => each.length > MAX_DRAWN);
  if (long === undefined) return;
  throw error(
    `names of tensors of at most ${MAX_DRAWN} characters`,
    `${shorten(long)} of ${long.length}`,
  );
}

/**
 * Refuses keys that occur twice. The format forbids them, but `JSON.parse` silently keeps the last
 * one. Then there are fewer keys than colons outside of strings.
 * @param {Uint8Array} bytes Valid JSON.
 * @param {unknown[]} objects All objects in the JSON.
 * @param {string} name
 */
function refuseRepeatedKeys(bytes, objects, name) {
  let colons = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === QUOTE) inString = !inString;
    else if (bytes[at] === BACKSLASH) at += 1;
    else if (bytes[at] === COLON && !inString) colons += 1;
  }
  const keys = objects.flatMap((object) => Object.keys(Object(object))).length;
  if (keys !== colons) {
    throw refuse(name, 'every key of the header once', `${colons} keys with ${keys} names`);
  }
}

/**
 * @param {string} key
 * @param {unknown} entry
 * @param {string} name
 * @returns {TensorEntry}
 */
function parseTensor(key, entry, name) {
  const what = shorten(key);
  if (!isRecord(entry)) {
    throw refuse(name, `${what} to have dtype, shape and data_offsets`, quote(entry));
  }
  const {dtype, shape, data_offsets: offsets} = entry;
  if (typeof dtype !== 'string' || !Object.hasOwn(ITEM_BYTES, dtype)) {
    const known = Object.keys(ITEM_BYTES).join(', ');
    throw refuse(name, `${what} to have one of the dtypes ${known}`, quote(dtype));
  }
  if (!isSizes(shape) || shape.length > MAX_DIMENSIONS) {
    const expected = `${what} to have a shape of at most ${MAX_DIMENSIONS} non-negative integers`;
    throw refuse(name, expected, quote(shape));
  }
  if (!isSizes(offsets) || offsets.length !== 2 || offsets[0] > offsets[1]) {
    throw refuse(name, `${what} to have data_offsets [begin, end]`, quote(offsets));
  }
  if (Object.keys(entry).length !== 3) {
    throw refuse(
      name,
      `${what} to have dtype, shape and data_offsets alone`,
      `${Object.keys(entry).length} fields`,
    );
  }
  const [begin, end] = offsets;
  // BigInt, since a product of sizes may exceed 2^53 although each of them is a safe integer.
  const expected = shape.reduce(
    (product, size) => product * BigInt(size),
    BigInt(ITEM_BYTES[/** @type {Dtype} */ (dtype)]),
  );
  if (expected !== BigInt(end - begin)) {
    throw refuse(
      name,
      `${what} to have ${expected} bytes for ${dtype} [${shape}]`,
      `${end - begin} in data_offsets [${begin}, ${end}]`,
    );
  }
  return {name: key, dtype: /** @type {Dtype} */ (dtype), shape, begin, end};
}

/**
 * @param {{name: string, dtype: Dtype, shape: number[]}[]} tensors In file order.
 * @param {Record<string, string>} [metadata]
 * @returns {Uint8Array} The header, after its length.
 */
export function encodeHeader(tensors, metadata) {
  /** @type {[string, unknown][]} */
  const entries = metadata ? [['__metadata__', metadata]] : [];
  let begin = 0;
  for (const {name, dtype, shape} of tensors) {
    const end = begin + shape.reduce((product, size) => product * size, ITEM_BYTES[dtype]);
    entries.push([name, {dtype, shape, data_offsets: [begin, end]}]);
    begin = end;
  }
  const json = new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries)));
  // Spaces align the data for programs that map the file into memory.
  const length = Math.ceil(json.length / 8) * 8;
  const header = new Uint8Array(8 + length).fill(0x20);
  new DataView(header.buffer).setBigUint64(0, BigInt(length), true);
  header.set(json, 8);
  return header;
}

/**
 * @param {string} name The name of the file.
 * @param {string} expected
 * @param {string} found
 */
export function refuse(name, expected, found) {
  return new BertscopeError('bad-safetensors', `${name}: expected ${expected}, found ${found}`);
}

/** @param {unknown} value @returns {value is number[]} */
function isSizes(value) {
  return Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && size >= 0);
}
