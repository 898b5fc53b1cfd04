/** The worker that reads one file with attention. The page's side is `read-in-worker.js`. */

import {buffersOf} from '../engine/serve.js';
import {download} from './download.js';
import {importFile} from './file-formats.js';
import {SnapshotError} from './snapshot.js';

/** @import {Answer, Question} from './read-in-worker.js' */

addEventListener('message', ({data}) => void read(data));

/** @param {Question} question */
async function read({source, hints}) {
  try {
    if (typeof source === 'string') answer({step: 'downloads'});
    const bytes = typeof source === 'string' ? await download(source) : new Uint8Array(source);
    answer({step: 'reads'});
    const parts = importFile(bytes, hints);
    answer({parts}, buffersOf(parts));
  } catch (error) {
    const {message} = /** @type {Error} */ (error);
    answer({error: {message, isOfFile: error instanceof SnapshotError}});
  }
}

/** @param {Answer} message @param {Transferable[]} [transfer] */
const answer = (message, transfer = []) => self.postMessage(message, {transfer});
