/** Opens models from files, folders, archives and addresses, and a hub. */

import assert from 'node:assert/strict';
import {cpSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {
  expectedOf,
  families,
  filesOf,
  fromRoot,
  goldenFolder,
  laterFamilies,
  part,
} from '../engine/support.js';
import {
  copyGolden,
  hub,
  loadByName,
  makeSentenceTransformer,
  modelTest,
  quantizedFile,
  root,
  withoutHub,
  zipOf,
} from './model-hub.js';
import {
  drawnTokens,
  keptPaths,
  loadGolden,
  openKept,
  openManager,
  visitViews,
  waitForAddress,
  waitForModel,
} from './models.js';
import {engineAttention, waitForTokens} from './support.js';

/** @import {Page} from 'playwright-core' */

/** PyTorch's attention to this text is known for the model of odd sizes. */
const goldenText = '#text=time+flies+like+[MASK]&pair=fruit+flies+like+a+banana&layer=0';

/** Compares the page's attention to the golden text with PyTorch's. @param {Page} page */
async function assertGolden(page) {
  const {attentions, input_ids: ids} = await expectedOf('odd-sizes');
  const vocabulary = readFileSync(join(goldenFolder('odd-sizes'), 'vocab.txt'), 'utf8').split('\n');
  const tokens = Array.from(part(ids, 0), (id) => vocabulary[id]);
  await page.waitForFunction((tokens) => {
    const {result} = /** @type {any} */ (document.querySelector('bert-scope'));
    return result.tokens.join(' ') === tokens;
  }, tokens.join(' '));
  const found = (await engineAttention(page, 2)).flat(2);
  const expected = part(attentions, 2, 0);
  const sum = found.reduce((sum, weight, at) => sum + Math.abs(weight - expected[at]), 0);
  // The limit allows for int8 weights, summed over 60 dimensions of random ones.
  assert(sum / expected.length < 0.005);
}

/**
 * Drops files or folders on the page, as the system's file manager does it.
 *
 * @param {Page} page
 * @param {string[]} paths
 */
async function drop(page, paths) {
  const client = await page.context().newCDPSession(page);
  const data = {items: [], files: paths, dragOperationsMask: 1};
  for (const type of /** @type {const} */ (['dragEnter', 'dragOver', 'drop']))
    await client.send('Input.dispatchDragEvent', {type, x: 400, y: 300, data});
}

for (const name of families) {
  modelTest(
    `${name} loads from a hub, is drawn in every view, and opens without the hub afterwards`,
    {},
    async (page) => {
      const source = `hub:${hub.url}/someone/${name}`;
      await loadByName(page, `someone/${name}`);
      await waitForModel(page, name);
      await waitForAddress(page, source);
      await visitViews(page);
      await withoutHub(async () => {
        await openManager(page);
        await page.getByRole('button', {name: 'Use the small teaching model'}).click();
        await waitForModel(page, 'bertscope-default');
        await openKept(page, `someone/${name}`);
        await waitForModel(page, name);
        await waitForAddress(page, source);
      });
    },
  );
}

modelTest(
  'a model has PyTorch’s attention from a folder, a zip archive and the address of a quantized file, and is kept',
  {hash: goldenText},
  async (page) => {
    await loadGolden(page, 'odd-sizes');
    await assertGolden(page);
    await openManager(page);
    await page.locator('#models-files').setInputFiles({
      name: 'zipped.zip',
      mimeType: 'application/zip',
      buffer: zipOf('odd-sizes'),
    });
    await waitForModel(page, 'zipped,');
    await assertGolden(page);
    const quantized = await quantizedFile('odd-sizes');
    writeFileSync(join(root, 'quantized/small.safetensors'), quantized);
    const address = `${hub.url}/someone/quantized/resolve/main/small.safetensors`;
    await openManager(page);
    await page.getByLabel('Name on the Hugging Face hub').fill(address);
    await page.getByRole('button', {name: 'Load', exact: true}).click();
    await waitForModel(page, 'small,');
    await assertGolden(page);
    await waitForAddress(page, address);
    await withoutHub(async () => {
      await page.reload();
      await waitForModel(page, 'small,');
    });
  },
);

modelTest(
  'a folder, a zip archive and a quantized file each become the model',
  {},
  async (page) => {
    await openManager(page);
    await page.locator('#models-folder').setInputFiles(join(root, 'roberta'));
    await waitForModel(page, 'roberta');
    const tokens = await page.evaluate(
      () => /** @type {any} */ (document.querySelector('bert-scope')).result.tokens,
    );
    assert.deepEqual(tokens, ['<s>', 't', 'he', 'Ġcat', 'Ġs', 'at', '</s>']);
    assert.deepEqual(await drawnTokens(page), ['<s> t he ▁cat ▁s at </s>']);
    // The lessons spell them like the picture does.
    await page.evaluate(() => (location.hash = '#/lessons/encoder-by-hand/ids'));
    const names = page.locator('table.ids th');
    await names.filter({hasText: '▁'}).first().waitFor();
    assert.equal(await names.filter({hasText: 'Ġ'}).count(), 0);
    await page.goBack();

    await openManager(page);
    await page.locator('#models-files').setInputFiles({
      name: 'generator.zip',
      mimeType: 'application/zip',
      buffer: zipOf('electra-small'),
    });
    await waitForModel(page, 'generator');

    await openManager(page);
    await page.locator('li', {hasText: 'generator'}).waitFor();
    const download = page.waitForEvent('download');
    await page
      .locator('li', {hasText: 'generator'})
      .getByRole('button', {name: 'Download'})
      .click();
    const path = join(root, 'quantized.safetensors');
    await (await download).saveAs(path);
    await page.locator('li', {hasText: 'generator'}).getByRole('button', {name: 'Remove'}).click();
    await page.locator('li', {hasText: 'generator'}).waitFor({state: 'detached'});
    assert.deepEqual(await keptPaths(page), ['/note/kept:roberta', '/weights/kept:roberta']);
    await page.locator('#models-files').setInputFiles(path);
    await waitForModel(page, 'quantized');
  },
);

modelTest(
  'a GGUF file becomes the model from the picker, dropped and by its address, and opens without a network afterwards',
  {},
  async (page) => {
    const bytes = readFileSync(fromRoot('tests/golden/llama.gguf'));
    const expected = ['<s>', '▁the', '▁cat', '▁s', 'at'];
    await openManager(page);
    // What reads this format is loaded only now.
    await page.locator('#models-files').setInputFiles({
      name: 'picked.gguf',
      mimeType: 'application/octet-stream',
      buffer: bytes,
    });
    await waitForModel(page, 'picked,');
    await waitForTokens(page, expected);
    await visitViews(page);
    const dropped = join(root, 'dropped.gguf');
    writeFileSync(dropped, bytes);
    await drop(page, [dropped]);
    await waitForModel(page, 'dropped,');
    writeFileSync(join(root, 'quantized/linked.gguf'), bytes);
    const address = `${hub.url}/someone/quantized/resolve/main/linked.gguf`;
    await loadByName(page, address);
    await waitForModel(page, 'linked,');
    await waitForAddress(page, address);
    await withoutHub(async () => {
      await page.reload();
      await waitForModel(page, 'linked,');
    });
    await drop(page, [join(root, 'odd-sizes')]);
    await waitForModel(page, 'odd-sizes,');
    writeFileSync(dropped, bytes.subarray(0, 100_000));
    await drop(page, [dropped]);
    await page
      .locator('.problem', {
        hasText: /dropped\.gguf: expected \d+ bytes, found 100000 \(the file is cut off\)/,
      })
      .waitFor();
  },
);

modelTest(
  'the page says that it leaves out a head for answers, also after a reload',
  {},
  async (page) => {
    const folder = copyGolden('half-classifier', 'answers');
    const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
    config.architectures = ['BertForQuestionAnswering'];
    writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
    await openManager(page);
    await page.locator('#models-folder').setInputFiles(folder);
    await waitForModel(page, 'answers');
    const said = page.locator('#status', {hasText: 'its head for answers is left out'});
    await said.waitFor();
    await waitForAddress(page, 'kept:answers');
    await page.reload();
    await waitForModel(page, 'answers');
    await said.waitFor();
    await page.evaluate(() => (location.hash = ''));
    await said.waitFor({state: 'detached'});
  },
);

modelTest(
  'a dropped folder, zip archive, quantized file or set of files becomes the model',
  {},
  async (page) => {
    // A browser lists a hundred files of a folder at a time.
    const folder = makeSentenceTransformer('dropped-folder');
    for (let i = 0; i < 120; i++) writeFileSync(join(folder, '0_Transformer', `${i}.log`), '');
    await drop(page, [folder]);
    await waitForModel(page, 'dropped-folder,');

    for (const name of laterFamilies) {
      await drop(page, [join(root, name)]);
      await waitForModel(page, `${name},`);
    }

    // What reads this format is loaded only now.
    const checkpoint = copyGolden('distilbert', 'checkpoint');
    rmSync(join(checkpoint, 'model.safetensors'));
    cpSync(
      join(goldenFolder('distilbert'), 'pytorch_model.bin'),
      join(checkpoint, 'pytorch_model.bin'),
    );
    await drop(page, [checkpoint]);
    await waitForModel(page, 'checkpoint,');

    const archive = join(root, 'packed.zip');
    writeFileSync(archive, zipOf('sentences'));
    await drop(page, [archive]);
    await waitForModel(page, 'packed,');

    const quantized = join(root, 'dropped.safetensors');
    writeFileSync(quantized, await quantizedFile('distilbert'));
    await drop(page, [quantized]);
    await waitForModel(page, 'dropped,');

    await drop(
      page,
      filesOf('albert').map((file) => join(root, 'albert', file)),
    );
    await waitForModel(page, 'model,');
  },
);

modelTest(
  'the status line says which layers of a model see only what is near',
  {},
  async (page) => {
    await loadGolden(page, 'modernbert');
    await page.getByText('layers 0, 3, 6 … see all, the others 2 tokens on each side').waitFor();
    await loadGolden(page, 'odd-sizes');
    assert.equal(await page.getByText('tokens on each side').count(), 0);
  },
);
