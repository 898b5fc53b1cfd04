import {SnapshotError} from './snapshot.js';

/** Attention of bert-large to 512 tokens has 403 MB. */
export const mostBytes = 1e9;

/** @param {number} bytes  the size of a file, or what is known of it */
export function checkFileSize(bytes) {
  if (bytes <= mostBytes) return;
  throw new SnapshotError(`A file should have at most ${mostBytes} bytes, found more.`);
}
