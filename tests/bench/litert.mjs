/** Makes the graphs of LiteRT.js, of which each is for one number of tokens, unless they are there already. */

import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {cacheFor, makeEnvironment} from '../published/prepare.mjs';
import {SCRIPTS} from './models.mjs';
import {run} from './process.mjs';

/** @import {BenchModel} from './models.mjs' */

const ENVIRONMENT = join(cacheFor('bench'), 'python');

/**
 * @param {BenchModel} model
 * @param {number[]} lengths In tokens.
 * @returns {Record<number, string> | undefined} The addresses of the graphs by length; undefined for a model that
 *   continues a text, of which no graph is made.
 */
export function prepareLiteRt({peer, made: {folder, address, args}}, lengths) {
  if (peer.step) return undefined;
  const nameOf = (/** @type {number} */ tokens) => `litert-${tokens}.tflite`;
  const missing = lengths.filter((tokens) => !existsSync(join(folder, nameOf(tokens))));
  if (missing.length > 0) {
    makeEnvironment(ENVIRONMENT, join(SCRIPTS, 'requirements.txt'));
    const python = join(ENVIRONMENT, 'bin/python');
    process.stderr.write(`making graphs of LiteRT.js in ${folder}\n`);
    run(python, ['-B', join(SCRIPTS, 'make_litert.py'), folder, ...missing.map(String), ...args]);
  }
  return Object.fromEntries(lengths.map((tokens) => [tokens, address + nameOf(tokens)]));
}
