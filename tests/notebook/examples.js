/** The notebooks of `web/notebook/examples`, as data. */

import {readFileSync, readdirSync} from 'node:fs';
import {fileURLToPath} from 'node:url';

export const folder = fileURLToPath(new URL('../../web/notebook/examples/', import.meta.url));

/** The file names of the notebooks. */
export const names = readdirSync(folder).filter((name) => name.endsWith('.ipynb'));

/**
 * @typedef {object} Cell
 * @property {string} id
 * @property {'code' | 'markdown'} cell_type
 * @property {object} metadata
 * @property {string[]} source  lines
 * @property {unknown[]} [outputs]  of a code cell
 * @property {number | null} [execution_count]  of a code cell
 */

/**
 * @param {string} name
 * @returns {{nbformat: number, nbformat_minor: number, metadata: any, cells: Cell[]}}
 */
export const read = (name) => JSON.parse(readFileSync(folder + name, 'utf8'));

/** The code of each code cell. @param {string} name */
export const codeOf = (name) =>
  read(name)
    .cells.filter(({cell_type}) => cell_type === 'code')
    .map(({source}) => source.join(''));
