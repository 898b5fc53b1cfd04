import {importAttention} from './import-attention.js';
import {readNpz} from './npz-reader.js';
import {SnapshotError} from './snapshot.js';

/** @import {Hints, PlainParts} from './import-attention.js' */

/** A string cannot be longer than this in every browser. */
const mostJsonBytes = 2 ** 29 - 25;

/**
 * @param {Uint8Array} bytes  the content of a JSON or NPZ file
 * @param {Hints} [hints]
 * @returns {PlainParts}
 */
export function importFile(bytes, hints) {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  if (isZip) return importAttention(readNpz(bytes), hints);
  if (bytes[0] === 0x93) {
    throw new SnapshotError(
      'Expected a JSON or NPZ file, found one NumPy array (.npy). Save it with its tokens: numpy.savez(path, attention=…, tokens=…).',
    );
  }
  if (bytes.length > mostJsonBytes) {
    throw new SnapshotError(
      `A JSON file should have at most ${mostJsonBytes} bytes, found ${bytes.length}. NPZ files may be larger.`,
    );
  }
  const text = new TextDecoder().decode(bytes);
  if (!/^\s*[[{]/.test(text)) {
    throw new SnapshotError(
      'Expected a JSON or NPZ file, found neither an object nor a list in it.',
    );
  }
  let json;
  try {
    json = JSON.parse(text);
  } catch (error) {
    const {message} = /** @type {Error} */ (error);
    throw new SnapshotError(
      /\bNaN\b/.test(text)
        ? 'Weights should be numbers; this file holds NaN.'
        : `Expected a JSON or NPZ file. This is no zip archive, and as JSON: ${message}`,
    );
  }
  return importAttention(json, hints);
}
