/** How each kind of file of strangers is read. */

import {importFile} from '../../web/attention/file-formats.js';
import {SnapshotError} from '../../web/attention/snapshot.js';
import {BertscopeError} from '../../web/engine/errors.js';
import {blobFile} from '../../web/engine/files/byte-file.js';
import {readGguf} from '../../web/engine/files/gguf.js';
import {readPickle} from '../../web/engine/files/pickle.js';
import {readPyTorch} from '../../web/engine/files/pytorch.js';
import {readSafetensors} from '../../web/engine/files/safetensors.js';
import {readZip} from '../../web/engine/files/zip.js';
import {MAX_DRAWN} from '../../web/engine/json.js';
import {Tokenizer} from '../../web/engine/text/tokenizer.js';

/** The functions that read the files of each folder of the corpus. @satisfies {Record<string, (bytes: Uint8Array<ArrayBuffer>) => unknown>} */
export const readers = {
  pickle: (bytes) => readPickle(bytes, 'm.bin'),
  async checkpoint(bytes) {
    const {pieces} = await readPyTorch(blobFile(new Blob([bytes]), 'm.bin'));
    for await (const {tensor} of pieces) void tensor;
  },
  async gguf(bytes) {
    const {files, pieces, close} = await readGguf(blobFile(new Blob([bytes]), 'm.gguf'));
    try {
      if (files) new Tokenizer(files, 'm');
      for await (const {tensor} of pieces) void tensor;
    } finally {
      await close();
    }
  },
  async archive(bytes) {
    const files = await readZip(blobFile(new Blob([bytes]), 'm.zip'));
    for (const file of files.values()) for await (const chunk of file.read()) void chunk;
  },
  async safetensors(bytes) {
    const chunks = blobFile(new Blob([bytes]), 'm.safetensors').read();
    const {pieces, close} = await readSafetensors(chunks, 'm.safetensors');
    try {
      for await (const {tensor} of pieces) void tensor;
    } finally {
      await close();
    }
  },
  attention: (bytes) => importFile(bytes),
  tokenizer(bytes) {
    const tokenizer = new Tokenizer({'tokenizer.json': new TextDecoder().decode(bytes)}, 'm');
    const {ids, tokens} = tokenizer.encode('the cat sat', {pair: 'a t'});
    if (ids.length > 0) tokenizer.decode(ids);
    if (tokens.some((token) => token.length > MAX_DRAWN)) throw new Error('a token is too long');
  },
};

/**
 * @param {keyof typeof readers} kind
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {Promise<string>} `read`, or the sentence that refuses the file.
 */
export async function outcomeOf(kind, bytes) {
  try {
    await readers[kind](bytes);
    return 'read';
  } catch (error) {
    if (!(error instanceof BertscopeError || error instanceof SnapshotError)) throw error;
    return error.message;
  }
}
