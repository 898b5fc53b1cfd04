/** The worker that reads one file with attention. The page's side is `read-in-worker.js`. */

import {checkFileSize} from './file-size.js';
import {importFile} from './file-formats.js';
import {buffersOf, packParts} from './packed-parts.js';
import {SnapshotError} from './snapshot.js';

/** @import {Answer, Question} from './read-in-worker.js' */

addEventListener('message', ({data}) => void read(data));

/** @param {Question} question */
async function read({source, hints}) {
  try {
    if (typeof source === 'string') answer({step: 'downloads'});
    const bytes = typeof source === 'string' ? await download(source) : new Uint8Array(source);
    answer({step: 'reads'});
    const parts = packParts(importFile(bytes, hints));
    answer({parts}, buffersOf(parts));
  } catch (error) {
    const {message} = /** @type {Error} */ (error);
    answer({error: {message, isOfFile: error instanceof SnapshotError}});
  }
}

/** @param {Answer} message @param {ArrayBuffer[]} [transfer] */
const answer = (message, transfer = []) => self.postMessage(message, {transfer});

/** @param {string} url */
async function download(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  checkFileSize(Number(response.headers.get('content-length')));
  const reader = response.body?.getReader();
  /** @type {Uint8Array[]} */
  const chunks = [];
  let size = 0;
  for (;;) {
    const {done, value} = (await reader?.read()) ?? {done: true};
    if (done || !value) break;
    chunks.push(value);
    size += value.length;
    checkFileSize(size);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
