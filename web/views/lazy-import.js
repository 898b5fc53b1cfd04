/** Reads attention as the package gives it to pages: its snapshots have functions. */

import {importFile as readFile} from '../attention/file-formats.js';
import {importAttention as readAttention} from '../attention/import-attention.js';
import {lazyParts} from '../attention/snapshot.js';

/** @import {Hints} from '../attention/import-attention.js' */

/**
 * @param {unknown} data  the fields of a file, or the attention alone
 * @param {Hints} [hints]
 */
export const importAttention = (data, hints) => lazyParts(readAttention(data, hints));

/**
 * @param {Uint8Array} bytes  the content of a JSON or NPZ file
 * @param {Hints} [hints]
 */
export const importFile = (bytes, hints) => lazyParts(readFile(bytes, hints));
