/** Runs other programs, and ends this one when it fails. */

import {spawnSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';

/** @param {string} path A path from the repository's root. */
export const fromRoot = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/**
 * @param {string} message
 * @returns {never}
 */
export function fail(message) {
  process.stderr.write(`bench: ${message}\n`);
  process.exit(1);
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {{cwd?: string}} [options]
 * @returns {string} The program's standard output; its standard error is shown to the user.
 */
export function run(command, args, {cwd = fromRoot('')} = {}) {
  const options = {cwd, encoding: /** @type {const} */ ('utf8'), maxBuffer: 1 << 26};
  const {status, stdout, error} = spawnSync(command, args, {
    ...options,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) fail(`${command} ${args.join(' ')}: ${error?.message ?? `exit ${status}`}`);
  return stdout;
}

/**
 * @param {string} command
 * @param {string[]} args
 * @returns {string | null} The program's standard output, or null if it could not be run or failed.
 */
export function tryRun(command, args) {
  const {status, stdout} = spawnSync(command, args, {encoding: 'utf8'});
  return status === 0 ? stdout : null;
}
