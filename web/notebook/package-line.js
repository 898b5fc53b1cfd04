import {bringFile} from './python-files.js';

/** @import {PythonLine} from './python-line.js' */
/** @import {OnBytes} from './python-files.js' */

/** The widgets of the page that are there, the latest last. @type {Set<PythonLine>} */
export const lines = new Set();

/**
 * Brings a file of the Python package, which every widget of the page can ask for.
 *
 * @param {string} path
 * @param {OnBytes} [onBytes]
 * @param {AbortSignal} [signal]
 */
export function bringPackageFile(path, onBytes, signal) {
  const line = [...lines].at(-1);
  if (!line) throw new Error(`${path}: expected a widget with a running kernel, found none`);
  return bringFile(line, {of: 'package', path}, onBytes, signal);
}
