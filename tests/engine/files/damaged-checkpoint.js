import assert from 'node:assert/strict';
import {BertscopeError} from '../../../web/engine/errors.js';
import {readPyTorch} from '../../../web/engine/files/pytorch.js';

/** @import {ByteFile} from '../../../web/engine/files/byte-file.js' */

/** Reads a checkpoint to its end, and fails unless it is read or refused in a sentence. @param {ByteFile} file */
export async function readsOrRefuses(file) {
  try {
    const {pieces} = await readPyTorch(file);
    for await (const {tensor, last} of pieces) assert(tensor.name && last !== undefined);
  } catch (error) {
    if (!(error instanceof BertscopeError)) throw error;
  }
}
