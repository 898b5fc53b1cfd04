import {chromium} from 'playwright-core';
import {tryRun} from '../process.mjs';

/** @import {Engine} from './index.mjs' */

export const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** None of these switches changes what a page can do. */
export const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** V8 has no switch for AVX-512: its code uses none of it. */
const VNNI_OFF = '--js-flags=--no-enable-avx-vnni --no-enable-avx-vnni-int8';

/** Lets Chromium run from now on as it does on a chip without a byte dot product. */
export const leaveOutVnni = () => void ARGS.push(VNNI_OFF);

/** @type {Engine} */
export const chromiumEngine = {
  name: 'chromium',
  version: () => tryRun(EXECUTABLE, ['--version'])?.trim() ?? 'unknown',
  async open(url) {
    const browser = await chromium.launch({executablePath: EXECUTABLE, args: ARGS});
    const page = await browser.newPage();
    await page.goto(url);
    return {close: () => browser.close()};
  },
};
