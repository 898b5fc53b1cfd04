/** For `node`: reads one file as hostile, and prints how that ended and the memory that it took. */

import {readFileSync} from 'node:fs';
import {basename} from 'node:path';
import {importFile} from '../../web/attention/file-formats.js';
import {SnapshotError} from '../../web/attention/snapshot.js';
import {BertscopeError} from '../../web/engine/errors.js';
import {blobFile} from '../../web/engine/files/byte-file.js';
import {readPickle} from '../../web/engine/files/pickle.js';
import {readPyTorch} from '../../web/engine/files/pytorch.js';
import {readZip} from '../../web/engine/files/zip.js';
import {Tokenizer} from '../../web/engine/text/tokenizer.js';

/** The functions that read the files of each folder of the corpus. @type {Record<string, (bytes: Uint8Array<ArrayBuffer>) => unknown>} */
const readers = {
  pickle: (bytes) => readPickle(bytes, 'm.bin'),
  async checkpoint(bytes) {
    const {pieces} = await readPyTorch(blobFile(new Blob([bytes]), 'm.bin'));
    for await (const {tensor} of pieces) void tensor;
  },
  async archive(bytes) {
    const files = await readZip(blobFile(new Blob([bytes]), 'm.zip'));
    for (const file of files.values()) for await (const chunk of file.read()) void chunk;
  },
  attention: (bytes) => importFile(bytes),
  tokenizer: (bytes) =>
    new Tokenizer({'tokenizer.json': new TextDecoder().decode(bytes)}, 'm').encode('the cat sat'),
};

const [kind, path] = process.argv.slice(2);
const bytes = new Uint8Array(readFileSync(path));
const before = process.resourceUsage().maxRSS;
let outcome = 'read';
try {
  await readers[kind](bytes);
} catch (error) {
  if (!(error instanceof BertscopeError || error instanceof SnapshotError)) throw error;
  outcome = error.message;
}
const kilobytes = process.resourceUsage().maxRSS - before;
console.log(JSON.stringify({file: basename(path), outcome, megabytes: kilobytes / 1000}));
