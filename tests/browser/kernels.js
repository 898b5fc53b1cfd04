/** The comparison of kernels in a browser: `tests/kernels/engine_comparison.html`, from the build folder. */

import {existsSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {serve} from './server.js';

/** @import {Driver} from './drivers.js' */

/**
 * @typedef {object} Report
 * @property {number} digest  a hash of the scalar kernels' values
 * @property {string} difference  the first value that differs from the scalar kernels', or nothing
 * @property {'none' | 'signed' | 'unsigned' | 'saturating' | 'unknown'} dot  what the browser's relaxed dot product does
 * @property {number} columns_difference  how far the plug-in's float products are from the main module's, at most
 * @property {{name: string, calls: number, values: number, different: number}[]} sets
 */

const folder = fileURLToPath(new URL('../../build/wasm', import.meta.url));

export function serveComparison() {
  const page = `${folder}/tests/engine_comparison.html`;
  if (!existsSync(page)) throw new Error(`${page} is missing: build the tests of the wasm preset`);
  return serve(folder);
}

/** @param {Driver} driver @param {string} url */
export async function openComparison(driver, url) {
  await driver.open(`${url}tests/engine_comparison.html`);
  return {
    /** @returns {Promise<{cases: number, digest: number}>} What the C++ tests compare, and its digest. */
    expected: () => driver.evaluate('expected()'),
    /** Reports on all cases since the page was opened. @param {number} first @param {number} count @returns {Promise<Report>} */
    compare: (first, count) => driver.evaluate(`compareCases(${first}, ${count})`),
  };
}
