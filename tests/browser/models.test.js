import assert from 'node:assert/strict';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, relative} from 'node:path';
import {after, before} from 'node:test';
import {fileURLToPath} from 'node:url';
import {zipSync} from 'fflate';
import {openModel} from '../../scripts/cli/source.mjs';
import {expectedOf, part, runtime} from '../engine/support.js';
import {badModels} from '../support/bad-models.js';
import {serveHub} from '../support/hub-server.js';
import {assertAccessible} from './axe.js';
import {eventually} from '../support/eventually.js';
import {engineAttention, server, userTest, waitForTokens} from './support.js';

/** @import {Page} from 'playwright-core' */

const golden = fileURLToPath(new URL('../golden', import.meta.url));
const families = [
  'distilbert',
  'roberta',
  'xlm-roberta',
  'camembert',
  'electra-small',
  'albert',
  'odd-sizes',
];
const text = '#text=the+cat+sat';
/** What PyTorch computed the attention of, for the model of odd sizes. */
const goldenText = '#text=time+flies+like+[MASK]&pair=fruit+flies+like+a+banana';
/** A hub answers so where a model has no such file. */
const notFound = /Failed to load resource/;

/** @type {Awaited<ReturnType<typeof serveHub>>} */
let hub;
/** @type {string} */
let root;

before(async () => {
  root = mkdtempSync(join(tmpdir(), 'bertscope-models-'));
  for (const name of families) {
    mkdirSync(join(root, name));
    for (const file of filesOf(name)) cpSync(join(golden, name, file), join(root, name, file));
  }
  makeSentenceTransformer('sentences');
  // Of a known name, and of another revision than the first.
  cpSync(join(root, 'odd-sizes'), join(root, 'bert-base-uncased'), {recursive: true});
  cpSync(join(root, 'roberta'), join(root, 'odd-sizes@v2'), {recursive: true});
  mkdirSync(join(root, 'quantized'));
  hub = await serveHub(root);
});
after(() => {
  hub?.close();
  rmSync(root, {recursive: true});
});

/** @param {string} name What a reader has of a model. */
function filesOf(name) {
  const isText = (/** @type {string} */ file) => /\.(json|txt)$/.test(file);
  return readdirSync(join(golden, name)).filter(
    (file) => isText(file) || file === 'model.safetensors',
  );
}

/**
 * A folder as older sentence-transformers wrote it: the model is one level deeper.
 * @param {string} name
 */
function makeSentenceTransformer(name) {
  const folder = join(root, name);
  cpSync(join(root, 'odd-sizes'), join(folder, '0_Transformer'), {recursive: true});
  const modules = ['0_Transformer', '1_Pooling'].map((path, idx) => {
    return {idx, name: String(idx), path, type: 'sentence_transformers.models'};
  });
  writeFileSync(join(folder, 'modules.json'), JSON.stringify(modules));
  writeFileSync(join(folder, 'config.json'), '{"__version__": "0.2.0"}');
  mkdirSync(join(folder, '1_Pooling'));
  writeFileSync(join(folder, '1_Pooling/config.json'), '{"word_embedding_dimension": 60}');
}

/** A zip archive of a folder. @param {string} name */
function zipOf(name) {
  const files = readdirSync(join(root, name), {recursive: true, withFileTypes: true});
  const entries = files
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [`x/${relative(join(root, name), path)}`, new Uint8Array(readFileSync(path))]);
  return Buffer.from(zipSync(Object.fromEntries(entries)));
}

/** @param {string} name */
async function quantizedFile(name) {
  const model = await runtime.load(await openModel(join(golden, name)));
  return Buffer.concat([...model.quantizedFile()]);
}

/** @param {Page} page */
async function openManager(page) {
  await page.getByRole('button', {name: 'Models…'}).click();
  await page.getByRole('heading', {name: 'Models', exact: true}).waitFor();
}

/** @param {Page} page @param {string} name On the hub. @param {string} [endpoint] */
async function loadByName(page, name, endpoint = hub.url) {
  await openManager(page);
  const address = page.getByLabel('Address of the hub');
  if (!(await address.isVisible())) await page.getByText('Another hub, or a model').click();
  await address.fill(endpoint);
  await page.getByLabel('Name on the Hugging Face hub').fill(name);
  await page.getByRole('button', {name: 'Load', exact: true}).click();
}

/** Until the model's attention is drawn. @param {Page} page @param {string} name */
async function waitForModel(page, name) {
  await page.waitForFunction((name) => {
    const status = document.querySelector('#status')?.textContent ?? '';
    const scope = /** @type {any} */ (document.querySelector('bert-scope'));
    return status.startsWith(name) && scope.result && scope.shadowRoot.querySelector('canvas');
  }, name);
}

/** Until the page's address has a model. @param {Page} page @param {string} source */
async function waitForAddress(page, source) {
  await page.waitForFunction(
    (source) => new URLSearchParams(location.hash.slice(1)).get('model') === source,
    source,
  );
}

/** Until each view has drawn it. @param {Page} page */
async function visitViews(page) {
  for (const view of ['Model', 'Neuron', 'Matrix', 'Head']) {
    await page.getByRole('radio', {name: view, exact: true}).check();
    await page.locator(`.${view.toLowerCase()}-view`).waitFor();
  }
}

/**
 * That the page's attention to the golden text is what PyTorch computed, where it is known.
 * @param {Page} page @param {string} name
 */
async function assertGolden(page, name) {
  if (name !== 'odd-sizes') return;
  const {attentions, input_ids: ids} = await expectedOf(name);
  const vocabulary = readFileSync(join(golden, name, 'vocab.txt'), 'utf8').split('\n');
  const tokens = Array.from(part(ids, 0), (id) => vocabulary[id]);
  await page.waitForFunction((tokens) => {
    const {result} = /** @type {any} */ (document.querySelector('bert-scope'));
    return result.tokens.join(' ') === tokens;
  }, tokens.join(' '));
  const found = (await engineAttention(page, 2)).flat(2);
  const expected = part(attentions, 2, 0);
  const sum = found.reduce((sum, weight, at) => sum + Math.abs(weight - expected[at]), 0);
  // Of weights in int8, summed over random ones in 60 dimensions.
  assert(sum / expected.length < 0.005);
}

/** Until one word is the text, in whatever pieces. @param {Page} page @param {string} word */
async function waitForWord(page, word) {
  await page.waitForFunction((word) => {
    const {tokens} = /** @type {any} */ (document.querySelector('bert-scope')).result;
    return tokens.join('').replaceAll('##', '') === `[CLS]${word}[SEP]`;
  }, word);
}

/** @param {Page} page */
const sources = (page) =>
  page.evaluate(async () => {
    const keys = await (await caches.open('bertscope-models-1')).keys();
    return keys.map(({url}) => decodeURIComponent(new URL(url).pathname)).sort();
  });

/** Until a model is stored, its note last. @param {Page} page @param {string} source */
async function waitForKept(page, source) {
  await eventually(`${source} to be kept`, async () => {
    const kept = await sources(page);
    assert(kept.includes(`/note/${source}`), kept.join());
  });
}

/** @param {Page} page @param {string} prelude  what the engine's worker runs first */
async function openWithWorker(page, prelude) {
  server.faults.workerPrelude = prelude;
  try {
    await page.goto(`${server.url}${text}`);
    await waitForTokens(page, ['[CLS]', 'the', 'cat', 'sat', '[SEP]']);
  } finally {
    server.faults.workerPrelude = '';
  }
}

/**
 * Files or folders are let go of over the page, as the system's file manager does it.
 * @param {Page} page @param {string[]} paths
 */
async function drop(page, paths) {
  const client = await page.context().newCDPSession(page);
  const data = {items: [], files: paths, dragOperationsMask: 1};
  for (const type of /** @type {const} */ (['dragEnter', 'dragOver', 'drop']))
    await client.send('Input.dispatchDragEvent', {type, x: 400, y: 300, data});
}

for (const name of families) {
  userTest(
    `${name}: from the hub to views, and again with the server stopped`,
    {hash: text, errors: notFound, fresh: true},
    async (page) => {
      await loadByName(page, `someone/${name}`);
      await waitForModel(page, name);
      await waitForAddress(page, `hub:someone/${name}`);
      await visitViews(page);
      await waitForKept(page, `hub:someone/${name}`);
      hub.faults.status = 503;
      hub.requests.length = 0;
      try {
        await page.reload();
        await waitForModel(page, name);
        assert.deepEqual(hub.requests, []);
      } finally {
        hub.faults.status = 200;
      }
    },
  );
}

userTest(
  'every family comes from a folder, a zip archive and an address',
  {hash: goldenText, errors: notFound, fresh: true},
  async (page) => {
    const address = (/** @type {string} */ name) =>
      `${hub.url}/someone/quantized/resolve/main/${name}-quantized.safetensors`;
    for (const name of families) {
      const quantized = await quantizedFile(name);
      writeFileSync(join(root, 'quantized', `${name}-quantized.safetensors`), quantized);
      await openManager(page);
      await page.locator('#models-folder').setInputFiles(join(golden, name));
      await waitForModel(page, `${name},`);
      await assertGolden(page, name);
      await visitViews(page);
      await openManager(page);
      await page.locator('#models-files').setInputFiles({
        name: `${name}-zipped.zip`,
        mimeType: 'application/zip',
        buffer: zipOf(name),
      });
      await waitForModel(page, `${name}-zipped,`);
      await assertGolden(page, name);
      await openManager(page);
      await page.getByLabel('Name on the Hugging Face hub').fill(address(name));
      await page.getByRole('button', {name: 'Load', exact: true}).click();
      await waitForModel(page, `${name}-quantized,`);
      await assertGolden(page, name);
    }
    // What came from an address, too, is there when nobody answers.
    const last = families[families.length - 1];
    await page.waitForURL((url) => url.hash.includes(`${last}-quantized`));
    await waitForKept(page, address(last));
    hub.faults.status = 503;
    hub.requests.length = 0;
    try {
      await page.reload();
      await waitForModel(page, `${last}-quantized,`);
      assert.deepEqual(hub.requests, []);
    } finally {
      hub.faults.status = 200;
    }
  },
);

userTest(
  'a folder, a zip archive and a quantized file each become the model',
  {hash: text, errors: notFound, fresh: true},
  async (page) => {
    await openManager(page);
    await page.locator('#models-folder').setInputFiles(join(root, 'roberta'));
    await waitForModel(page, 'roberta');
    const tokens = await page.evaluate(
      () => /** @type {any} */ (document.querySelector('bert-scope')).result.tokens,
    );
    assert.deepEqual(tokens, ['<s>', 't', 'he', 'Ġcat', 'Ġs', 'at', '</s>']);
    assert.deepEqual(await drawnTokens(page), ['<s> t he ▁cat ▁s at </s>']);
    // In the lessons, too.
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
    assert.deepEqual(await sources(page), ['/note/kept:roberta', '/weights/kept:roberta']);
    await page.locator('#models-files').setInputFiles(path);
    await waitForModel(page, 'quantized');
  },
);

userTest(
  'a model that labels words comes from a folder, and the page says that it does not do so here',
  {hash: text, errors: notFound, fresh: true},
  async (page) => {
    const folder = join(root, 'names');
    mkdirSync(folder);
    for (const file of filesOf('half-classifier'))
      cpSync(join(golden, 'half-classifier', file), join(folder, file));
    const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
    config.architectures = ['BertForTokenClassification'];
    writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
    await openManager(page);
    await page.locator('#models-folder').setInputFiles(folder);
    await waitForModel(page, 'names');
    const said = page.locator('#status', {hasText: 'its classifier of tokens (NER) is left out'});
    await said.waitFor();
    await waitForKept(page, 'kept:names');
    await page.reload();
    await waitForModel(page, 'names');
    await said.waitFor();
    await page.evaluate(() => (location.hash = ''));
    await said.waitFor({state: 'detached'});
  },
);

userTest(
  'a folder, an archive, a quantized file and loose files that are dropped each become the model',
  {hash: text, errors: notFound, fresh: true},
  async (page) => {
    // Laid out as sentence-transformers do; a browser lists a hundred files of a folder at a time.
    makeSentenceTransformer('dropped-folder');
    const folder = join(root, 'dropped-folder');
    for (let i = 0; i < 120; i++) writeFileSync(join(folder, '0_Transformer', `${i}.log`), '');
    await drop(page, [folder]);
    await waitForModel(page, 'dropped-folder,');
    await visitViews(page);

    const archive = join(root, 'packed.zip');
    writeFileSync(archive, zipOf('sentences'));
    await drop(page, [archive]);
    await waitForModel(page, 'packed,');
    await visitViews(page);

    const quantized = join(root, 'dropped.safetensors');
    writeFileSync(quantized, await quantizedFile('distilbert'));
    await drop(page, [quantized]);
    await waitForModel(page, 'dropped,');
    await visitViews(page);

    await drop(
      page,
      filesOf('albert').map((file) => join(root, 'albert', file)),
    );
    await waitForModel(page, 'model,');
    await visitViews(page);
  },
);

userTest(
  'a model that fails leaves the one before, says why, and keeps nothing',
  {hash: text, errors: notFound, fresh: true},
  async (page) => {
    const before = await page.locator('#status').textContent();
    for (const [name, spoil, message] of /** @type {[string, () => void, RegExp][]} */ ([
      ['someone/none', () => {}, /found no config\.json there; check its name/],
      ['someone/odd-sizes', () => (hub.faults.status = 401), /needs a login/],
      ['someone/odd-sizes', () => (hub.faults.status = 403), /needs a login/],
      ['someone/odd-sizes', () => (hub.faults.isOpen = false), /does not let other pages read it/],
      ['someone/odd-sizes', () => (hub.faults.status = 429), /wants fewer requests/],
    ])) {
      spoil();
      await loadByName(page, name);
      await page.locator('.problem', {hasText: message}).waitFor();
      Object.assign(hub.faults, {status: 200, isOpen: true});
      await page.getByRole('button', {name: 'Close'}).last().click();
    }
    assert.deepEqual(await sources(page), []);
    await page.locator('#text').fill('flies');
    await waitForWord(page, 'flies');
    assert.equal(
      (await page.locator('#status').textContent())?.split(' · ')[0],
      before?.split(' · ')[0],
    );
  },
);

userTest(
  'a bad model of any kind is refused by what is wrong and where; the kept ones stay, and the one before answers',
  {hash: text, errors: notFound, open: false},
  async (page) => {
    // So that a connection that stays broken is given up at once, not after a quarter of a minute.
    const prelude = `((wait) => {
      self.setTimeout = (act, milliseconds) => wait(act, milliseconds / 100);
    })(self.setTimeout);`;
    await openWithWorker(page, prelude);
    await loadByName(page, 'someone/odd-sizes');
    await waitForModel(page, 'odd-sizes,');
    await waitForKept(page, 'hub:someone/odd-sizes');
    const before = await sources(page);
    const bad = badModels(join(root, 'odd-sizes')).map(({files, ...model}) => {
      const chosen = Object.entries(files).map(([name, buffer]) => {
        return {name, mimeType: 'application/octet-stream', buffer};
      });
      return {...model, load: () => page.locator('#models-files').setInputFiles(chosen)};
    });
    const bytes = readFileSync(join(root, 'distilbert/model.safetensors')).length;
    bad.push({
      what: 'a connection that stays broken',
      says: `distilbert/resolve/main/model.safetensors: expected ${bytes} bytes, found the connection broken after 100000`,
      load: async () => {
        hub.faults.cuts = Array(20).fill(100_000);
        await page.getByLabel('Name on the Hugging Face hub').fill('someone/distilbert');
        await page.getByRole('button', {name: 'Load', exact: true}).click();
      },
    });
    const kept = page.getByRole('region', {name: 'Kept'}).getByRole('listitem');
    for (const [index, {what, says, load}] of bad.entries()) {
      await openManager(page);
      await kept.filter({hasText: 'odd-sizes'}).waitFor();
      await load();
      try {
        await page.locator('.problem', {hasText: says}).waitFor();
      } finally {
        hub.faults.cuts = [];
      }
      assert.deepEqual(await kept.locator('bdi').allTextContents(), ['someone/odd-sizes'], what);
      assert.deepEqual(await sources(page), before, what);
      await page.getByRole('button', {name: 'Close'}).last().click();
      const word = ['banana', 'arrow'][index % 2];
      await page.locator('#text').fill(word);
      await waitForWord(page, word);
      assert.match((await page.locator('#status').textContent()) ?? '', /^odd-sizes, /, what);
    }
  },
);

userTest(
  'one click loads a well-known model, a name may have a revision, and both are listed with size and date',
  {hash: text, errors: notFound, fresh: true},
  async (page) => {
    const begun = Date.now();
    await openManager(page);
    await page.getByText('They were not yet tested with this page').waitFor();
    await page.getByText('Another hub, or a model').click();
    await page.getByLabel('Address of the hub').fill(hub.url);
    await page.getByRole('button', {name: 'Load google-bert/bert-base-uncased'}).click();
    await waitForModel(page, 'bert-base-uncased,');
    await waitForAddress(page, 'hub:google-bert/bert-base-uncased');
    await waitForKept(page, 'hub:google-bert/bert-base-uncased');

    hub.requests.length = 0;
    await loadByName(page, 'someone/odd-sizes@v3');
    const problem = /found no config\.json there; check its name and its revision \(v3\)/;
    await page.locator('.problem', {hasText: problem}).waitFor();
    await page.getByRole('button', {name: 'Close'}).last().click();
    await loadByName(page, 'someone/odd-sizes@v2');
    await waitForModel(page, 'odd-sizes,');
    await waitForAddress(page, 'hub:someone/odd-sizes@v2');
    await waitForKept(page, 'hub:someone/odd-sizes@v2');
    assert(hub.requests.includes('/someone/odd-sizes/resolve/v2/model.safetensors'));
    // The files of this revision are those of another family.
    await waitForTokens(page, ['<s>', 't', 'he', '▁cat', '▁s', 'at', '</s>']);

    await loadByName(page, 'someone/sentences');
    await waitForModel(page, 'sentences,');
    await visitViews(page);
    await waitForKept(page, 'hub:someone/sentences');
    await openManager(page);
    const kept = page.getByRole('region', {name: 'Kept'}).getByRole('listitem');
    for (const [index, [name, files]] of [
      ['someone/sentences', 'odd-sizes'],
      ['someone/odd-sizes@v2', 'roberta'],
      ['google-bert/bert-base-uncased', 'odd-sizes'],
    ].entries()) {
      await kept.nth(index).getByText(name, {exact: true}).waitFor();
      const facts = (await kept.nth(index).locator('small').textContent()) ?? '';
      const [size, date] = facts.replace(/\s+/g, ' ').trim().split(' · ').slice(-2);
      const bytes = (await quantizedFile(files)).length;
      assert.equal(size, `${(bytes / 1e6).toFixed(1)} MB`);
      const written = Date.parse(date);
      assert(written > begun - 60_000 && written <= Date.now(), date);
    }
  },
);

userTest(
  'a token opens what needs a login and is nowhere afterwards; a slow load tells how far it is, and is stopped',
  {hash: text, errors: notFound, fresh: true},
  async (page) => {
    const token = 'hf_onlyForThisPage';
    hub.faults.token = token;
    try {
      await loadByName(page, 'someone/electra-small');
      await page.locator('.problem', {hasText: 'reading it needs a login'}).waitFor();
      await page.getByLabel('Access token').fill(token);
      await page.getByRole('button', {name: 'Load', exact: true}).click();
      await waitForModel(page, 'electra-small,');
    } finally {
      hub.faults.token = '';
    }
    await waitForKept(page, 'hub:someone/electra-small');
    const before = await sources(page);
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
    assert.deepEqual(await sources(page), before);
    await page.getByRole('button', {name: 'Close'}).last().click();
    await page.locator('#text').fill('flies');
    await waitForWord(page, 'flies');
    await waitForModel(page, 'electra-small,');
    await page.reload();
    await openManager(page);
    assert.equal(await page.getByLabel('Access token').inputValue(), '');
  },
);

userTest(
  'two models are held side by side on one text, and the first answers after three more',
  {hash: text, errors: notFound, fresh: true},
  async (page) => {
    await loadByName(page, 'someone/distilbert');
    await waitForModel(page, 'distilbert');
    await page.getByRole('button', {name: 'Keep for comparison'}).click();
    await loadByName(page, 'someone/roberta');
    await waitForModel(page, 'roberta');
    await page.locator('figcaption', {hasText: 'distilbert: the cat sat'}).waitFor();
    await page.locator('figcaption', {hasText: 'roberta: the cat sat'}).waitFor();
    for (const name of ['camembert', 'electra-small', 'albert']) {
      await loadByName(page, `someone/${name}`);
      await waitForModel(page, name);
    }
    // It is asked for what it was not asked for before: queries and keys.
    await page.getByRole('radio', {name: 'Neuron', exact: true}).check();
    await page.locator('figure .neuron-view').nth(1).waitFor();
    await page.locator('figcaption', {hasText: 'distilbert: the cat sat'}).waitFor();
  },
);

userTest(
  'the embedded model is a click away from a model that is missing and from any other',
  {open: false},
  async (page) => {
    await page.goto(`${server.url}#text=the+cat&model=kept:nothing`);
    await page.locator('bert-scope').getByText('could not be loaded').waitFor();
    await page.getByRole('button', {name: 'Use the embedded model'}).click();
    await waitForModel(page, 'bertscope-default');
    await page.waitForFunction(() => !location.hash.includes('model='));
    await openManager(page);
    await page.getByText('In use: the embedded model').waitFor();
    await page.locator('#models-folder').setInputFiles(join(root, 'odd-sizes'));
    await waitForModel(page, 'odd-sizes');
    await page.getByRole('button', {name: 'Export'}).click();
    await page.getByText('a link opens it here only').waitFor();
    await page.getByRole('button', {name: 'Close'}).last().click();
    await openManager(page);
    await page.locator('#models p', {hasText: /In use:\s+odd-sizes/}).waitFor();
    await page.getByRole('listitem').filter({hasText: 'in use'}).waitFor();
    await page.getByRole('button', {name: 'Use the embedded model'}).click();
    await waitForModel(page, 'bertscope-default');
  },
);

/** What is drawn in each picture. @param {Page} page */
const drawnTokens = (page) =>
  page.evaluate(() => {
    const root = /** @type {any} */ (document.querySelector('bert-scope')).shadowRoot;
    return [...root.querySelectorAll('.head-view')].map((view) =>
      [...view.querySelectorAll('.query .piece')].map((piece) => piece.textContent).join(' '),
    );
  });

userTest(
  'two models that cut a text differently are compared word by word',
  {hash: '#text=The+cats,+in+the+river', errors: notFound, fresh: true},
  async (page) => {
    await loadByName(page, 'someone/electra-small');
    await waitForModel(page, 'electra-small');
    await page.getByRole('button', {name: 'Keep for comparison'}).click();
    await loadByName(page, 'someone/xlm-roberta');
    await waitForModel(page, 'xlm-roberta');
    await page.locator('figcaption', {hasText: 'xlm-roberta: The cats'}).waitFor();
    await page.locator('.aligned', {hasText: 'words are compared'}).waitFor();
    assert.deepEqual(await drawnTokens(page), [
      '[CLS] the cats, in the river [SEP]',
      '<s> The cats, in the river </s>',
    ]);
    // What is pinned in one picture is pinned in the other.
    await page.locator('.head-view').first().locator('.query .token').nth(2).click();
    await page.locator('.query .token[aria-pressed=true]').nth(1).waitFor();
    await page.getByRole('radio', {name: 'Difference'}).check();
    await page.locator('figcaption', {hasText: 'minus'}).waitFor();
    await page.locator('.aligned', {hasText: 'words are compared'}).waitFor();
    assert.deepEqual(await drawnTokens(page), ['[CLS] | <s> The cats, in the river [SEP] | </s>']);
  },
);

userTest(
  'a model that finds no room runs, and the page says that it is not kept',
  {hash: text, errors: notFound, open: false},
  async (page) => {
    const prelude = `Cache.prototype.put = async (key, response) => {
      await response.body.getReader().read();
      throw new DOMException('no room', 'QuotaExceededError');
    };`;
    await openWithWorker(page, prelude);
    await loadByName(page, 'someone/odd-sizes');
    await waitForModel(page, 'odd-sizes');
    await openManager(page);
    const notice = /runs, but is not kept: odd-sizes: expected room .* found too little.*no room/;
    await page.locator('.notice', {hasText: notice}).waitFor();
    assert.deepEqual(await sources(page), []);
    await page.getByRole('button', {name: 'Close'}).last().click();
    await page.locator('#text').fill('flies');
    await waitForWord(page, 'flies');
  },
);

userTest(
  'where the browser lets the page store nothing, a model is kept until the page is closed',
  {hash: text, errors: notFound, open: false},
  async (page) => {
    // As a private window of Firefox does.
    const prelude = `Object.defineProperty(self, 'caches', {get() {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    }});`;
    await openWithWorker(page, prelude);
    await loadByName(page, 'someone/odd-sizes');
    await waitForModel(page, 'odd-sizes,');
    await openManager(page);
    const kept = page.getByRole('region', {name: 'Kept'});
    await kept.getByText('This browser lets the page store nothing').waitFor();
    await kept.getByRole('listitem').filter({hasText: 'odd-sizes'}).waitFor();
    await page.getByRole('button', {name: 'Use the embedded model'}).click();
    await waitForModel(page, 'bertscope-default');
    hub.faults.status = 503;
    try {
      await openManager(page);
      await kept.getByRole('button', {name: 'Open'}).click();
      await waitForModel(page, 'odd-sizes,');
    } finally {
      hub.faults.status = 200;
    }
    assert.deepEqual(await sources(page), []);
    await page.goto(`${server.url}${text}`);
    await page.reload();
    await openManager(page);
    await kept.getByText('None yet.').waitFor();
    assert.equal(await kept.getByRole('listitem').count(), 0);
  },
);

userTest(
  'a kept model that was damaged is refused and removed, and the one before goes on',
  {hash: text, errors: notFound, fresh: true},
  async (page) => {
    const before = await page.locator('#status').textContent();
    await openManager(page);
    await page.locator('#models-folder').setInputFiles(join(root, 'odd-sizes'));
    await waitForModel(page, 'odd-sizes');
    await waitForKept(page, 'kept:odd-sizes');
    await page.goto(`${server.url}${text}`);
    await page.reload();
    await waitForTokens(page, ['[CLS]', 'the', 'cat', 'sat', '[SEP]']);
    // One bit of the last weight: the file is as long as before, and every number still a number.
    await page.evaluate(async () => {
      const cache = await caches.open('bertscope-models-1');
      const key = (await cache.keys()).find(({url}) => url.includes('/weights/'));
      const response = key && (await cache.match(key));
      if (!key || !response) throw new Error('nothing is kept');
      const bytes = new Uint8Array(await response.arrayBuffer());
      bytes[bytes.length - 4] ^= 1;
      await cache.put(key, new Response(bytes));
    });
    await openManager(page);
    const kept = page.locator('li', {hasText: 'odd-sizes'});
    await kept.getByRole('button', {name: 'Open'}).click();
    const problem = /the kept model odd-sizes: expected the bytes that were kept, found others/;
    await page.locator('.problem', {hasText: problem}).waitFor();
    assert.deepEqual(await sources(page), []);
    await page.getByRole('button', {name: 'Close'}).last().click();
    await page.locator('#text').fill('flies');
    await waitForWord(page, 'flies');
    const name = (/** @type {string | null} */ status) => status?.split(' · ')[0];
    assert.equal(name(await page.locator('#status').textContent()), name(before));
  },
);

for (const [how, options] of /** @type {const} */ ([
  ['', {}],
  [', in the dark', {colorScheme: 'dark'}],
  [', on a phone', {viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true}],
])) {
  userTest(
    `the dialog of models is accessible${how}`,
    {hash: text, errors: notFound, fresh: true, ...options},
    async (page) => {
      await openManager(page);
      await page.getByText('Another hub, or a model').click();
      await assertAccessible(page);
      await page.getByLabel('Address of the hub').fill(hub.url);
      await page.getByLabel('Name on the Hugging Face hub').fill('someone/none');
      await page.keyboard.press('Enter');
      await page.locator('.problem', {hasText: /found no config\.json/}).waitFor();
      await assertAccessible(page);
    },
  );
}

userTest(
  'a model is loaded, opened again and removed by the keyboard alone',
  {hash: text, errors: notFound, fresh: true},
  async (page) => {
    /** Presses Tab until the named thing has the focus. @param {string} name */
    const tabTo = async (name) => {
      for (let i = 0; i < 60; i++) {
        await page.keyboard.press('Tab');
        const focused = await page.evaluate(() => {
          const element = /** @type {any} */ (document.activeElement);
          return (element?.labels?.[0] ?? element)?.textContent?.trim() ?? '';
        });
        if (focused.startsWith(name)) return;
      }
      assert.fail(`Tab does not reach ${name}`);
    };
    await page.getByRole('button', {name: 'Models…'}).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', {name: 'Models', exact: true}).waitFor();
    await tabTo('Choose files');
    await tabTo('Choose a folder');
    await tabTo('Another hub, or a model');
    await page.keyboard.press('Enter');
    await tabTo('Address of the hub');
    await page.keyboard.type(hub.url);
    await tabTo('Name on the Hugging Face hub');
    await page.keyboard.type('someone/albert');
    await page.keyboard.press('Enter');
    await waitForModel(page, 'albert');
    const focused = () => page.evaluate(() => document.activeElement?.id);
    assert.equal(await focused(), 'choose-model');
    await page.keyboard.press('Enter');
    await page
      .getByRole('region', {name: 'Kept'})
      .getByText('someone/albert', {exact: true})
      .waitFor();
    await tabTo('Remove');
    await page.keyboard.press('Enter');
    await page.getByText('None yet.').waitFor();
    await page.waitForFunction(() => document.activeElement?.id === 'models-kept');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.activeElement?.id === 'choose-model');
  },
);
