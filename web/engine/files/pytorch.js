/**
 * Reads PyTorch's checkpoints (`pytorch_model.bin`): a zip archive of storages, and a pickle that
 * says which tensors are in them. Source: `torch/serialization.py` (`_save`, since PyTorch 1.6;
 * `pytorch-legacy.js` reads older ones).
 */

import {BertscopeError} from '../errors.js';
import {quote, shorten} from '../json.js';
import {readBytes} from './byte-file.js';
import {refusePointer} from './git-lfs.js';
import {PickledTensor, readPickle} from './pickle.js';
import {MAGIC, readLegacy} from './pytorch-legacy.js';
import {checkTensorNames, ITEM_BYTES} from './safetensors-header.js';
import {readZip, sizeOf} from './zip.js';

/** @import {ByteFile} from './byte-file.js' */
/** @import {Dtype, TensorEntry} from './safetensors-header.js' */
/** @import {Piece, Reader} from './safetensors.js' */

/** @type {Readonly<Record<string, Dtype>>} */
const DTYPES = Object.freeze({
  FloatStorage: 'F32',
  HalfStorage: 'F16',
  BFloat16Storage: 'BF16',
  DoubleStorage: 'F64',
  LongStorage: 'I64',
  IntStorage: 'I32',
  ShortStorage: 'I16',
  CharStorage: 'I8',
  ByteStorage: 'U8',
  BoolStorage: 'BOOL',
});

const MAX_PICKLE_BYTES = 1 << 24;
const MAX_SHARING = 8;

/** The number of bytes that are read to see which kind of file it is. */
const START_BYTES = 32;

/** @typedef {TensorEntry & {file: ByteFile, fileBegin: number}} StoredTensor */

/**
 * @param {ByteFile} file Its size must be known.
 * @returns {Promise<Reader>} Has the header of a safetensors file with the same tensors.
 */
export async function readPyTorch(file) {
  const start = await readBytes(file, 0, Math.min(START_BYTES, sizeOf(file)));
  refusePointer(start, file.path);
  const isLegacy = MAGIC.every((byte, index) => byte === start[index]);
  const {root, storages} = isLegacy
    ? await readLegacy(file, sizeOf(file), (root) => storageBytes(root, file))
    : await readArchive(file);
  const stored = [...storages.values()].reduce((sum, entry) => sum + (entry.bytes ?? 0), 0);
  const places = stateOf(root, file).map(([key, tensor]) =>
    storedTensorOf(key, tensor, storages, file),
  );
  // The tensors are sorted by their place in the file, so that it is read once, from front to back.
  const ranks = new Map([...storages.values()].map((entry, index) => [entry, index]));
  const rankOf = (/** @type {StoredTensor} */ place) => ranks.get(place.file) ?? 0;
  places.sort((a, b) => rankOf(a) - rankOf(b) || a.fileBegin - b.fileBegin);
  let at = 0;
  for (const place of places) {
    const length = place.end - place.begin;
    place.begin = at;
    at = place.end = at + length;
  }
  // Tensors may share a storage, such as tied weights. Each is read on its own.
  if (at > MAX_SHARING * stored) {
    const expected = `tensors of at most ${MAX_SHARING * stored} bytes, ${MAX_SHARING} times what is stored`;
    throw refuse(file, expected, String(at));
  }
  return {
    header: {tensors: places, metadata: {}, fileBytes: at},
    dataBytes: at,
    pieces: readPlaces(places),
    close: async () => {},
  };
}

/**
 * @param {ByteFile} file
 * @returns {Promise<{root: unknown, storages: Map<string, ByteFile>}>} The storages by their keys, in
 *   the order of the archive.
 */
async function readArchive(file) {
  const entries = await readZip(file);
  const name = [...entries.keys()].find((path) => /(^|\/)data\.pkl$/.test(path));
  const pickle = name === undefined ? undefined : entries.get(name);
  if (!pickle || name === undefined) throw refuse(file, 'a data.pkl in it', 'none');
  const folder = name.slice(0, -'data.pkl'.length);
  if (entries.has(`${folder}constants.pkl`)) {
    const program = 'a program of TorchScript; save the state_dict() of the encoder in it instead';
    throw refuse(file, 'a dictionary of tensors', program);
  }
  const bytes = pickle.bytes ?? 0;
  if (bytes > MAX_PICKLE_BYTES) {
    throw refuse(file, `a pickle of at most ${MAX_PICKLE_BYTES} bytes`, String(bytes));
  }
  const root = readPickle(await readBytes(pickle, 0, bytes), file.path);
  await refuseBigEndian(file, entries.get(`${folder}byteorder`));
  const data = `${folder}data/`;
  const stored = [...entries].filter(([path]) => path.startsWith(data));
  return {root, storages: new Map(stored.map(([path, entry]) => [path.slice(data.length), entry]))};
}

/**
 * @param {unknown} root
 * @param {ByteFile} file
 * @returns {[string, PickledTensor][]}
 */
function stateOf(root, file) {
  const state =
    root instanceof Map && root.get('state_dict') instanceof Map ? root.get('state_dict') : root;
  if (!(state instanceof Map)) throw refuse(file, 'a dictionary of tensors', quote(root));
  const names = [...state.keys()].filter((key) => typeof key === 'string');
  checkTensorNames(names, (expected, found) => refuse(file, expected, found));
  return [...state].map(([key, value]) => {
    if (typeof key === 'string' && value instanceof PickledTensor) return [key, value];
    throw refuse(file, `a tensor under ${quote(key)}`, quote(value));
  });
}

/**
 * @param {string} name
 * @param {PickledTensor} tensor
 * @param {Map<string, ByteFile>} storages
 * @param {ByteFile} file
 * @returns {StoredTensor}
 */
function storedTensorOf(name, {stored}, storages, file) {
  const {storage, kind, elements, offset, shape, stride} = stored;
  const what = shorten(name);
  const dtype = dtypeOf(what, kind, file);
  const itemBytes = ITEM_BYTES[dtype];
  const data = storages.get(storage);
  if (!data) throw refuse(file, `storage ${storage} of ${what}`, 'none');
  if (data.bytes !== elements * itemBytes) {
    const expected = `storage ${storage} of ${what} to have ${elements * itemBytes} bytes`;
    throw refuse(file, expected, String(data.bytes));
  }
  let count = 1;
  for (let i = shape.length - 1; i >= 0; i--) {
    if (shape[i] !== 1 && stride[i] !== count) {
      throw refuse(file, `${what} to lie row by row`, `strides [${stride}] for shape [${shape}]`);
    }
    count *= shape[i];
  }
  if (offset + count > elements) {
    const extent = `shape [${shape}] from element ${offset} on`;
    throw refuse(file, `${what} within the ${elements} elements of its storage`, extent);
  }
  const bytes = count * itemBytes;
  return {name, dtype, shape, begin: 0, end: bytes, file: data, fileBegin: offset * itemBytes};
}

/**
 * @param {string} what The tensor.
 * @param {string} kind The class of its storage.
 * @param {ByteFile} file
 */
function dtypeOf(what, kind, file) {
  if (Object.hasOwn(DTYPES, kind)) return DTYPES[kind];
  throw refuse(file, `${what} to be of ${Object.keys(DTYPES).join(', ')}`, kind);
}

/**
 * @param {unknown} root
 * @param {ByteFile} file
 * @returns {Map<unknown, number>}
 */
function storageBytes(root, file) {
  const stored = stateOf(root, file).map(([name, tensor]) => ({name, ...tensor.stored}));
  return new Map(
    stored.map(({name, storage, kind, elements}) => {
      return [storage, elements * ITEM_BYTES[dtypeOf(shorten(name), kind, file)]];
    }),
  );
}

/**
 * @param {StoredTensor[]} places
 * @returns {AsyncGenerator<Piece, void>}
 */
async function* readPlaces(places) {
  for (const tensor of places) {
    const bytes = tensor.end - tensor.begin;
    let at = 0;
    let isWanted = true;
    const skip = () => (isWanted = false);
    yield {tensor, bytes: new Uint8Array(0), first: true, last: bytes === 0, skip};
    if (bytes === 0 || !isWanted) continue;
    for await (const chunk of tensor.file.read(tensor.fileBegin, tensor.fileBegin + bytes)) {
      at += chunk.length;
      yield {tensor, bytes: chunk, first: false, last: at === bytes};
    }
    if (at === bytes) continue;
    throw refuse(tensor.file, `${bytes} bytes of ${shorten(tensor.name)}`, String(at));
  }
}

/**
 * @param {ByteFile} file
 * @param {ByteFile} [order]
 */
async function refuseBigEndian(file, order) {
  if (!order) return;
  const text = new TextDecoder().decode(await readBytes(order, 0, Math.min(16, order.bytes ?? 0)));
  if (text.trim() !== 'little') throw refuse(file, 'numbers in little-endian order', quote(text));
}

/**
 * @param {ByteFile} file
 * @param {string} expected
 * @param {string} found
 */
function refuse({path}, expected, found) {
  return new BertscopeError('bad-checkpoint', `${path}: expected ${expected}, found ${found}`);
}
