import {mostBytes} from './file-size.js';
import {SnapshotError} from './snapshot.js';
import {zipFiles} from './zip-files.js';

/** @import {NumberArray} from './numbers-of-lists.js' */
/** @import {ZipFile} from './zip-files.js' */

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

/** Attention in integers of one byte is of small models: as float32 it has four times its bytes. */
const mostSmall = 2 ** 24;

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
  const files = zipFiles(bytes).filter(({name}) => name.endsWith('.npy'));
  const arrays = files.flatMap((file) => {
    const array = readNpy(file, mostBytes / 4 - count);
    if (!array) return [];
    if (!Array.isArray(array)) count += array.values.length;
    return [[file.name.slice(0, -4), array]];
  });
  return Object.fromEntries(arrays);
}

/**
 * Reads one array. The format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 *
 * @param {ZipFile} file
 * @param {number} most  how many numbers there may be: as float32 they may need more bytes than the file has
 * @returns {NumberArray | string[] | null}  null if it cannot be about tokens, heads or attention
 */
function readNpy(file, most) {
  const {name} = file;
  const {type, shape, start} = readHeader(file);
  const left = file.bytes - start;
  const size = shape.reduce((product, length) => product * length, 1);
  const [, kind, width] = /^[<|=](\w)(\d+)$/.exec(type) ?? [];
  const [bytes, read] = numbers[`${kind}${width}`] ?? [];
  const each = kind === 'U' ? Number(width) * 4 : bytes;
  if (!each) {
    throw new SnapshotError(
      `${name} should hold numbers or strings, found NumPy's type “${type}”${type.endsWith('O') ? ': np.array(tokens) makes strings of a list of them' : ''}.`,
    );
  }
  if (!(left >= size * each)) {
    throw new SnapshotError(`${name} should have ${size * each} bytes of data, found ${left}.`);
  }
  if (!read) {
    if (size * each > 4 * mostCharacters) {
      throw new SnapshotError(
        `${name} should have at most ${mostCharacters} characters, found more.`,
      );
    }
    const view = unpacked(file, 0);
    return Array.from({length: size}, (_, i) => text(view, start + i * each, each));
  }
  // What tells of tokens and heads is short. A longer array is something else, and is not made into a list.
  if ((shape.length < 3 ? size : Math.max(...shape)) > mostInList) return null;
  if (size > (each === 1 ? Math.min(most, mostSmall) : most)) {
    throw new SnapshotError(`At most ${mostBytes / 4} numbers can be read, found more in ${name}.`);
  }
  // The file is unpacked to the end of the memory that its numbers take as float32. So each is read before another is
  // written in its place, and no second copy is needed.
  const before = Math.max(0, (4 - each) * size - start);
  const view = unpacked(file, before);
  const values = new Float32Array(view.buffer, 0, size);
  const first = before + start;
  if (kind === 'f' && width === '4' && isLittleEndian) {
    new Uint8Array(view.buffer).copyWithin(0, first, first + 4 * size);
  } else {
    for (let i = 0; i < size; i++) values[i] = read(view, first + i * each);
  }
  return {shape, values};
}

/** @param {ZipFile} file @param {number} before  how much room to leave before it */
function unpacked({bytes, unpack}, before) {
  const all = new Uint8Array(before + bytes);
  unpack(all.subarray(before));
  return viewOf(all);
}

/** @param {ZipFile} file @returns {{type: string, shape: number[], start: number}}  `start`: where its data begins */
function readHeader({name, bytes, begin}) {
  const first = begin(12);
  if (first.length < 12 || first[0] !== 0x93) {
    throw new SnapshotError(`${name} should begin as NumPy's arrays do.`);
  }
  const [length, from] =
    first[6] === 1
      ? [viewOf(first).getUint16(8, true), 10]
      : [viewOf(first).getUint32(8, true), 12];
  const start = from + length;
  const whole = start > Math.min(bytes, mostCharacters) ? first : begin(start);
  if (whole.length < start) {
    throw new SnapshotError(
      `${name} should have a header of ${length} bytes, found ${bytes - from}.`,
    );
  }
  const header = new TextDecoder('latin1').decode(whole.subarray(from));
  if (/'fortran_order':\s*True/.test(header)) {
    throw new SnapshotError(
      `${name} should be row-major (numpy.ascontiguousarray), found columns.`,
    );
  }
  const type = /'descr':\s*'([^']+)'/.exec(header)?.[1] ?? '';
  const shape = (/'shape':\s*\(([^)]*)\)/.exec(header)?.[1].match(/\d+/g) ?? []).map(Number);
  return {type, shape, start};
}

/** @param {Uint8Array} bytes */
const viewOf = ({buffer, byteOffset, byteLength}) => new DataView(buffer, byteOffset, byteLength);

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
