/** The addresses of models on hubs. */

import {BertscopeError} from './errors.js';
import {shorten} from './json.js';
import {HUB_ENDPOINT} from './model-address.js';

/** @typedef {{endpoint: string, name: string, revision: string}} HubModel */

/**
 * @param {string} address `hub:owner/name` or `hub:owner/name@revision`; of another hub,
 *   `hub:https://mirror.example/owner/name`.
 * @returns {HubModel}
 */
export function parseHubAddress(address) {
  const pattern = /^hub:(?:(https?:\/\/.+)\/(?=[^/]+\/[^/@]+(?:@|$)))?([^@]*)(?:@(.*))?$/s;
  const [, endpoint, name, revision = 'main'] = pattern.exec(address) ?? [];
  const parts = name?.split('/') ?? [];
  const arePlain = parts.every((part) => /^[\w][\w.-]{0,95}$/.test(part) && !part.includes('..'));
  const isPlain = parts.length >= 1 && parts.length <= 2 && arePlain;
  const isHub = !endpoint || isEndpoint(endpoint);
  if (!isHub || !isPlain || !/^[\w][\w./-]{0,127}$/.test(revision) || revision.includes('..')) {
    const expected = 'hub:owner/name, perhaps with @revision behind it';
    const message = `expected ${expected}, found ${shorten(address)}`;
    throw new BertscopeError('bad-source', message);
  }
  return {endpoint: endpoint ?? HUB_ENDPOINT, name, revision};
}

/** @param {string} address */
function isEndpoint(address) {
  if (plain(address) !== address) return false;
  const {username, password, search, hash} = new URL(address);
  return !username && !password && !search && !hash;
}

/** Writes an address as browsers do, without a slash at its end. @param {string} address */
const plain = (address) =>
  URL.canParse(address) ? new URL(address).href.replace(/\/+$/, '') : undefined;

/**
 * Names the hub in the address of a model, so that the model is never taken for the one of the same
 * name on another hub.
 * @param {string} address `hub:…`
 * @param {string} [endpoint] The address of the hub; the default is https://huggingface.co.
 */
export function atEndpoint(address, endpoint) {
  const root = endpoint && (plain(endpoint) ?? endpoint);
  if (!root || root === HUB_ENDPOINT || /^hub:https?:/.test(address)) return address;
  return address.replace(/^hub:/, `hub:${root}/`);
}
