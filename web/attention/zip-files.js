import {Inflate, inflateSync} from 'fflate';
import {mostBytes} from './file-size.js';
import {SnapshotError} from './snapshot.js';

/**
 * A file in a zip archive, still packed.
 *
 * @typedef {object} ZipFile
 * @property {string} name
 * @property {number} bytes  its size, as the archive states
 * @property {(count: number) => Uint8Array} begin  unpacks its first bytes, as many as there are
 * @property {(out: Uint8Array) => void} unpack  unpacks it into `bytes` bytes
 */

const marks = {end: 0x06054b50, end64: 0x06064b50, place64: 0x07064b50, entry: 0x02014b50};
const longestComment = 2 ** 16;
/** The value of fields whose number needs 64 bits and stands elsewhere. */
const elsewhere = 2 ** 32 - 1;

/** The number of packed bytes that are unpacked at a time to see the first bytes of a file. */
const step = 2 ** 9;

/**
 * Lists the files of an archive. They are unpacked where they are needed, so that none is held twice.
 *
 * @param {Uint8Array} archive
 * @returns {ZipFile[]}
 */
export function zipFiles(archive) {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  let packed = 0;
  let unpacked = 0;
  try {
    return Array.from(entriesOf(view), ({name, method, place, size, bytes}) => {
      packed += size;
      unpacked += bytes;
      // Files that share their bytes would make any amount of data from a small archive.
      if (packed > archive.length) {
        throw new SnapshotError('The files of an .npz should not overlap.');
      }
      if (unpacked > mostBytes) {
        throw new SnapshotError(`At most ${mostBytes} bytes can be unpacked, found more.`);
      }
      const start =
        place + 30 + view.getUint16(place + 26, true) + view.getUint16(place + 28, true);
      const data = archive.subarray(start, start + size);
      return {name, bytes, ...(method === 0 ? stored(data) : deflated(data))};
    });
  } catch (error) {
    if (error instanceof RangeError) throw broken(error);
    throw error;
  }
}

/** @param {unknown} error */
const broken = (error) =>
  new SnapshotError(`An .npz file should be a zip archive: ${String(error)}`);

/**
 * Reads the directory at the end of an archive.
 * The format: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 *
 * @param {DataView} view
 */
function* entriesOf(view) {
  const number64 = (/** @type {number} */ at) => Number(view.getBigUint64(at, true));
  let {count, at} = directoryOf(view, number64);
  for (; count > 0; count--) {
    if (view.getUint32(at, true) !== marks.entry) throw new RangeError('its directory is damaged');
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((by) =>
      view.getUint16(at + by, true),
    );
    const name = new TextDecoder().decode(
      new Uint8Array(view.buffer, view.byteOffset + at + 46, nameBytes),
    );
    const extra = at + 46 + nameBytes;
    // Numbers of 64 bits follow one another in a field of their own, in this order.
    let wide = extra;
    while (wide < extra + extraBytes && view.getUint16(wide, true) !== 1) {
      wide += 4 + view.getUint16(wide + 2, true);
    }
    wide += 4;
    const [bytes, size, place] = [24, 20, 42].map((by) => {
      const value = view.getUint32(at + by, true);
      if (value !== elsewhere) return value;
      wide += 8;
      return number64(wide - 8);
    });
    yield {name, method: view.getUint16(at + 10, true), place, size, bytes};
    at = extra + extraBytes + commentBytes;
  }
}

/**
 * @param {DataView} view
 * @param {(at: number) => number} number64
 */
function directoryOf(view, number64) {
  const first = Math.max(0, view.byteLength - 22 - longestComment);
  let end = view.byteLength - 22;
  while (end >= first && view.getUint32(end, true) !== marks.end) end--;
  if (end < first) throw new RangeError('it has no end');
  const [count, at] = [view.getUint16(end + 10, true), view.getUint32(end + 16, true)];
  if (end < 20 || view.getUint32(end - 20, true) !== marks.place64) return {count, at};
  const end64 = number64(end - 12);
  if (view.getUint32(end64, true) !== marks.end64) return {count, at};
  return {count: number64(end64 + 32), at: number64(end64 + 48)};
}

/** @param {Uint8Array} data @returns {Pick<ZipFile, 'begin' | 'unpack'>} */
const stored = (data) => ({
  begin: (count) => data.subarray(0, count),
  unpack: (out) => out.set(data.subarray(0, out.length)),
});

/** @param {Uint8Array} data @returns {Pick<ZipFile, 'begin' | 'unpack'>} */
const deflated = (data) => ({
  begin(count) {
    const first = new Uint8Array(count);
    let filled = 0;
    const inflate = new Inflate((chunk) => {
      const part = chunk.subarray(0, count - filled);
      first.set(part, filled);
      filled += part.length;
    });
    try {
      for (let at = 0; at < data.length && filled < count; at += step) {
        inflate.push(data.subarray(at, at + step), at + step >= data.length);
      }
    } catch (error) {
      throw broken(error);
    }
    return first.subarray(0, filled);
  },
  unpack(out) {
    try {
      inflateSync(data, {out});
    } catch (error) {
      throw broken(error);
    }
  },
});
