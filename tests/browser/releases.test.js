import assert from 'node:assert/strict';
import {test} from 'node:test';
import {lessons} from '../../web/lessons/index.js';
import {eventually} from '../support/eventually.js';
import {computed, goTo} from './lesson-rows.js';
import {pressInMore} from './more-menu.js';
import {host, server} from './releases.js';
import {browser, waitForInput} from './support.js';

/** @import {BrowserContext, Page} from 'playwright-core' */

/**
 * Runs a test in a browser that has not seen the page before.
 *
 * @param {string} claim
 * @param {(context: BrowserContext) => Promise<void>} act
 * @param {{serviceWorkers?: 'allow' | 'block'}} [options]
 */
function releaseTest(claim, act, {serviceWorkers = 'allow'} = {}) {
  test(claim, {timeout: 300_000}, async () => {
    const context = await browser.newContext({serviceWorkers});
    context.setDefaultTimeout(20_000);
    try {
      await act(context);
    } finally {
      await context.close();
    }
  });
}

/** Opens the page in a new tab. @param {BrowserContext} context */
async function visit(context) {
  const page = await context.newPage();
  await page.goto(server.url);
  return page;
}

/** @param {Page} page */
const releaseOf = (page) => page.evaluate(() => document.documentElement.dataset.release);

/** Waits until a page has drawn its first picture, and fails if it is of another release. @param {Page} page @param {string} release */
async function isUp(page, release) {
  assert.equal(await releaseOf(page), release);
  await page.waitForFunction(
    () => performance.getEntriesByName('bertscope:first-attention').length > 0,
  );
}

/** Waits until a release is cached, and known to work. @param {Page} page @param {string} release */
const isKept = (page, release) =>
  eventually(`release ${release} to be kept`, async () => {
    const works = await page.evaluate(async (release) => {
      const url = new URL('it-works', (await navigator.serviceWorker.ready).scope).href;
      return Boolean(await caches.match(url, {cacheName: `bertscope-release-${release}`}));
    }, release);
    assert(works);
  });

/**
 * Waits until the service worker of a release has taken over. Until its files are cached, updates are asked for again and
 * again: one that began before the release was there finds nothing.
 *
 * @param {Page} page
 * @param {string} release
 */
async function isTakenOver(page, release) {
  const cache = `bertscope-release-${release}`;
  await eventually(`release ${release} to be cached`, async () => {
    const names = await page.evaluate(async () => {
      await (await navigator.serviceWorker.ready).update();
      return caches.keys();
    });
    assert(names.includes(cache));
  });
  const state = () =>
    page.evaluate(async () => {
      const {active, installing, waiting} = await navigator.serviceWorker.ready;
      return [installing, waiting, active].map((worker) => worker?.state ?? null);
    });
  await onceGivenWay(page, `the worker of ${release} to take over`, async () =>
    assert.deepEqual(await state(), [null, null, 'activated']),
  );
}

/**
 * Waits until a check holds that needs a newer service worker to take over, for which the one before has to end.
 *
 * Chromium starts a worker anew that is asked for a file while it is being stopped. While a debugger is attached, as it is
 * here, that worker goes on for five minutes; a reader's gives way (see tests/page/service-worker.test.js). Only that one
 * is stopped: the new one has to answer the pages that it takes over.
 *
 * @param {Page} page
 * @param {string} what  the state that is awaited, which the error names
 * @param {() => Promise<void>} check  throws an error that says what it found
 */
async function onceGivenWay(page, what, check) {
  const devTools = await page.context().newCDPSession(page);
  /** @type {Map<string, {versionId: string, status: string}>} */
  const workers = new Map();
  devTools.on('ServiceWorker.workerVersionUpdated', ({versions}) => {
    for (const version of versions) workers.set(version.versionId, version);
  });
  await devTools.send('ServiceWorker.enable');
  const isNow = (/** @type {string} */ wanted) =>
    [...workers.values()].find(({status}) => status === wanted);
  await eventually(
    what,
    async () => {
      const old = isNow('installed') && isNow('activated');
      if (old) await devTools.send('ServiceWorker.stopWorker', {versionId: old.versionId});
      await check();
    },
    120_000,
  );
  await devTools.detach();
}

/** Uses everything that the page loads only when it is asked for. @param {Page} page */
async function useEverything(page) {
  await page.bringToFront();
  // In the viewer this is no link.
  await page.locator('#places').getByText('Explore', {exact: true}).click();
  await page.getByRole('button', {name: 'Export'}).click();
  await page.locator('dialog.export').getByRole('button', {name: 'SVG', exact: true}).waitFor();
  await page.keyboard.press('Escape');
  await pressInMore(page, 'Models…');
  await page.getByRole('heading', {name: 'Models', exact: true}).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('radio', {name: 'What if'}).check();
  await page.getByRole('button', {name: 'Predict words'}).click();
  await page.locator('workbench-predictions').waitFor();
  await page.getByRole('link', {name: 'Lessons', exact: true}).click();
  await page
    .getByRole('link', {name: /Attention from scratch/})
    .first()
    .waitFor();
  await page.getByRole('link', {name: 'Docs', exact: true}).click();
  await page.locator('#place h2').first().waitFor();
}

releaseTest(
  'tabs of three releases work beside each other, and Reload brings each to the last',
  async (context) => {
    const tabs = [];
    for (const release of ['a', 'b', 'c']) {
      await host.deploy(release);
      const page = await visit(context);
      if (tabs.length) {
        await isTakenOver(page, release);
        await page.reload();
      }
      await isUp(page, release);
      await isKept(page, release);
      tabs.push(page);
    }
    const [a, b] = tabs;
    assert.deepEqual(await Promise.all([a, b].map(releaseOf)), ['a', 'b']);
    for (const page of tabs) await useEverything(page);
    for (const page of [a, b]) {
      await page.getByText('There is a new version of this page.').waitFor();
      await page.getByRole('button', {name: 'Reload'}).click();
      await page.waitForFunction(() => document.documentElement.dataset.release === 'c');
      await isUp(page, 'c');
    }
    await context.setOffline(true);
    const page = await visit(context);
    await isUp(page, 'c');
  },
);

releaseTest(
  'a release in the middle of a lesson changes nothing until the reader reloads, and then not what was typed',
  async (context) => {
    await host.deploy('a');
    const page = await visit(context);
    await isUp(page, 'a');
    await isKept(page, 'a');
    const [{id, steps}] = lessons;
    const at = (/** @type {number} */ i) => computed(page, `${id}/${steps[i].id}`);
    await goTo(page, `${id}/${steps[0].id}`);
    const next = page.locator('.stepping > button').last();
    await next.click();
    await at(1);
    const field = page.locator('.sentence-field textarea').first();
    await field.fill('the moon is new');

    await host.deploy('b');
    await isTakenOver(page, 'b');
    await page.getByText('There is a new version of this page.').waitFor();
    assert.equal(await field.inputValue(), 'the moon is new');
    for (let i = 2; i < steps.length; i++) {
      await next.click();
      await at(i);
    }
    assert.equal(await releaseOf(page), 'a');
    await goTo(page, `${id}/${steps[1].id}`);
    await field.fill('the moon is old');
    await page.getByRole('button', {name: 'Reload'}).click();
    await page.waitForFunction(() => document.documentElement.dataset.release === 'b');
    await at(1);
    await waitForInput(page, '.sentence-field textarea', 'the moon is old');
  },
);

releaseTest(
  'a page learns of a release that took over while the page was loading',
  async (context) => {
    await host.deploy('a');
    const first = await visit(context);
    await isUp(first, 'a');
    await isKept(first, 'a');
    // This page does not hear of the change, and asks its worker only afterwards.
    const loading = await context.newPage();
    await loading.addInitScript(() => {
      navigator.serviceWorker.addEventListener('controllerchange', (event) =>
        event.stopImmediatePropagation(),
      );
      const changed = new Promise((resolve) => Object.assign(window, {releaseChanged: resolve}));
      const {setTimeout} = window;
      Object.assign(window, {
        setTimeout(/** @type {() => void} */ action, /** @type {number} */ delay) {
          if (delay !== 3000) return setTimeout(action, delay);
          Object.assign(window, {isHeld: true});
          void changed.then(action);
        },
      });
    });
    await loading.goto(server.url);
    await isUp(loading, 'a');
    await loading.waitForFunction(() => 'isHeld' in window);
    await host.deploy('b');
    await isTakenOver(first, 'b');
    await loading.evaluate(() => /** @type {any} */ (window).releaseChanged());
    await loading.getByText('There is a new version of this page.').waitFor();
  },
);

releaseTest('a release goes back to the one before without a dead button', async (context) => {
  await host.deploy('a');
  const first = await visit(context);
  await isUp(first, 'a');
  await isKept(first, 'a');
  await host.deploy('b');
  const second = await visit(context);
  await isTakenOver(second, 'b');
  await second.reload();
  await isUp(second, 'b');
  await host.deploy('a');
  const third = await visit(context);
  await third.evaluate(async () => (await navigator.serviceWorker.ready).update());
  for (const page of [first, second]) await useEverything(page);
  // Until then the worker of b answers with its own page.
  await isTakenOver(third, 'a');
  await third.reload();
  await isUp(third, 'a');
  await useEverything(third);
});

for (const [broken, seen] of /** @type {const} */ ([
  ['broken', true],
  ['broken', false],
  ['broken-deaf', true],
])) {
  releaseTest(
    `${broken === 'broken' ? 'a release that does not come up' : 'a release with a broken worker too'} is replaced at the next visit${seen ? '' : ', also if it was the first'}`,
    async (context) => {
      if (seen) {
        await host.deploy('a');
        const page = await visit(context);
        await isUp(page, 'a');
        await isKept(page, 'a');
      }
      await host.deploy(broken);
      const page = await visit(context);
      if (seen && broken === 'broken') {
        await isTakenOver(page, broken);
        await page.reload();
        assert.equal(await releaseOf(page), broken);
      }
      await host.deploy('mended');
      const next = await visit(context);
      if (broken === 'broken') {
        await isUp(next, 'mended');
        await isTakenOver(next, 'mended');
        await isKept(next, 'mended');
        // The page is newer than the worker that it met first.
        assert.equal(await next.locator('#update').isVisible(), false);
      }
      // The worker of the first release is still in charge, and its page still works.
      else await isUp(next, 'a');
      await useEverything(next);
    },
  );
}

releaseTest(
  'what the first picture does not need is loaded too if the browser cannot keep the page',
  async (context) => {
    await host.deploy('full');
    const page = await visit(context);
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({name}) => name.includes('model-manager-')),
    );
  },
);

releaseTest('a host takes the service worker away', async (context) => {
  await host.deploy('a');
  const page = await visit(context);
  await isUp(page, 'a');
  await isKept(page, 'a');
  await host.switchOff();
  await visit(context);
  await onceGivenWay(page, 'the caches of releases to be gone', async () => {
    const names = await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      await registration?.update().catch(() => null);
      return caches.keys();
    });
    assert(!names.some((name) => name.startsWith('bertscope-release-')));
  });
  const next = await visit(context);
  await isUp(next, 'a');
  const passedWorker = await next.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation');
    return /** @type {PerformanceNavigationTiming} */ (navigation).workerStart > 0;
  });
  assert.equal(passedWorker, false);
});

releaseTest(
  'without a service worker, a page whose files are gone says that there is a new version',
  async (context) => {
    await host.deploy('a');
    const page = await visit(context);
    await isUp(page, 'a');
    await host.deploy('b');
    await page.getByRole('link', {name: 'Lessons'}).click();
    await page.getByText('This page could not be loaded').waitFor();
    await page.getByText('There is a new version of this page.').waitFor();
    assert.equal(await releaseOf(page), 'a', 'only the reader reloads the page');
    await page.getByRole('button', {name: 'Reload'}).click();
    await page.waitForFunction(() => document.documentElement.dataset.release === 'b');
    await page
      .getByRole('link', {name: /Attention from scratch/})
      .first()
      .waitFor();
    await useEverything(page);
  },
  {serviceWorkers: 'block'},
);

releaseTest(
  'a file that the host never has leads to a message, and not to a reload',
  async (context) => {
    await host.deploy('a');
    const page = await visit(context);
    await isUp(page, 'a');
    await page.route(/docs-page-.*js$/, (route) => route.fulfill({status: 404}));
    const asked = page.waitForResponse(
      (response) => response.url().split('#')[0] === server.url && response.ok(),
    );
    await page.getByRole('link', {name: 'Docs'}).click();
    await page.getByText('This page could not be loaded').waitFor();
    await (await asked).finished();
    assert.equal(await page.locator('#update').isVisible(), false);
    assert.equal(
      await page.evaluate(() => performance.getEntriesByType('navigation')[0].toJSON().type),
      'navigate',
    );
  },
  {serviceWorkers: 'block'},
);

releaseTest(
  'a section that could not be loaded without the network is whole when it is opened with it',
  async (context) => {
    await host.deploy('a');
    const page = await visit(context);
    await context.setOffline(true);
    await page.getByRole('link', {name: 'Lessons'}).click();
    await page.getByText('This page could not be loaded').waitFor();
    await context.setOffline(false);
    await page.getByRole('link', {name: 'Docs'}).click();
    await page.locator('#place h2').first().waitFor();
    await page.getByRole('link', {name: 'Lessons'}).click();
    await page.locator('.lessons h3').first().waitFor();
    const wrap = await page.evaluate(
      () =>
        getComputedStyle(/** @type {Element} */ (document.querySelector('.lessons h3'))).textWrap,
    );
    assert.match(wrap, /balance/, 'the style of lessons is there');
  },
  {serviceWorkers: 'block'},
);
