import {readFileSync} from 'node:fs';
import {openModel} from '../../scripts/cli/source.mjs';
import {goldenFolder, join, runtime} from '../engine/support.js';
import {eventually} from '../support/eventually.js';
import {openManager, waitForPicture, waitForWord} from './models.js';
import {userTest} from './support.js';

/** @import {Page} from 'playwright-core' */

/** A tokenizer whose own regular expression takes time without end. */
const endless = readFileSync(new URL('../fuzz/corpus/endless/tokenizer.json', import.meta.url));
const text = '#text=the+cat+sat&layer=0';

/** Begins to load a model that makes the engine's worker hang. @param {Page} page */
async function loadEndless(page) {
  const file = (/** @type {string} */ name) => readFileSync(`${goldenFolder('odd-sizes')}/${name}`);
  const mimeType = 'application/octet-stream';
  await openManager(page);
  await page.locator('#models-files').setInputFiles([
    {name: 'config.json', mimeType, buffer: file('config.json')},
    {name: 'model.safetensors', mimeType, buffer: file('model.safetensors')},
    {name: 'tokenizer.json', mimeType, buffer: endless},
  ]);
  await page.getByRole('group', {name: 'Loading'}).waitFor();
}

/** Types a word, and prints how long its picture takes. @param {Page} page @param {string} what @param {string} word */
async function assertAnswers(page, what, word) {
  const begun = performance.now();
  await page.locator('#text').fill(word);
  await waitForWord(page, word);
  console.log(`# ${what}: ${Math.round(performance.now() - begun)} ms to a picture`);
}

userTest(
  'the embedded model answers after a model that hangs was stopped',
  {hash: text, fresh: true},
  async (page) => {
    await loadEndless(page);
    await page.getByRole('button', {name: 'Stop'}).click();
    await page.getByRole('button', {name: 'Close'}).last().click();
    await assertAnswers(page, 'stopped', 'arrow');
  },
);

userTest(
  'the embedded model answers while another model hangs',
  {hash: text, fresh: true},
  async (page) => {
    await loadEndless(page);
    // Each opening of the dialog asks the worker once, which may still answer the first time.
    await eventually('the dialog to say that the engine is stuck', async () => {
      await page.keyboard.press('Escape');
      await openManager(page);
      await page
        .locator('.problem', {hasText: 'has not answered for 1.5 s'})
        .waitFor({timeout: 3000});
    });
    await page.getByRole('button', {name: 'Close'}).last().click();
    await assertAnswers(page, 'given up', 'arrow');
  },
);

userTest(
  'a link to a model that hangs leaves the page usable, and the embedded model a click away',
  {hash: text, fresh: true},
  async (page) => {
    const model = await runtime.load(await openModel(goldenFolder('odd-sizes')));
    const quantized = join(model.quantizedFile());
    const address = new URL('hangs.safetensors', page.url()).href.split('#')[0];
    await page.route(address, (route) => route.fulfill({body: withTokenizer(quantized)}));
    await page.evaluate((hash) => (location.hash = hash), `${text}&model=${address}`);
    await page.locator('bert-scope').getByText('Loading the model').waitFor();
    await openManager(page);
    const begun = performance.now();
    await page.getByRole('button', {name: 'Use the small teaching model'}).click();
    await waitForPicture(page, 'bertscope-default');
    console.log(`# embedded: ${Math.round(performance.now() - begun)} ms to a picture`);
  },
);

/** Puts the endless tokenizer into a quantized file. @param {Uint8Array} file */
function withTokenizer(file) {
  const length = Number(new DataView(file.buffer, file.byteOffset).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + length)));
  header.__metadata__['tokenizer.json'] = endless.toString();
  const json = Buffer.from(JSON.stringify(header));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(json.length));
  return Buffer.concat([size, json, file.subarray(8 + length)]);
}
