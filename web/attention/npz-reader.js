import {unzipSync} from 'fflate';
import {mostBytes} from './file-size.js';
import {SnapshotError} from './snapshot.js';

/** @import {NumberArray} from './numbers-of-lists.js' */

/** Each of NumPy's types by name: the bytes of a value, and the function that reads a value at an offset. */
const numbers = /** @type {Record<string, [number, (view: DataView, at: number) => number]>} */ ({
  f2: [2, (view, at) => half(view.getUint16(at, true))],
  f4: [4, (view, at) => view.getFloat32(at, true)],
  f8: [8, (view, at) => view.getFloat64(at, true)],
  i1: [1, (view, at) => view.getInt8(at)],
  u1: [1, (view, at) => view.getUint8(at)],
  i4: [4, (view, at) => view.getInt32(at, true)],
  i8: [8, (view, at) => Number(view.getBigInt64(at, true))],
});

/** The characters of one array of strings. A picture has at most 1024 tokens, and a text may be long. */
const mostCharacters = 2 ** 22;

/** The numbers of an array about tokens or heads, or of one dimension of attention. */
const mostInList = 2 ** 15;

/** Whether this machine stores numbers as the files do, so that they need not be copied. */
const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/**
 * Reads the arrays of a `.npz` file by name. Numbers become tensors, strings become lists.
 *
 * @param {Uint8Array} bytes
 * @returns {Record<string, NumberArray | string[]>}
 */
export function readNpz(bytes) {
  let count = 0;
  const arrays = Object.entries(unzip(bytes)).flatMap(([name, file]) => {
    const array = readNpy(file, name, mostBytes / 4 - count);
    if (!Array.isArray(array)) {
      const {shape, values} = array;
      // What tells of tokens and heads is short. A longer array is something else, and is not made into a list.
      const length = shape.length < 3 ? values.length : Math.max(...shape);
      if (length > mostInList) return [];
      count += values.length;
    }
    return [[name.slice(0, -4), array]];
  });
  return Object.fromEntries(arrays);
}

/** @param {Uint8Array} archive @returns {Record<string, Uint8Array>} the arrays by file name */
function unzip(archive) {
  let packed = 0;
  let unpacked = 0;
  /** @param {import('fflate').UnzipFileInfo} file */
  const filter = ({name, size, originalSize}) => {
    packed += size;
    unpacked += originalSize;
    // Files that share their bytes would make any amount of data from a small archive.
    if (packed > archive.length)
      throw new SnapshotError('The files of an .npz should not overlap.');
    if (unpacked > mostBytes) {
      throw new SnapshotError(`At most ${mostBytes} bytes can be unpacked, found more.`);
    }
    return name.endsWith('.npy');
  };
  try {
    return unzipSync(archive, {filter});
  } catch (error) {
    if (error instanceof SnapshotError) throw error;
    throw new SnapshotError(`An .npz file should be a zip archive: ${String(error)}`);
  }
}

/**
 * Reads one array. The format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 *
 * @param {Uint8Array} file
 * @param {string} name
 * @param {number} most  how many numbers there may be: as float32 they may need more bytes than the file has
 */
function readNpy(file, name, most) {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (file.length < 12 || file[0] !== 0x93) {
    throw new SnapshotError(`${name} should begin as NumPy's arrays do.`);
  }
  const [headerLength, start] =
    file[6] === 1 ? [view.getUint16(8, true), 10] : [view.getUint32(8, true), 12];
  if (start + headerLength > file.length) {
    throw new SnapshotError(
      `${name} should have a header of ${headerLength} bytes, found ${file.length - start}.`,
    );
  }
  const header = new TextDecoder('latin1').decode(file.subarray(start, start + headerLength));
  const type = /'descr':\s*'([^']+)'/.exec(header)?.[1] ?? '';
  const shape = (/'shape':\s*\(([^)]*)\)/.exec(header)?.[1].match(/\d+/g) ?? []).map(Number);
  if (/'fortran_order':\s*True/.test(header)) {
    throw new SnapshotError(
      `${name} should be row-major (numpy.ascontiguousarray), found columns.`,
    );
  }
  const size = shape.reduce((product, length) => product * length, 1);
  const [, kind, width] = /^[<|=](\w)(\d+)$/.exec(type) ?? [];
  const [bytes, read] = numbers[`${kind}${width}`] ?? [];
  const each = kind === 'U' ? Number(width) * 4 : bytes;
  if (!each) {
    throw new SnapshotError(
      `${name} should hold numbers or strings, found NumPy's type “${type}”${type.endsWith('O') ? ': np.array(tokens) makes strings of a list of them' : ''}.`,
    );
  }
  const data = start + headerLength;
  if (!(file.length >= data + size * each)) {
    throw new SnapshotError(
      `${name} should have ${size * each} bytes of data, found ${file.length - data}.`,
    );
  }
  if (!read) {
    if (size * each > 4 * mostCharacters) {
      throw new SnapshotError(
        `${name} should have at most ${mostCharacters} characters, found more.`,
      );
    }
    return Array.from({length: size}, (_, i) => text(view, data + i * each, each));
  }
  if (size > most) {
    throw new SnapshotError(`At most ${mostBytes / 4} numbers can be read, found more in ${name}.`);
  }
  const place = file.byteOffset + data;
  if (kind === 'f' && width === '4' && place % 4 === 0 && isLittleEndian) {
    return {shape, values: new Float32Array(file.buffer, place, size)};
  }
  const values = new Float32Array(size);
  for (let i = 0; i < size; i++) values[i] = read(view, data + i * each);
  return {shape, values};
}

/** Reads a UTF-32 string that is padded with zeros. @param {DataView} view @param {number} at @param {number} bytes */
function text(view, at, bytes) {
  let string = '';
  for (let i = 0; i < bytes; i += 4) {
    const point = view.getUint32(at + i, true);
    if (point) string += point > 0x10ffff ? '\ufffd' : String.fromCodePoint(point);
  }
  return string;
}

/** @param {number} bits  the bits of a 16-bit float */
function half(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
