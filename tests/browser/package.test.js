import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {launch} from './support.js';
import {serve} from './server.js';

/** @import {Browser, Page} from 'playwright-core' */

const MODEL = 'web/models/default/bertscope-default.safetensors';

/** @type {Browser} */
let browser;
/** @type {Page} */
let page;
/** @type {Awaited<ReturnType<typeof serve>>} */
let server;

before(async () => {
  server = await serve(fileURLToPath(new URL('../..', import.meta.url)));
  browser = await launch();
  page = await browser.newPage();
  await page.goto(`${server.url}package.json`);
});

after(async () => {
  await browser?.close();
  server?.close();
});

/**
 * What one kernel computes with the built package, as a page without a bundler uses it.
 *
 * @param {'auto' | 'simd128'} kernel
 */
function attendWith(kernel) {
  return page.evaluate(
    async ({kernel, base, model}) => {
      const {createEngine} = await import(`${base}dist/lib/bertscope.js`);
      const engine = await createEngine({kernel});
      const loaded = await engine.load(base + model);
      const result = await loaded.attend('time flies like an arrow');
      const attention = [];
      for (let layer = 0; layer < loaded.shape.layers; layer++) {
        attention.push(...(await result.attention(layer, 3)));
      }
      loaded.dispose();
      engine.dispose();
      return {kernel: engine.kernel, tokens: result.tokens.length, attention};
    },
    {kernel, base: server.url, model: MODEL},
  );
}

test('the built package runs in a plain page, and its kernels agree bit for bit', async () => {
  const simd128 = await attendWith('simd128');
  assert.equal(simd128.kernel, 'simd128');
  const {layers, tokens} = {layers: 6, tokens: simd128.tokens};
  assert.equal(simd128.attention.length, layers * tokens * tokens);
  for (let start = 0; start < simd128.attention.length; start += tokens) {
    const sum = simd128.attention.slice(start, start + tokens).reduce((a, b) => a + b);
    assert(Math.abs(sum - 1) < 1e-5, `a row sums to ${sum}`);
  }
  // Which one this is depends on the chip: x86 without AVX-VNNI has no exact relaxed product.
  const auto = await attendWith('auto');
  assert.match(auto.kernel, /^(simd128|relaxed-unsigned|relaxed-signed)$/);
  assert.deepEqual(auto.attention, simd128.attention);
});
