import {ATTENTION_ENDINGS, endingOf} from '../engine/file-endings.js';
import {liveParts} from './live-parts.js';

/**
 * Reads `src`. Models of the hub, kept models and those that the page gives have names, and everything else has an
 * address.
 *
 * @typedef {object} Source
 * @property {string} url  the address or the name; empty for the embedded model
 * @property {boolean} isNamed
 * @property {boolean} isSnapshot  whether it is saved attention, which needs no engine
 *
 * @param {string} src  may be relative to the page
 * @returns {Source}
 */
export function readSource(src) {
  const address = liveParts?.modelAddress(src) ?? src;
  const isNamed = address === '' || /^(hub|kept|given):/.test(address);
  if (isNamed) return {url: address, isNamed, isSnapshot: false};
  const {href, pathname} = new URL(address, document.baseURI);
  return {url: href, isNamed, isSnapshot: Boolean(endingOf(pathname, ATTENTION_ENDINGS))};
}

/** Tells whether an address names a model that only this browser has. @param {string} src */
export const namesKept = (src) => src.startsWith('kept:');

/** @param {string} src  may be an invalid address */
export const namesSnapshot = (src) =>
  URL.canParse(src, document.baseURI) && readSource(src).isSnapshot;
