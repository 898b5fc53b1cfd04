import {chromiumEngine} from './chromium.mjs';
import {firefoxEngine} from './firefox.mjs';
import {webkitEngine} from './webkit.mjs';

/**
 * @typedef {object} Engine
 * @property {string} name
 * @property {() => string} version
 * @property {(url: string) => Promise<{close(): Promise<unknown>}>} open In a new profile.
 */

/** @param {string} wanted `chromium` or `all`. */
export const enginesFor = (wanted) =>
  wanted === 'all' ? [chromiumEngine, firefoxEngine, webkitEngine] : [chromiumEngine];
