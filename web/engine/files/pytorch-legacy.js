/**
 * Reads what `torch.save` wrote before PyTorch 1.6, as most checkpoints of 2018 to 2020 are: five
 * pickles (a magic number, a version, facts on the machine, the dictionary of tensors, the order of
 * their storages), then the storages, each after its size.
 * Source: `_legacy_save` and `_legacy_load` of `torch/serialization.py`.
 */

import {BertscopeError} from '../errors.js';
import {quote} from '../json.js';
import {readBytes} from './byte-file.js';
import {readPickles} from './pickle.js';

/** @import {ByteFile} from './byte-file.js' */

/** The first bytes: a pickle of the magic number. */
export const MAGIC = Uint8Array.of(0x80, 0x02, 0x8a, 0x0a, 0x6c, 0xfc, 0x9c, 0x46);
const VERSION = 1001;
const PICKLES = 5;
/** The number of bytes in which the file states, before each storage, how many elements it has. */
const SIZE_BYTES = 8;
/** The pickles of most models are shorter than this. */
const USUAL_PICKLE_BYTES = 1 << 20;
const MAX_PICKLE_BYTES = 1 << 24;

/**
 * @param {ByteFile} file
 * @param {number} fileBytes
 * @param {(root: unknown) => Map<unknown, number>} sizesOf The bytes of each storage of a dictionary
 *   of tensors.
 * @returns {Promise<{root: unknown, storages: Map<string, ByteFile>}>} The storages by their keys, in
 *   the order of the file.
 */
export async function readLegacy(file, fileBytes, sizesOf) {
  const {values, end} = await readStart(file, fileBytes);
  const [, version, machine, root, keys] = values;
  if (version !== VERSION) throw refuse(file, `version ${VERSION} of the format`, quote(version));
  if (machine instanceof Map && machine.get('little_endian') === false) {
    throw refuse(file, 'numbers in little-endian order', 'the other order');
  }
  if (!Array.isArray(keys)) throw refuse(file, 'a list of storages', quote(keys));
  const sizes = sizesOf(root);
  /** @type {Map<string, ByteFile>} */
  const storages = new Map();
  let at = end;
  for (const key of keys) {
    const bytes = sizes.get(key);
    if (bytes === undefined)
      throw refuse(file, 'tensors of every storage', `none of ${quote(key)}`);
    storages.set(key, partOf(file, at + SIZE_BYTES, bytes));
    at += SIZE_BYTES + bytes;
  }
  if (at !== fileBytes) {
    const how = at > fileBytes ? 'the file is cut off' : 'more than its storages';
    throw refuse(file, `${at} bytes`, `${fileBytes} (${how})`);
  }
  return {root, storages};
}

/**
 * @param {ByteFile} file
 * @param {number} fileBytes
 * @param {number} [bytes] How many are read.
 * @returns {Promise<{values: unknown[], end: number}>}
 */
async function readStart(file, fileBytes, bytes = USUAL_PICKLE_BYTES) {
  const start = await readBytes(file, 0, Math.min(bytes, fileBytes));
  try {
    return readPickles(start, file.path, PICKLES);
  } catch (error) {
    if (start.length === fileBytes || bytes === MAX_PICKLE_BYTES) throw error;
    // The pickles may be longer than what was read of them.
    return readStart(file, fileBytes, MAX_PICKLE_BYTES);
  }
}

/**
 * @param {ByteFile} file
 * @param {number} offset
 * @param {number} bytes
 * @returns {ByteFile}
 */
function partOf(file, offset, bytes) {
  return {
    path: file.path,
    bytes,
    read: (begin = 0, end = bytes) => file.read(offset + begin, offset + end),
  };
}

/** @param {ByteFile} file @param {string} expected @param {string} found */
const refuse = ({path}, expected, found) =>
  new BertscopeError('bad-checkpoint', `${path}: expected ${expected}, found ${found}`);
