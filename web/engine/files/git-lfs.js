/**
 * Recognizes the pointers of Git LFS. A folder that was cloned without it has these small texts in
 * place of its large files. Source: `docs/spec.md` of git-lfs.
 */

import {BertscopeError} from '../errors.js';

const POINTER = 'version https://git-lfs';

/**
 * @param {string | Uint8Array} start The first characters or bytes of a file, 8 at least.
 * @param {string} path
 */
export function refusePointer(start, path) {
  const text = typeof start === 'string' ? start : String.fromCharCode(...start.subarray(0, 23));
  if (text.length < 8 || !POINTER.startsWith(text.slice(0, POINTER.length))) return;
  const pointer =
    'the pointer that Git LFS leaves in its place; "git lfs pull" fetches the file, and the page of the model has it as well';
  throw new BertscopeError('bad-source', `${path}: expected the file itself, found ${pointer}`);
}
