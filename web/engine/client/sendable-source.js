/** Converts what `engine.load` takes into a form that can be sent to the worker. */

import {BertscopeError} from '../errors.js';
import {quote} from '../json.js';
import {atEndpoint} from '../hub-address.js';
import {HUB_ENDPOINT, modelAddress} from '../model-address.js';

/** @import {ModelLocation, FolderFile} from '../files/model-sources.js' */

/**
 * @typedef {string | URL | File | Iterable<File | FolderFile>} ModelSource
 */

/**
 * @param {ModelSource} source
 * @param {{endpoint?: string, token?: string}} hub
 * @returns {ModelLocation}
 */
export function locationOf(source, {endpoint, token}) {
  if (typeof source === 'string' || source instanceof URL) {
    const address = modelAddress(String(source), endpoint);
    if (address.startsWith('hub:')) {
      const isTokens = !endpoint || isAtEndpoint(address, endpoint);
      return {source: atEndpoint(address, endpoint), token: isTokens ? token : undefined};
    }
    if (address.startsWith('kept:')) return {source: address};
    try {
      const {url} = new Request(address); // absolute; relative addresses start from the base address of the page
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
  // When a file is sent to the worker, it loses the path of its folder.
  const files = items.map((item) =>
    item instanceof File ? {path: item.webkitRelativePath || item.name, file: item} : item,
  );
  const [first] = files;
  const folder = first?.path.includes('/') ? first.path.split('/')[0] : undefined;
  return {files, folder};
}

/**
 * Tells whether a model is on this hub. A reader may paste the address of a model on another hub,
 * which must not get the token.
 * @param {string} address `hub:…`
 * @param {string} endpoint
 */
function isAtEndpoint(address, endpoint) {
  const own = atEndpoint('hub:', endpoint);
  const named = own === 'hub:' ? `hub:${HUB_ENDPOINT}/` : own;
  return !/^hub:https?:/.test(address) || address.startsWith(named);
}

/** @param {unknown} source @returns {source is Iterable<unknown>} */
function isList(source) {
  return typeof source === 'object' && source !== null && Symbol.iterator in source;
}

/** @param {unknown} item @returns {item is File | FolderFile} */
function isPlaced(item) {
  if (item instanceof File) return true;
  const {path, file} = /** @type {Partial<FolderFile>} */ (item ?? {});
  return typeof path === 'string' && file !== undefined;
}
