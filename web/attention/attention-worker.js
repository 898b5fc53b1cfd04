/** The worker that reads one file with attention. The page's side is `read-in-worker.js`. */

import {serve} from '../engine/serve.js';
import {download} from './download.js';
import {importFile} from './file-formats.js';

/** @import {Hints} from './import-attention.js' */

/** What the page can ask the worker for. */
export class AttentionReader {
  /**
   * @param {string | Uint8Array} source  the bytes of a file, or its full address
   * @param {{hints?: Hints, signal?: AbortSignal}} options
   */
  async read(source, {hints, signal}) {
    return importFile(
      typeof source === 'string' ? await download(source, {signal}) : source,
      hints,
    );
  }
}

serve(new AttentionReader(), /** @type {any} */ (globalThis));
