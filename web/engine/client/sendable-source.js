/** Where a model is, in a form that can be sent to the worker. */

import {BertscopeError} from '../errors.js';
import {quote} from '../json.js';

/** @import {PlacedFile} from '../files/model-sources.js' */

/**
 * @typedef {string | URL | File | Iterable<File | PlacedFile>} ModelSource
 */

/**
 * @typedef {object} Place
 * @property {string} [source] Under which it is kept; files are kept under their model's name.
 * @property {string} [url]
 * @property {PlacedFile[]} [files]
 * @property {string} [folder] The files' own.
 * @property {string} [endpoint] Of the hub.
 * @property {string} [token] For the hub.
 */

/**
 * @param {ModelSource} source
 * @param {{endpoint?: string, token?: string}} hub
 * @returns {Place}
 */
export function placeOf(source, {endpoint, token}) {
  if (typeof source === 'string' || source instanceof URL) {
    const address = String(source);
    if (address.startsWith('hub:')) return {source: address, endpoint, token};
    if (address.startsWith('kept:')) return {source: address};
    try {
      const {url} = new Request(address); // absolute, as the page's base address has it
      return {source: url, url};
    } catch {
      const message = `expected the address of a model, found ${address}`;
      throw new BertscopeError('bad-source', message);
    }
  }
  const items = source instanceof File ? [source] : isList(source) ? [...source] : [null];
  if (!items.every(isPlaced)) {
    const message = `expected an address, files or a kept model's source, found ${quote(source)}`;
    throw new BertscopeError('bad-source', message);
  }
  // A copy in the worker would not know its folder.
  const files = items.map((item) =>
    item instanceof File ? {path: item.webkitRelativePath || item.name, file: item} : item,
  );
  const [first] = files;
  const folder = first?.path.includes('/') ? first.path.split('/')[0] : undefined;
  return {files, folder};
}

/** @param {unknown} source @returns {source is Iterable<unknown>} */
function isList(source) {
  return typeof source === 'object' && source !== null && Symbol.iterator in source;
}

/** @param {unknown} item @returns {item is File | PlacedFile} */
function isPlaced(item) {
  if (item instanceof File) return true;
  const {path, file} = /** @type {Partial<PlacedFile>} */ (item ?? {});
  return typeof path === 'string' && file !== undefined;
}
