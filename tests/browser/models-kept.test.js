import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {badModels} from '../support/bad-models.js';
import {hub, loadByName, modelTest, root, text, withoutHub} from './model-hub.js';
import {
  keptPaths,
  openKept,
  openManager,
  waitForKept,
  waitForModel,
  waitForPicture,
  waitForWord,
} from './models.js';
import {inResearcherView, server, waitForTokens} from './support.js';

/** @import {Page} from 'playwright-core' */

/** Opens the page. @param {Page} page @param {string} prelude  the code that the engine's worker runs first */
async function openWithWorker(page, prelude) {
  server.faults.workerPrelude = prelude;
  try {
    await page.goto(server.url + text);
    await waitForTokens(page, ['[CLS]', 'the', 'cat', 'sat', '[SEP]']);
  } finally {
    server.faults.workerPrelude = '';
  }
}

modelTest(
  'a load that fails says why, keeps nothing and leaves the model before',
  // Names that are typed slowly are searched for, too, while the hub lets no other page read.
  {errors: /Failed to load resource|blocked by CORS policy/},
  async (page) => {
    const before = await page.locator('#status').textContent();
    for (const [name, spoil, message] of /** @type {[string, () => void, RegExp][]} */ ([
      ['someone/none', () => {}, /there is no model of this name/],
      [
        'someone/odd-sizes',
        () => (hub.faults.status = 401),
        /nothing of this name, or reading it needs a login/,
      ],
      [
        'someone/odd-sizes',
        () => (hub.faults.status = 403),
        /nothing of this name, or reading it needs a login/,
      ],
      ['someone/odd-sizes', () => (hub.faults.isOpen = false), /does not let other pages read it/],
      ['someone/odd-sizes', () => (hub.faults.status = 429), /wants fewer requests/],
    ])) {
      spoil();
      await loadByName(page, name);
      await page.locator('.problem', {hasText: message}).waitFor();
      Object.assign(hub.faults, {status: 200, isOpen: true});
      await page.getByRole('button', {name: 'Close'}).last().click();
    }
    assert.deepEqual(await keptPaths(page), []);
    await page.locator('#text').fill('flies');
    await waitForWord(page, 'flies');
    assert.equal(
      (await page.locator('#status').textContent())?.split(' · ')[0],
      before?.split(' · ')[0],
    );
  },
);

modelTest(
  'every kind of bad model is refused with its fault and place; kept models stay, and the model before answers',
  {open: false},
  async (page) => {
    // Waits between attempts are a hundred times shorter, so that the engine soon gives up a connection that stays
    // broken. How long it waits for an answer (10 s and more) is left, since the embedded model takes its time.
    const prelude = `((wait) => {
      self.setTimeout = (act, ms) => wait(act, ms < 10_000 ? ms / 100 : ms);
    })(self.setTimeout);`;
    await openWithWorker(page, prelude);
    await loadByName(page, 'someone/odd-sizes');
    await waitForModel(page, 'odd-sizes,');
    const before = await keptPaths(page);
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
      assert.deepEqual(await keptPaths(page), before, what);
      await page.getByRole('button', {name: 'Close'}).last().click();
      const word = ['banana', 'arrow'][index % 2];
      await page.locator('#text').fill(word);
      await waitForWord(page, word);
      assert.match((await page.locator('#status').textContent()) ?? '', /^odd-sizes, /, what);
    }
  },
);

modelTest(
  'one click goes back to the embedded model, from a missing model and from any other',
  {open: false, errors: undefined},
  async (page) => {
    await page.goto(`${server.url}#text=the+cat&model=kept:nothing`);
    await page.locator('bert-scope').getByText('could not be loaded').waitFor();
    await page.getByRole('button', {name: 'Use the small teaching model'}).click();
    await waitForModel(page, 'bertscope-default');
    await page.waitForFunction(() => !location.hash.includes('model='));
    await openManager(page);
    await page.getByText('In use: the small teaching model').waitFor();
    await page.locator('#models-folder').setInputFiles(join(root, 'odd-sizes'));
    await waitForModel(page, 'odd-sizes');
    await page.getByRole('button', {name: 'Export'}).click();
    await page.getByText('a link opens it here only').waitFor();
    await page.getByRole('button', {name: 'Close'}).last().click();
    await openManager(page);
    await page.locator('dialog.models p', {hasText: /In use:\s+odd-sizes/}).waitFor();
    await page.getByRole('listitem').filter({hasText: 'in use'}).waitFor();
    await page.getByRole('button', {name: 'Use the small teaching model'}).click();
    await waitForModel(page, 'bertscope-default');
  },
);

modelTest(
  'a model that storage has no room for runs, and the page says that it is not kept',
  {open: false},
  async (page) => {
    const prelude = `Cache.prototype.put = async (key, response) => {
      await response.body.getReader().read();
      throw new DOMException('no room', 'QuotaExceededError');
    };`;
    await openWithWorker(page, prelude);
    await loadByName(page, 'someone/odd-sizes');
    await waitForPicture(page, 'odd-sizes');
    await openManager(page);
    const notice = /runs, but is not kept: odd-sizes: expected room .* found too little.*no room/;
    await page.locator('.notice', {hasText: notice}).waitFor();
    assert.deepEqual(await keptPaths(page), []);
    await page.getByRole('button', {name: 'Close'}).last().click();
    await page.locator('#text').fill('flies');
    await waitForWord(page, 'flies');
  },
);

modelTest(
  'where the browser lets the page store nothing, a model is kept until the page is closed',
  {open: false},
  async (page) => {
    // A private window of Firefox fails like this.
    const prelude = `Object.defineProperty(self, 'caches', {get() {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    }});`;
    await openWithWorker(page, prelude);
    await loadByName(page, 'someone/odd-sizes');
    await waitForPicture(page, 'odd-sizes,');
    await openManager(page);
    const kept = page.getByRole('region', {name: 'Kept'});
    await kept.getByText('This browser lets the page store nothing').waitFor();
    await kept.getByRole('listitem').filter({hasText: 'odd-sizes'}).waitFor();
    await page.getByRole('button', {name: 'Use the small teaching model'}).click();
    await waitForPicture(page, 'bertscope-default');
    await withoutHub(async () => {
      await openKept(page, 'someone/odd-sizes');
      await waitForPicture(page, 'odd-sizes,');
    });
    assert.deepEqual(await keptPaths(page), []);
    await page.goto(server.url + text);
    await page.reload();
    await openManager(page);
    await kept.getByText('None yet.').waitFor();
    assert.equal(await kept.getByRole('listitem').count(), 0);
  },
);

modelTest(
  'a damaged kept model is refused and removed, and the model before answers',
  {},
  async (page) => {
    const before = await page.locator('#status').textContent();
    await openManager(page);
    await page.locator('#models-folder').setInputFiles(join(root, 'odd-sizes'));
    await waitForModel(page, 'odd-sizes');
    await page.goto(server.url + text);
    await page.reload();
    await waitForTokens(page, ['[CLS]', 'the', 'cat', 'sat', '[SEP]']);
    // One bit of the last weight changes, so the file keeps its length and every number stays finite.
    await page.evaluate(async () => {
      const cache = await caches.open('bertscope-models-1');
      const key = (await cache.keys()).find(({url}) => url.includes('/weights'));
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
    assert.deepEqual(await keptPaths(page), []);
    await page.getByRole('button', {name: 'Close'}).last().click();
    await page.locator('#text').fill('flies');
    await waitForWord(page, 'flies');
    const name = (/** @type {string | null} */ status) => status?.split(' · ')[0];
    assert.equal(name(await page.locator('#status').textContent()), name(before));
  },
);

modelTest(
  'a model is kept although the reader has deleted what the page stored while it runs',
  {},
  async (page) => {
    const load = () => page.locator('#models-folder').setInputFiles(join(root, 'odd-sizes'));
    await openManager(page);
    await load();
    await waitForKept(page, 'kept:odd-sizes');
    await page.evaluate(async () => {
      for (const name of await caches.keys()) await caches.delete(name);
    });
    assert.deepEqual(await keptPaths(page), []);
    await openManager(page);
    await load();
    await waitForKept(page, 'kept:odd-sizes');
  },
);

modelTest(
  'the keyboard alone loads a model, opens the list of kept models and removes it',
  {hash: inResearcherView(text)},
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
