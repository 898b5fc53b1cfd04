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
import {join} from 'node:path';
import {after, before} from 'node:test';
import {fileURLToPath} from 'node:url';
import {zipSync} from 'fflate';
import {createRuntime} from '../../scripts/cli/engine.mjs';
import {openModel} from '../../scripts/cli/source.mjs';
import {serveHub} from '../support/hub-server.js';
import {assertAccessible} from './axe.js';
import {server, userTest, waitForTokens} from './support.js';

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

/** A zip archive of a model's folder. @param {string} name */
function zipOf(name) {
  const entries = filesOf(name).map((file) => [
    `x/${file}`,
    new Uint8Array(readFileSync(join(golden, name, file))),
  ]);
  return Buffer.from(zipSync(Object.fromEntries(entries)));
}

/** @param {string} name */
async function quantizedFile(name) {
  const runtime = await createRuntime();
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

for (const name of families) {
  userTest(
    `${name}: from the hub to views, and again with the server stopped`,
    {hash: text, errors: notFound},
    async (page) => {
      await loadByName(page, `someone/${name}`);
      await waitForModel(page, name);
      assert.match(page.url(), new RegExp(`model=hub%3Asomeone%2F${name}`));
      for (const view of ['Model', 'Neuron', 'Matrix']) {
        await page.getByRole('radio', {name: view, exact: true}).check();
        await page.locator(`.${view.toLowerCase()}-view`).waitFor();
      }
      while (!(await sources(page)).some((path) => path.startsWith('/note/'))) {
        await page.waitForTimeout(20);
      }
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
  {hash: text, errors: notFound},
  async (page) => {
    const address = (/** @type {string} */ name) =>
      `${hub.url}/someone/${name}/resolve/main/${name}-quantized.safetensors`;
    for (const name of families) {
      const quantized = await quantizedFile(name);
      writeFileSync(join(root, name, `${name}-quantized.safetensors`), quantized);
      await openManager(page);
      await page.locator('#models-folder').setInputFiles(join(golden, name));
      await waitForModel(page, `${name},`);
      await openManager(page);
      await page.locator('#models-files').setInputFiles({
        name: `${name}-zipped.zip`,
        mimeType: 'application/zip',
        buffer: zipOf(name),
      });
      await waitForModel(page, `${name}-zipped,`);
      await openManager(page);
      await page.getByLabel('Name on the Hugging Face hub').fill(address(name));
      await page.getByRole('button', {name: 'Load', exact: true}).click();
      await waitForModel(page, `${name}-quantized,`);
    }
    // What came from an address, too, is there when nobody answers.
    const last = families[families.length - 1];
    await page.waitForURL((url) => url.hash.includes(`${last}-quantized`));
    const note = `/note/${address(last)}`;
    while (!(await sources(page)).includes(note)) await page.waitForTimeout(20);
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
  {hash: text, errors: notFound},
  async (page) => {
    await openManager(page);
    await page.locator('#models-folder').setInputFiles(join(root, 'roberta'));
    await waitForModel(page, 'roberta');
    const tokens = await page.evaluate(
      () => /** @type {any} */ (document.querySelector('bert-scope')).result.tokens,
    );
    assert.deepEqual(tokens, ['<s>', 't', 'he', 'Ġcat', 'Ġs', 'at', '</s>']);
    assert.deepEqual(await drawnTokens(page), ['<s> t he ▁cat ▁s at </s>']);

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
  {hash: text, errors: notFound},
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
    while (!(await sources(page)).includes('/note/kept:names')) await page.waitForTimeout(20);
    await page.reload();
    await waitForModel(page, 'names');
    await said.waitFor();
    await page.evaluate(() => (location.hash = ''));
    await said.waitFor({state: 'detached'});
  },
);

userTest('a dropped model becomes the model', {hash: text, errors: notFound}, async (page) => {
  const files = filesOf('albert').map((file) => [
    file,
    [...readFileSync(join(root, 'albert', file))],
  ]);
  await page.evaluate((files) => {
    const transfer = new DataTransfer();
    for (const [name, bytes] of files)
      transfer.items.add(new File([Uint8Array.from(/** @type {any} */ (bytes))], String(name)));
    document.body.dispatchEvent(
      new DragEvent('drop', {dataTransfer: transfer, bubbles: true, cancelable: true}),
    );
  }, files);
  await waitForModel(page, 'model');
});

userTest(
  'a model that fails leaves the one before, says why, and keeps nothing',
  {hash: text, errors: notFound},
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
    const broken = join(root, 'broken.safetensors');
    writeFileSync(
      broken,
      readFileSync(join(root, 'odd-sizes/model.safetensors')).subarray(0, 9000),
    );
    await openManager(page);
    await page
      .locator('#models-files')
      .setInputFiles([broken, join(root, 'odd-sizes/config.json')]);
    await page.locator('.problem', {hasText: /cut off|expected/}).waitFor();
    await page.getByRole('button', {name: 'Close'}).last().click();
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
  'two models are held side by side on one text, and the first answers after three more',
  {hash: text, errors: notFound},
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
  {hash: '#text=The+cats,+in+the+river', errors: notFound},
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
    server.faults.workerPrelude = `Cache.prototype.put = async (key, response) => {
      await response.body.getReader().read();
      throw new DOMException('no room', 'QuotaExceededError');
    };`;
    try {
      await page.goto(`${server.url}${text}`);
      await waitForTokens(page, ['[CLS]', 'the', 'cat', 'sat', '[SEP]']);
    } finally {
      server.faults.workerPrelude = '';
    }
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
  'a kept model that was damaged is refused and removed, and the one before goes on',
  {hash: text, errors: notFound},
  async (page) => {
    const before = await page.locator('#status').textContent();
    await openManager(page);
    await page.locator('#models-folder').setInputFiles(join(root, 'odd-sizes'));
    await waitForModel(page, 'odd-sizes');
    while (!(await sources(page)).includes('/note/kept:odd-sizes')) await page.waitForTimeout(20);
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
    {hash: text, errors: notFound, ...options},
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
  {hash: text, errors: notFound},
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
    await page.getByRole('region', {name: 'Kept'}).getByText('albert', {exact: true}).waitFor();
    await tabTo('Remove');
    await page.keyboard.press('Enter');
    await page.getByText('None yet.').waitFor();
    await page.waitForFunction(() => document.activeElement?.id === 'models-kept');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.activeElement?.id === 'choose-model');
  },
);
