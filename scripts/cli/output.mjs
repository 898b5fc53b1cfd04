import {createWriteStream} from 'node:fs';
import {access, realpath, rename, rm, stat} from 'node:fs/promises';
import {dirname, extname} from 'node:path';
import {Readable} from 'node:stream';
import {pipeline} from 'node:stream/promises';
import {BertscopeError} from '../../web/engine/errors.js';
import {tell} from './stage.mjs';

/** @typedef {Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>} Chunks */

/**
 * A name is to say what is in a file.
 * @param {string} path
 * @param {string[]} endings Those allowed.
 * @param {string} [reason] Why no others.
 */
export function checkEnding(path, endings, reason = '') {
  const found = extname(path);
  if (endings.includes(found)) return;
  const expected = `a name that ends in ${endings.join(' or ')}${reason}`;
  throw new BertscopeError('usage', `${path}: expected ${expected}, found "${found}"`);
}

/** What is no error, but may not be as expected. @param {string} sentence */
export function warn(sentence) {
  process.stderr.write(`bertscope: ${printable(sentence)}\n`);
}

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
 * @param {string} path A symbolic link stays one.
 * @param {Chunks} chunks
 */
export async function writeFileWhole(path, chunks) {
  const target = await realpath(path).catch(() => path);
  const partial = `${target}.${process.pid}.partial`;
  tell({partial});
  try {
    await pipeline(Readable.from(chunks), createWriteStream(partial));
    await rename(partial, target);
  } catch (error) {
    await rm(partial, {force: true});
    throw error;
  } finally {
    tell({partial: null});
  }
}

/**
 * Names come from files of others: none of their control characters reaches the terminal.
 * @param {string} text
 */
export function printable(text) {
  return text.replaceAll(/\p{C}/gu, (character) => {
    const code = Number(character.codePointAt(0)).toString(16);
    return `\\u{${code}}`;
  });
}

/** @param {Chunks} chunks */
export async function writeStandardOutput(chunks) {
  await pipeline(Readable.from(chunks), process.stdout, {end: false});
}
