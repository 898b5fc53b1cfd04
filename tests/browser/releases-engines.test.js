import assert from 'node:assert/strict';
import {afterEach, beforeEach, describe, test} from 'node:test';
import {eventually} from '../support/eventually.js';
import {drivers} from './drivers.js';
import {host, server} from './releases.js';

/** @import {Driver} from './drivers.js' */

/** Waits until an expression, or what it promises, is true. @param {Driver} tab @param {string} expression */
const until = (tab, expression) =>
  eventually(
    expression,
    async () =>
      assert.equal(await tab.evaluate(`(async () => Boolean(await (${expression})))()`), true),
    60_000,
  );

const release = 'document.documentElement.dataset.release';

/** Waits until a page of a release has a picture to draw: a tab in the background draws none. @param {Driver} tab @param {string} name */
const isUp = (tab, name) =>
  until(tab, `${release} === '${name}' && document.querySelector('bert-scope').result`);

/** Waits until a release is cached, and known to work. @param {Driver} tab @param {string} name */
const isKept = (tab, name) =>
  until(
    tab,
    `caches.match(new URL('it-works', location.href).href, {cacheName: 'bertscope-release-${name}'})`,
  );

/** Waits until the service worker of a release answers. @param {Driver} tab @param {string} name */
async function isTakenOver(tab, name) {
  await eventually(
    `the worker of ${name} to take over`,
    async () => {
      const answer = await tab.evaluate(`(async () => {
        const registration = await navigator.serviceWorker.ready;
        const {port1, port2} = new MessageChannel();
        const answered = new Promise((done) => (port1.onmessage = ({data}) => done(data)));
        registration.active.postMessage({asksForRelease: true}, [port2]);
        const late = new Promise((done) => setTimeout(done, 5000, 'no answer'));
        const release = await Promise.race([answered, late]);
        const isComing = Boolean(registration.installing ?? registration.waiting);
        if (release !== '${name}' && !isComing) await registration.update();
        return release;
      })()`);
      assert.equal(answer, name);
    },
    60_000,
  );
}

/** Uses everything that the page loads only when it is asked for. @param {Driver} tab */
async function useEverything(tab) {
  const scope = `document.querySelector('bert-scope')`;
  // The export draws its preview, which WebKitGTK does not do in a tab in the background.
  if (await tab.evaluate(`document.visibilityState === 'visible'`)) {
    await tab.evaluate(`(void ${scope}.openExport(), 0)`);
    await until(tab, `${scope}.shadowRoot.querySelector('dialog.export[open] button')`);
    await tab.evaluate(`${scope}.shadowRoot.querySelector('dialog.export').close()`);
  }
  await tab.evaluate(`document.querySelector('#choose-model').click()`);
  await until(tab, `document.querySelector('dialog[open] #models-name')`);
  await tab.evaluate(`document.querySelector('dialog[open]').close()`);
  await tab.evaluate(`(location.hash = '#/lessons')`);
  await until(tab, `document.querySelector('.overview a')`);
  await tab.evaluate(`(location.hash = '#/docs')`);
  await until(tab, `document.querySelector('#place h2')`);
}

// Chromium's are in releases.test.js.
for (const {engine, drive} of drivers.slice(1)) {
  describe(engine.name, () => {
    /** @type {Driver} */
    let first;
    beforeEach(async () => {
      first = await drive();
    });
    afterEach(() => first?.close());

    // WebKitGTK loads the second and third tab in the background, where it does not always draw.
    if (engine.name === 'firefox') {
      test('tabs of three releases work beside each other, and Reload brings each to the last', async () => {
        /** @type {Driver[]} */
        const tabs = [];
        for (const name of ['a', 'b', 'c']) {
          await host.deploy(name);
          const tab = tabs.length ? await first.tab() : first;
          await tab.open(server.url);
          if (tabs.length) {
            await isTakenOver(tab, name);
            await tab.open(server.url);
          }
          await isUp(tab, name);
          await isKept(tab, name);
          tabs.push(tab);
        }
        for (const tab of tabs) await useEverything(tab);
        for (const tab of tabs.slice(0, 2)) {
          await until(tab, `!document.querySelector('#update').hidden`);
          await tab.evaluate(`(document.querySelector('#update-now').click(), 0)`);
          await isUp(tab, 'c');
        }
      });
    }

    test('a release goes back to the one before without a dead button', async () => {
      await host.deploy('a');
      await first.open(server.url);
      await isUp(first, 'a');
      await isKept(first, 'a');
      await host.deploy('b');
      const second = await first.tab();
      await second.open(server.url);
      await isTakenOver(second, 'b');
      await second.open(server.url);
      await isUp(second, 'b');
      await host.deploy('a');
      await second.evaluate(
        'navigator.serviceWorker.ready.then((it) => it.update()).then(() => 0)',
      );
      for (const tab of [first, second]) await useEverything(tab);
      // Until then the worker of b answers with its own page.
      await isTakenOver(second, 'a');
      const third = await first.tab();
      await third.open(server.url);
      await isUp(third, 'a');
      await useEverything(third);
    });

    test('a release that does not come up is replaced at the next visit', async () => {
      await host.deploy('a');
      await first.open(server.url);
      await isUp(first, 'a');
      await isKept(first, 'a');
      await host.deploy('broken');
      await isTakenOver(first, 'broken');
      await first.open(server.url);
      await until(first, `${release} === 'broken'`);
      await host.deploy('mended');
      const next = await first.tab();
      await next.open(server.url);
      await isUp(next, 'mended');
      await useEverything(next);
    });
  });
}
