/** Reads what `reference.py` has computed of a published model. */

import {open, readFile} from 'node:fs/promises';
import {join} from 'node:path';

/**
 * @typedef {object} Text
 * @property {'sentence' | 'odd' | 'pair' | 'long' | 'cut'} kind  `cut`: longer than the model takes
 * @property {string} text
 * @property {string} [pair]
 * @property {string[]} tokens
 * @property {number[]} ids
 * @property {number[]} token_type_ids
 *
 * @typedef {{text: string, other: string, cosine: number}} Pair  two sentences, and how similar their vectors are
 *
 * @typedef {object} Expected
 * @property {Text[]} texts
 * @property {Pair[]} pairs  none for models without sentence vectors
 * @property {(name: string) => Promise<Float32Array | undefined>} tensor  reads one of the tensors that `reference.py`
 *   describes; undefined if the model has none of this name
 * @property {() => Promise<void>} close
 */

/**
 * @param {string} folder
 * @returns {Promise<Expected>}
 */
export async function openExpected(folder) {
  const parsed = async (/** @type {string} */ name) =>
    JSON.parse(await readFile(join(folder, name), 'utf8'));
  const file = await open(join(folder, 'expected.safetensors'));
  const read = async (/** @type {number} */ position, /** @type {number} */ length) => {
    const {buffer} = await file.read(Buffer.alloc(length), 0, length, position);
    return buffer;
  };
  const headerBytes = Number((await read(0, 8)).readBigUInt64LE());
  const header = JSON.parse((await read(8, headerBytes)).toString());
  return {
    texts: await parsed('texts.json'),
    pairs: await parsed('pairs.json'),
    async tensor(name) {
      if (!header[name]) return undefined;
      const [begin, end] = header[name].data_offsets;
      const bytes = await read(8 + headerBytes + begin, end - begin);
      return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
    },
    close: () => file.close(),
  };
}
