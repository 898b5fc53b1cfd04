import {chromium} from 'playwright-core';
import {ARGS, EXECUTABLE} from '../bench/browsers/chromium.mjs';

// Opens the page at an address and waits until its first attention is drawn. Exits 1 when that takes a
// minute, or when the page reports an error.
const [address] = process.argv.slice(2);
const browser = await chromium.launch({executablePath: EXECUTABLE, args: ARGS});
try {
  const page = await browser.newPage();
  /** @type {string[]} */
  const errors = [];
  page.on('pageerror', ({message}) => errors.push(message));
  await page.goto(address);
  await page.waitForFunction(
    () => performance.getEntriesByName('bertscope:first-attention').length,
    null,
    {timeout: 60_000},
  );
  if (errors.length) throw new Error(`${address}: expected no error, found ${errors.join('; ')}`);
  console.log(`${address}: the first attention is drawn`);
} finally {
  await browser.close();
}
