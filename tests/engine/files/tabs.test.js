/**
 * Several tabs that keep models at the same time: each step of each may come before or after any of the others, and may
 * fail.
 */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {BertscopeError} from '../../../web/engine/errors.js';
import {ModelStore} from '../../../web/engine/files/model-store.js';
import {FaultyBrowser, faults} from '../../support/faults.js';
import {isLong, tries} from '../../support/tries.js';

const SOURCE = 'kept:a';
const TABS = 3;

/** The acts of a tab, one after the other. */
const acts = fc.array(fc.constantFrom('keep', 'open', 'list', 'read'), {
  minLength: 1,
  maxLength: 3,
});

/** How a tab, the storage or both may fail, and at which of their steps. */
const faultsOfStorage = fc.array(fc.tuple(fc.nat(30), fc.constantFrom(...faults.storage)), {
  maxLength: 3,
});

test('of three tabs that keep one model, none damages or removes what another has kept, whatever fails', async () => {
  let injected = 0;
  const property = fc.asyncProperty(
    fc.scheduler(),
    fc.array(acts, {minLength: TABS, maxLength: TABS}),
    faultsOfStorage,
    async (scheduler, tabs, faults) => {
      const browser = new FaultyBrowser({scheduler, faults: new Map(faults)});
      browser.install(() => {});
      const open = () => new ModelStore(browser.shelf, true);
      let hasKept = false;
      const run = tabs.map((acts, tab) =>
        browser.inThread(async () => {
          const store = open();
          for (const [turn, act] of acts.entries()) {
            const name = `tab ${tab} turn ${turn}`;
            try {
              if (act === 'open') await store.open(SOURCE);
              if (act === 'list') await store.list();
              const blob = act === 'read' ? await store.file(SOURCE) : undefined;
              if (blob) assert.match(await blob.text(), /^tab \d turn \d$/);
              if (act === 'keep') await store.put(SOURCE, name, [new TextEncoder().encode(name)]);
              hasKept ||= act === 'keep';
            } catch (error) {
              assert(error instanceof BertscopeError, String(error));
              assert.notEqual(browser.injected, 0, error.message);
            }
          }
        }),
      );
      await browser.ended(Promise.all(run));
      const {injected: failed} = browser;
      injected += failed;
      await browser.heal();
      const ofNow = async () => {
        const [[kept], blob] = await Promise.all([open().list(), open().file(SOURCE)]);
        assert.equal(await blob?.text(), kept?.name);
        return kept;
      };
      const kept = await browser.ended(ofNow());
      assert(kept || !hasKept);
      // No weights are left that no note names, except after faults; then the next model that is kept removes them.
      if (failed > 0)
        await browser.ended(open().put(SOURCE, 'last', [new TextEncoder().encode('last')]));
      await browser.ended(ofNow());
      assert.equal(browser.entries.size, kept || failed > 0 ? 2 : 0);
    },
  );
  await fc.assert(property, tries(500));
  if (isLong) console.log(`injected faults: ${injected}`);
});
