import {ATTENTION_ENDINGS, endingOf} from '../engine/file-endings.js';

/** @import {EngineAccess} from './engine-access.js' */

/** The address of the small encoder-decoder that comes with the page. */
export const datesAddress = 'given:dates';

/**
 * Reads `src`. Models of the hub, kept models and those that the page gives have names, and everything else has an
 * address.
 *
 * @typedef {object} Source
 * @property {string} url  the address or the name; empty for the embedded model
 * @property {boolean} isNamed
 * @property {boolean} isSnapshot  whether it is saved attention, which needs no engine
 *
 * @param {string} address  may be relative to the page
 * @returns {Source}
 */
export function readSource(address) {
  const isNamed = address === '' || /^(hub|kept|given):/.test(address);
  if (isNamed) return {url: address, isNamed, isSnapshot: false};
  const {href, pathname} = new URL(address, document.baseURI);
  return {url: href, isNamed, isSnapshot: Boolean(endingOf(pathname, ATTENTION_ENDINGS))};
}

/** Reads `src` where it may be the address of a page on a hub. @param {string} src @param {Pick<EngineAccess, 'modelAddress'> | null} engine */
export const sourceOf = (src, engine) => readSource(engine?.modelAddress(src) ?? src);

/** Tells whether an address names a model that only this browser has. @param {string} src */
export const namesKept = (src) => src.startsWith('kept:');

/** @param {string} src  may be an invalid address @param {Pick<EngineAccess, 'modelAddress'> | null} engine */
export const namesSnapshot = (src, engine) =>
  URL.canParse(src, document.baseURI) && sourceOf(src, engine).isSnapshot;
