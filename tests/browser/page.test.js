import assert from 'node:assert/strict';
import {statSync} from 'node:fs';
import {embedded} from '../support/embedded-model.js';
import {
  acceptedTexts,
  inResearcherView,
  openPage,
  phone,
  researcherTest,
  server,
  token,
  userTest,
  waitForTokens,
} from './support.js';

import {pressInMore} from './more-menu.js';

/** @import {Page} from 'playwright-core' */

/** The size of the model's file. */
const megabytes = (statSync(embedded.path).size / 1e6).toFixed(1);

/** @param {Page} page */
const notice = (page) => page.locator('.notice');

userTest('the page opens on one sentence, with the cursor in it', {fresh: true}, async (page) => {
  const text = 'The children played in the garden until they were tired.';
  assert.equal(await page.locator('#text').inputValue(), text);
  assert.equal(await page.locator('#pair').isVisible(), false);
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'text');
  const status = (await page.locator('#status').textContent()) ?? '';
  const shape = `${megabytes} MB · ${embedded.layers} layers × ${embedded.heads} heads`;
  assert.match(status, new RegExp(`, ${shape} · computed here in [\\d.]+ ms$`));
});

userTest(
  'the page takes no text for HTML or for the script of a worker',
  {errors: /TrustedHTML|TrustedScriptURL|elsewhere\.example/},
  async (page) => assert.deepEqual(await acceptedTexts(page), []),
);

userTest('the first picture shows one head with strong lines', {}, async (page) => {
  const strong = await page.evaluate(() => {
    const root = /** @type {any} */ (document.querySelector('bert-scope')).shadowRoot;
    const canvas = root.querySelector('.lines canvas');
    const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 3; i < data.length; i += 4) count += Number(data[i] > 100);
    return count / (data.length / 4);
  });
  assert.ok(strong > 0.005, `${strong} of the picture is dark`);
});

researcherTest('nothing overflows at 390 × 844', phone, async (page) => {
  const text = 'Donaudampfschifffahrtsgesellschaftskapitän '.repeat(30);
  await openPage(page, inResearcherView(`#text=${encodeURIComponent(text)}&pair=b&heads=3`));
  const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.equal(widths[0], 390);
  assert.equal(widths[1], 390);
  const tops = (/** @type {string} */ selector) =>
    page.locator(selector).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  for (const large of [false, true]) {
    await page.evaluate(async (large) => {
      const scope = /** @type {any} */ (document.querySelector('bert-scope'));
      scope.choose({large});
      await scope.updateComplete;
    }, large);
    assert.equal(new Set(await tops('.views .segment')).size, 1);
    // Eight heads with “All” have room in a line.
    const lines = Math.ceil((embedded.heads + 1) / 9);
    assert.equal(new Set(await tops('.group .square, .group .all')).size, lines);
  }
});

userTest(
  'the theme follows the system until one is chosen',
  {colorScheme: 'dark'},
  async (page) => {
    const background = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const dark = await background();
    await page.locator('#preferences > summary').click();
    await page.locator('#theme').selectOption('light');
    const light = await background();
    assert.notEqual(light, dark);
    await page.emulateMedia({colorScheme: 'light'});
    await page.locator('#theme').selectOption('dark');
    assert.equal(await background(), dark);
    await page.locator('#theme').selectOption('auto');
    assert.equal(await background(), light);
  },
);

userTest('a bar shows the progress while the model loads', {open: false}, async (page) => {
  let release = () => {};
  server.faults.gate = new Promise((resolve) => (release = () => resolve(undefined)));
  try {
    await page.goto(server.url);
    // The file stops half-way.
    const progress = page.getByText(new RegExp(`^\\d+\\.\\d of ${megabytes} MB$`));
    await progress.waitFor();
    const loaded = parseFloat((await progress.textContent()) ?? '');
    assert.ok(loaded < Number(megabytes) / 2 + 0.1, `${loaded} of ${megabytes} MB`);
    assert.ok(await page.getByRole('progressbar', {name: 'Loading the model'}).isVisible());
  } finally {
    release();
    server.faults.gate = Promise.resolve();
  }
  await token(page, 'query', 1).waitFor();
});

userTest(
  'the page says that the model could not be loaded, and tries again on a click',
  {open: false, errors: /404/},
  async (page) => {
    server.faults.missingModel = true;
    try {
      await page.goto(server.url);
      await page.getByRole('alert').filter({hasText: 'could not be loaded'}).waitFor();
    } finally {
      server.faults.missingModel = false;
    }
    await page.getByRole('button', {name: 'Try again'}).click();
    await token(page, 'query', 1).waitFor();
  },
);

userTest('the page says that a browser lacks WebAssembly SIMD', {open: false}, async (page) => {
  server.faults.workerPrelude = 'WebAssembly.validate = () => false;\n';
  try {
    await page.goto(server.url);
    await page.getByRole('alert').filter({hasText: 'lacks WebAssembly SIMD'}).waitFor();
  } finally {
    server.faults.workerPrelude = '';
  }
});

userTest(
  'after a crash a new engine draws the text, and a notice says why',
  {open: false},
  async (page) => {
    await page.addInitScript(() => {
      const {Worker} = window;
      window.Worker = class extends Worker {
        /** @param {string | URL} url @param {WorkerOptions} [options] */
        constructor(url, options) {
          super(url, options);
          Object.assign(window, {lastWorker: this});
        }
      };
    });
    await openPage(page, '#text=the+cat&layer=0');
    await page.evaluate(() => {
      const {lastWorker} = /** @type {any} */ (window);
      lastWorker.dispatchEvent(new ErrorEvent('error', {message: 'out of memory'}));
    });
    await page.locator('#text').fill('the mat');
    await waitForTokens(page, ['[CLS]', 'the', 'mat', '[SEP]']);
    await page.getByText('had to be started again, and the model with it').waitFor();
    await page.getByText('out of memory').waitFor();
    await page.locator('#text').fill('the cat');
    await page.getByText('out of memory').waitFor({state: 'detached'});
  },
);

userTest(
  'a notice above the picture names what could not be loaded',
  {open: false, errors: /Failed to load resource|ERR_FAILED/},
  async (page) => {
    const parts =
      'bert-workbench|explore-later|matrix-view|presenter|model-manager|import-dialog|export-dialog';
    const anyPart = new RegExp(`/assets/(${parts})-[^/]*\\.js$`);
    await page.route(anyPart, (route) => route.abort());
    // A presentation fails before the browser has filled the screen.
    await page.addInitScript(() => {
      const {requestFullscreen} = Element.prototype;
      Element.prototype.requestFullscreen = function () {
        return new Promise((resolve) => {
          const fillScreen = () => requestFullscreen.call(this).then(resolve);
          Object.assign(window, {fillScreen});
        });
      };
    });
    await page.goto(server.url);
    await page.getByRole('button', {name: 'Next finding'}).waitFor();
    for (const name of ['How', 'What if', 'Matrix']) {
      // The view before is chosen again at once.
      await page.getByRole('radio', {name}).click();
      await notice(page)
        .filter({hasText: `“${name}” could not be loaded.`})
        .waitFor();
    }
    for (const name of ['Models…', 'Open attention from a file…']) {
      await pressInMore(page, name);
      await notice(page)
        .filter({hasText: `“${name}” could not be loaded.`})
        .waitFor();
    }
    await page.getByRole('button', {name: 'Present'}).click();
    await notice(page).filter({hasText: '“Present” could not be loaded.'}).waitFor();
    // Without its bar, a presentation could not be left.
    await page.getByRole('button', {name: 'Present'}).waitFor();
    await page.evaluate(() => /** @type {any} */ (window).fillScreen());
    await page.waitForFunction(() => !document.fullscreenElement);
    await page.getByRole('button', {name: 'Export'}).click();
    await notice(page).filter({hasText: '“Export” could not be loaded.'}).waitFor();
    assert.equal(await page.locator('.head-view').count(), 1, 'the picture before stays');
    assert.equal(await page.getByRole('radio', {name: 'Head', exact: true}).isChecked(), true);

    // The host may have them again.
    await page.unroute(anyPart);
    await page.getByRole('radio', {name: 'Matrix'}).check();
    await page.locator('.matrix-view').waitFor();
    const [{type}] = await page.evaluate(() =>
      performance.getEntriesByType('navigation').map((each) => each.toJSON()),
    );
    assert.equal(type, 'navigate', 'only the reader reloads the page');
  },
);

userTest(
  'while the file of a view is on its way, the view before shows what is typed',
  {open: false},
  async (page) => {
    /** @type {() => void} */
    let arrive = () => {};
    const arrival = new Promise((resolve) => (arrive = () => resolve(undefined)));
    await page.route(/\/assets\/matrix-view-/, async (route) => {
      await arrival;
      await route.continue();
    });
    await page.goto(`${server.url}#text=the+cat&layer=0`);
    await waitForTokens(page, ['[CLS]', 'the', 'cat', '[SEP]']);
    await page.getByRole('radio', {name: 'Matrix'}).check();
    await page.locator('#text').fill('the mat');
    await waitForTokens(page, ['[CLS]', 'the', 'mat', '[SEP]']);
    assert.equal(await page.locator('.head-view').count(), 1);
    arrive();
    await page.locator('.matrix-view').waitFor();
  },
);

userTest(
  'Export opens one dialog, however often it is pressed while its file is on its way',
  {open: false},
  async (page) => {
    /** @type {() => void} */
    let arrive = () => {};
    const arrival = new Promise((resolve) => (arrive = () => resolve(undefined)));
    await page.route(/\/assets\/export-dialog-/, async (route) => {
      await arrival;
      await route.continue();
    });
    await page.goto(`${server.url}#text=the+cat`);
    const button = page.getByRole('button', {name: 'Export'});
    for (let press = 0; press < 3; press++) await button.click();
    arrive();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({state: 'detached'});
  },
);

userTest(
  'what the first picture does not need is loaded after it, without a click',
  {fresh: true},
  async (page) => {
    const parts = ['bert-workbench', 'explore-later', 'styled-neuron-view', 'model-manager'];
    const whenLoaded = await page.waitForFunction((parts) => {
      const [{startTime: drawn}] = performance.getEntriesByName('bertscope:first-attention');
      const files = performance.getEntriesByType('resource');
      const begun = parts.map(
        (part) => files.find(({name}) => name.includes(`/assets/${part}-`))?.startTime,
      );
      return begun.includes(undefined) ? null : begun.map((start = 0) => start > drawn);
    }, parts);
    assert.deepEqual(await whenLoaded.jsonValue(), [true, true, true, true]);
  },
);

userTest(
  'several elements share one engine and one model',
  {fresh: true, hash: '#text=the+cat&layer=0'},
  async (page) => {
    const tokens = await page.evaluate(async (lastLayer) => {
      const [first] = /** @type {any} */ (document.querySelectorAll('bert-scope'));
      const second = /** @type {any} */ (document.createElement('bert-scope'));
      second.setAttribute('text', 'the mat');
      second.setAttribute('heads', '1');
      const ready = new Promise((resolve) => second.addEventListener('result', resolve));
      document.body.append(second);
      await ready;
      // The first element asks for another layer after the model has run another text.
      first.layer = lastLayer;
      await first.updateComplete;
      const models = performance
        .getEntriesByType('resource')
        .filter(({name}) => /worker/.test(name)).length;
      return {first: first.result.tokens, second: second.result.tokens, workers: models};
    }, embedded.layers - 1);
    assert.deepEqual(tokens.first, ['[CLS]', 'the', 'cat', '[SEP]']);
    assert.deepEqual(tokens.second, ['[CLS]', 'the', 'mat', '[SEP]']);
    assert.equal(tokens.workers, 1);
    assert.equal(await page.locator('.head-view').count(), 2);
  },
);

userTest(
  'a layer chosen just as the first picture arrives is drawn',
  {fresh: true, hash: '#text=the+cat&layer=0'},
  async (page) => {
    await page.evaluate((lastLayer) => {
      const scope = /** @type {any} */ (document.createElement('bert-scope'));
      scope.text = 'the mat';
      scope.addEventListener('result', () => (scope.layer = lastLayer), {once: true});
      document.querySelector('bert-scope')?.replaceWith(scope);
    }, embedded.layers - 1);
    await waitForTokens(page, ['[CLS]', 'the', 'mat', '[SEP]']);
  },
);

userTest(
  'a saved snapshot is drawn without a model',
  {hash: '#text=the+cat&layer=0'},
  async (page) => {
    const frozen = {
      tokens: ['le', 'chat'],
      token_type_ids: [0, 0],
      attentions: [[[[0.25, 0.75], [1, 0]]]], // prettier-ignore
    };
    await page.route('**/frozen.json', (route) => route.fulfill({json: frozen}));
    await page.evaluate(() =>
      document.querySelector('bert-scope')?.setAttribute('src', 'frozen.json'),
    );
    await waitForTokens(page, frozen.tokens);
    await token(page, 'query', 0).hover();
    await page.locator('.key .value', {hasText: '0.750'}).waitFor();
  },
);
