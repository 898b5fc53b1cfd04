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
import {eventually} from '../support/eventually.js';
import {assertAccessible} from './axe.js';
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
  waitForWord,
} from './models.js';
import {COMMIT} from '../support/hub-server.js';
import {engineAttention, phone, waitForTokens} from './support.js';

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
  'the page says that it leaves out a classifier of tokens, also after a reload',
  {},
  async (page) => {
    const folder = copyGolden('half-classifier', 'names');
    const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
    config.architectures = ['BertForTokenClassification'];
    writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
    await openManager(page);
    await page.locator('#models-folder').setInputFiles(folder);
    await waitForModel(page, 'names');
    const said = page.locator('#status', {hasText: 'its classifier of tokens (NER) is left out'});
    await said.waitFor();
    await waitForAddress(page, 'kept:names');
    await page.reload();
    await waitForModel(page, 'names');
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
  'one click loads a well-known model, a name may have a revision, and the list shows sizes and dates',
  {},
  async (page) => {
    const begun = Date.now();
    await openManager(page);
    await page.getByText('Models worth opening').click();
    await page.getByText('They were not yet tested with this page').waitFor();
    await page.getByText('Another hub, or a model').click();
    await page.getByLabel('Address of the hub').fill(hub.url);
    await page.getByRole('button', {name: 'Load google-bert/bert-base-uncased'}).click();
    await waitForModel(page, 'bert-base-uncased,');
    await waitForAddress(page, `hub:${hub.url}/google-bert/bert-base-uncased`);
    await withoutHub(async () => {
      await page.reload();
      await waitForModel(page, 'bert-base-uncased,');
    });

    hub.requests.length = 0;
    await loadByName(page, 'someone/odd-sizes@v3');
    const problem = /expected the revision v3, found that this model has none of this name/;
    await page.locator('.problem', {hasText: problem}).waitFor();
    await page.getByRole('button', {name: 'Close'}).last().click();
    await loadByName(page, 'someone/odd-sizes@v2');
    await waitForModel(page, 'odd-sizes,');
    await waitForAddress(page, `hub:${hub.url}/someone/odd-sizes@v2`);
    assert(hub.requests.includes('/someone/odd-sizes/resolve/v2/model.safetensors'));
    // The files of this revision are those of another family.
    await waitForTokens(page, ['<s>', 't', 'he', '▁cat', '▁s', 'at', '</s>']);

    await loadByName(page, 'someone/sentences');
    await waitForModel(page, 'sentences,');
    await openManager(page);
    const kept = page.getByRole('region', {name: 'Kept'}).getByRole('listitem');
    for (const [index, [name, files]] of [
      ['someone/sentences', 'odd-sizes'],
      ['someone/odd-sizes@v2', 'roberta'],
      ['google-bert/bert-base-uncased', 'odd-sizes'],
    ].entries()) {
      await kept.nth(index).getByText(name, {exact: true}).waitFor();
      const facts = (await kept.nth(index).locator('small').textContent()) ?? '';
      const [host, commit, size, date] = facts.replace(/\s+/g, ' ').trim().split(' · ').slice(-4);
      assert.equal(host, new URL(hub.url).host);
      assert.equal(commit, COMMIT.slice(0, 7));
      const bytes = (await quantizedFile(files)).length;
      assert.equal(size, `${(bytes / 1e6).toFixed(1)} MB`);
      const written = Date.parse(date);
      assert(written > begun - 60_000 && written <= Date.now(), date);
    }
  },
);

modelTest(
  'an access token opens a private model and is stored nowhere; a slow load shows its progress and can be stopped',
  {},
  async (page) => {
    const token = 'hf_onlyForThisPage';
    hub.faults.token = token;
    try {
      await loadByName(page, 'someone/electra-small');
      await page.locator('.problem', {hasText: 'a private model needs an access token'}).waitFor();
      await page.getByLabel('Access token').fill(token);
      await page.getByRole('button', {name: 'Load', exact: true}).click();
      await waitForModel(page, 'electra-small,');
    } finally {
      hub.faults.token = '';
    }
    const before = await keptPaths(page);
    const told = await page.evaluate(async () => {
      const places = [location.href, document.cookie, JSON.stringify(history.state)];
      places.push(JSON.stringify({...localStorage}), JSON.stringify({...sessionStorage}));
      places.push(JSON.stringify(await indexedDB.databases()));
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) {
          places.push(request.url, JSON.stringify([...request.headers]));
          places.push((await (await cache.match(request))?.text()) ?? '');
        }
      }
      return places;
    });
    assert(told.some((place) => place.includes('bertscope-int8')));
    assert(!told.some((place) => place.includes(token)));

    hub.faults.stallAt = 150_000;
    try {
      await loadByName(page, 'someone/distilbert');
      const loading = page.getByRole('group', {name: 'Loading someone/distilbert'});
      const said = /^\s*0\.\d of 0\.\d MB\s+· 0\.\d MB\/s ·\s+distilbert\.\S+\s*$/;
      await loading.locator('p', {hasText: said}).waitFor();
      const share = await loading
        .getByRole('progressbar')
        .evaluate((bar) => /** @type {HTMLProgressElement} */ (bar).position);
      assert(share > 0 && share < 1);
      await page.getByRole('button', {name: 'Stop'}).click();
      await loading.waitFor({state: 'detached'});
      await eventually('the connection to be closed', () => assert.equal(hub.stalled.size, 0));
    } finally {
      hub.faults.stallAt = 0;
    }
    assert.equal(await page.locator('.problem', {hasText: /./}).count(), 0);
    assert.deepEqual(await keptPaths(page), before);
    await page.getByRole('button', {name: 'Close'}).last().click();
    await page.locator('#text').fill('flies');
    await waitForWord(page, 'flies');
    await waitForModel(page, 'electra-small,');
    await page.reload();
    await openManager(page);
    assert.equal(await page.getByLabel('Access token').inputValue(), '');
  },
);

for (const [how, options] of /** @type {const} */ ([
  ['', {}],
  [', in the dark', {colorScheme: 'dark'}],
  [', on a phone', phone],
])) {
  modelTest(`the models dialog is accessible${how}`, options, async (page) => {
    await openManager(page);
    await page.getByText('Another hub, or a model').click();
    await page.getByText('Models worth opening').click();
    await assertAccessible(page);
    await page.getByLabel('Address of the hub').fill(hub.url);
    await page.getByLabel('Name on the Hugging Face hub').fill('someone/none');
    await page.keyboard.press('Enter');
    await page.locator('.problem', {hasText: /there is no model of this name/}).waitFor();
    await assertAccessible(page);
  });
}

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
