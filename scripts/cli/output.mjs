import {createWriteStream, rmSync} from 'node:fs';
import {access, rename, rm, stat} from 'node:fs/promises';
import {dirname} from 'node:path';
import {Readable} from 'node:stream';
import {pipeline} from 'node:stream/promises';
import {BertscopeError} from '../../web/engine/errors.js';

/** @typedef {Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>} Parts */

/**
 * Asked before any work, so that nobody waits for a result that has nowhere to go.
 * @param {string} path
 */
export async function checkOutput(path) {
  const target = await stat(path).catch(() => null);
  // Renaming onto a device or a folder would replace it or fail.
  if (target && !target.isFile()) {
    const message = `${path}: expected a file to write, found a folder or a device`;
    throw new BertscopeError('bad-output', message);
  }
  await access(dirname(path)).catch(() => {
    const message = `${path}: expected a folder to write into, found none`;
    throw new BertscopeError('bad-output', message);
  });
}

/**
 * Writes everything or nothing: the file gets its name when it is whole.
 * @param {string} path
 * @param {Parts} parts
 */
export async function writeFileWhole(path, parts) {
  const partial = `${path}.${process.pid}.partial`;
  const clean = () => rmSync(partial, {force: true});
  const stop = () => process.exit(130);
  process.on('exit', clean).on('SIGINT', stop).on('SIGTERM', stop);
  try {
    await pipeline(Readable.from(parts), createWriteStream(partial));
    await rename(partial, path);
  } catch (error) {
    await rm(partial, {force: true});
    throw error;
  } finally {
    process.off('exit', clean).off('SIGINT', stop).off('SIGTERM', stop);
  }
}

/** @param {Parts} parts */
export async function writeStandardOutput(parts) {
  await pipeline(Readable.from(parts), process.stdout, {end: false});
}
