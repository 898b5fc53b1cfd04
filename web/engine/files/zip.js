/**
 * Reads zip archives by their directory: PyTorch's checkpoints, and archives of models.
 * Source: PKWARE's APPNOTE.TXT 6.3.10, sections 4.3 and 4.4.
 */

import {BertscopeError} from '../errors.js';
import {shorten} from '../json.js';
import {readBytes} from './byte-file.js';

/** @import {ByteFile} from './byte-file.js' */

const END = {signature: 0x06054b50, bytes: 22};
const END_64 = {signature: 0x06064b50, bytes: 56};
const LOCATOR_64 = {signature: 0x07064b50, bytes: 20};
const ENTRY = {signature: 0x02014b50, bytes: 46};
const LOCAL = {signature: 0x04034b50, bytes: 30};
const MAX_COMMENT = 0xffff;
const MAX_DIRECTORY = 1 << 24;
const STORED = 0;
const DEFLATED = 8;
/** The number of deflated bytes that are read at once. Inflated, they are at most 1,032 times as many, 33 MB. */
const INFLATED_AT_ONCE = 1 << 15;

/**
 * @typedef {object} Entry
 * @property {string} name
 * @property {number} method
 * @property {number} flags
 * @property {number} packed The number of bytes in the archive.
 * @property {number} bytes
 * @property {number} offset The offset of its local header.
 */

/**
 * @param {ByteFile} archive Its size must be known.
 * @returns {Promise<Map<string, ByteFile>>} The files by path, in the order of the directory.
 */
export async function readZip(archive) {
  const {directory, count, offset} = await readDirectory(archive);
  /** @type {Map<string, ByteFile>} */
  const files = new Map();
  /** @type {Entry[]} */
  const entries = [];
  let at = 0;
  for (let index = 0; index < count; index++) {
    const {entry, next} = parseEntry(archive, directory, at);
    at = next;
    entries.push(entry);
    if (entry.name.endsWith('/')) continue;
    if (files.has(entry.name)) throw refuse(archive, `${shorten(entry.name)} once`, 'it again');
    if (entry.offset + LOCAL.bytes + entry.packed > offset) {
      const place = `${entry.packed} bytes at ${entry.offset}`;
      throw refuse(archive, `${shorten(entry.name)} to be before the directory`, place);
    }
    files.set(entry.name, entryFile(archive, entry));
  }
  refuseOverlaps(archive, entries);
  return files;
}

/**
 * A small archive whose files all share the same bytes could state any amount of data.
 * @param {ByteFile} archive
 * @param {Entry[]} entries
 */
function refuseOverlaps(archive, entries) {
  const ordered = entries.toSorted((a, b) => a.offset - b.offset);
  for (const [index, {name, offset, packed}] of ordered.entries()) {
    const next = ordered[index + 1];
    if (!next || offset + LOCAL.bytes + packed <= next.offset) continue;
    throw refuse(archive, `${shorten(name)} to end before ${shorten(next.name)}`, 'an overlap');
  }
}

/** @param {ByteFile} archive */
async function readDirectory(archive) {
  const size = sizeOf(archive);
  const tailBegin = Math.max(0, size - END.bytes - MAX_COMMENT);
  const tail = view(await readBytes(archive, tailBegin, size));
  let end = tail.byteLength - END.bytes;
  while (end >= 0 && tail.getUint32(end, true) !== END.signature) end -= 1;
  if (end < 0) throw refuse(archive, 'a zip archive', 'no directory at its end');
  let count = tail.getUint16(end + 10, true);
  let bytes = tail.getUint32(end + 12, true);
  let offset = tail.getUint32(end + 16, true);
  const locator = end - LOCATOR_64.bytes;
  if (locator >= 0 && tail.getUint32(locator, true) === LOCATOR_64.signature) {
    const at = Number(tail.getBigUint64(locator + 8, true));
    if (at + END_64.bytes > size)
      throw refuse(archive, 'a directory within the file', `one at ${at}`);
    const record = view(await readBytes(archive, at, at + END_64.bytes));
    if (record.getUint32(0, true) !== END_64.signature) {
      throw refuse(archive, `the directory's record at ${at}`, 'something else');
    }
    count = Number(record.getBigUint64(32, true));
    bytes = Number(record.getBigUint64(40, true));
    offset = Number(record.getBigUint64(48, true));
  }
  if (bytes > MAX_DIRECTORY || offset + bytes > size || count * ENTRY.bytes > bytes) {
    const stated = `${count} entries in ${bytes} bytes at ${offset}`;
    throw refuse(archive, `a directory within its ${size} bytes`, stated);
  }
  return {directory: view(await readBytes(archive, offset, offset + bytes)), count, offset};
}

/**
 * @param {ByteFile} archive
 * @param {DataView} directory
 * @param {number} at
 */
function parseEntry(archive, directory, at) {
  const fits = at + ENTRY.bytes <= directory.byteLength;
  if (!fits || directory.getUint32(at, true) !== ENTRY.signature) {
    throw refuse(archive, `an entry of the directory at ${at}`, 'something else');
  }
  const nameBytes = directory.getUint16(at + 28, true);
  const extraBytes = directory.getUint16(at + 30, true);
  const extra = at + ENTRY.bytes + nameBytes;
  const next = extra + extraBytes + directory.getUint16(at + 32, true);
  if (next > directory.byteLength) {
    throw refuse(archive, `an entry of the directory at ${at}`, 'one that goes beyond it');
  }
  const bytes = new Uint8Array(
    directory.buffer,
    directory.byteOffset + at + ENTRY.bytes,
    nameBytes,
  );
  /** @type {Entry} */
  const entry = {
    name: new TextDecoder().decode(bytes),
    flags: directory.getUint16(at + 8, true),
    method: directory.getUint16(at + 10, true),
    packed: directory.getUint32(at + 20, true),
    bytes: directory.getUint32(at + 24, true),
    offset: directory.getUint32(at + 42, true),
  };
  applyZip64(entry, directory, extra, extra + extraBytes);
  if (entry.flags & 1)
    throw refuse(archive, `${shorten(entry.name)} to be readable`, 'it encrypted');
  if (entry.method !== STORED && entry.method !== DEFLATED) {
    const expected = `${shorten(entry.name)} to be stored or deflated`;
    throw refuse(archive, expected, `method ${entry.method}`);
  }
  if (entry.method === STORED && entry.packed !== entry.bytes) {
    const expected = `the ${entry.packed} bytes of ${shorten(entry.name)}, which is stored`;
    throw refuse(archive, expected, `${entry.bytes} stated`);
  }
  return {entry, next};
}

/**
 * Sizes that do not fit into 32 bits are in an extra field, in this order.
 * @param {Entry} entry
 * @param {DataView} directory
 * @param {number} begin
 * @param {number} end
 */
function applyZip64(entry, directory, begin, end) {
  for (let at = begin; at + 4 <= end; at += 4 + directory.getUint16(at + 2, true)) {
    if (directory.getUint16(at, true) !== 1) continue;
    let value = at + 4;
    for (const key of /** @type {const} */ (['bytes', 'packed', 'offset'])) {
      if (entry[key] !== 0xffffffff || value + 8 > end) continue;
      entry[key] = Number(directory.getBigUint64(value, true));
      value += 8;
    }
  }
}

/**
 * @param {ByteFile} archive
 * @param {Entry} entry
 * @returns {ByteFile}
 */
function entryFile(archive, entry) {
  const path = `${archive.path}: ${entry.name}`;
  const dataBegin = async () => {
    const local = view(await readBytes(archive, entry.offset, entry.offset + LOCAL.bytes));
    if (local.getUint32(0, true) !== LOCAL.signature) {
      throw refuse(archive, `${shorten(entry.name)} at ${entry.offset}`, 'something else');
    }
    return entry.offset + LOCAL.bytes + local.getUint16(26, true) + local.getUint16(28, true);
  };
  return {
    path,
    bytes: entry.bytes,
    async *read(begin = 0, end = entry.bytes) {
      const data = await dataBegin();
      if (entry.method === STORED) yield* archive.read(data + begin, data + end);
      else
        yield* slice(
          inflate(archive.read(data, data + entry.packed), entry.bytes, path),
          begin,
          end,
        );
    },
  };
}

/**
 * @param {AsyncIterable<Uint8Array>} chunks
 * @param {number} bytes The stated number of bytes. More are refused before they take memory.
 * @param {string} path
 */
async function* inflate(chunks, bytes, path) {
  const refuse = (/** @type {string} */ found) =>
    new BertscopeError('bad-zip', `${path}: expected ${bytes} bytes, deflated, found ${found}`);
  const packed = inPieces(chunks, INFLATED_AT_ONCE);
  /** The input's own error; anything else that the stream throws is of the data. @type {unknown} */
  let inputError;
  const source = new ReadableStream(
    {
      async pull(controller) {
        const next = await packed.next().catch((error) => {
          inputError = error;
          throw error;
        });
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: () => void packed.return().catch(() => {}),
    },
    {highWaterMark: 0},
  );
  const reader = source.pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  let count = 0;
  try {
    for (;;) {
      const {done, value} = await reader.read();
      if (done) break;
      count += value.length;
      if (count > bytes) throw refuse('more');
      yield value;
    }
    if (count < bytes) throw refuse(String(count));
  } catch (error) {
    if (inputError) throw inputError;
    // Browsers and Node throw different errors for damaged data.
    throw error instanceof BertscopeError ? error : refuse('damaged data');
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** @param {AsyncIterable<Uint8Array>} chunks @param {number} most The largest number of bytes of a piece. */
async function* inPieces(chunks, most) {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += most) yield chunk.subarray(at, at + most);
  }
}

/**
 * @param {AsyncIterable<Uint8Array>} chunks
 * @param {number} begin
 * @param {number} end
 */
async function* slice(chunks, begin, end) {
  let at = 0;
  for await (const chunk of chunks) {
    const part = chunk.subarray(Math.max(0, begin - at), Math.max(0, end - at));
    at += chunk.length;
    if (part.length > 0) yield part;
    if (at >= end) return;
  }
}

/** @param {ByteFile} file */
export const sizeOf = ({bytes, statedBytes}) => bytes ?? statedBytes ?? 0;

/** @param {Uint8Array} bytes */
const view = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/**
 * @param {ByteFile} archive
 * @param {string} expected
 * @param {string} found
 */
const refuse = ({path}, expected, found) =>
  new BertscopeError('bad-zip', `${path}: expected ${expected}, found ${found}`);
