/** Tests that a step fits the window of a reader and of a projector, and that Space scrolls before it steps. */

import assert from 'node:assert/strict';
import {lessons} from '../../web/lessons/index.js';
import {eventually} from '../support/eventually.js';
import {computed, goTo} from './lesson-rows.js';
import {server, userTest} from './support.js';

/** @import {Page} from 'playwright-core' */

/**
 * What is not in sight: how far the page reaches below the window, what ends under the bar, and what scrolls by itself.
 *
 * @param {Page} page
 */
const beyondWindow = (page) =>
  page.evaluate(() => {
    const bar = /** @type {Element} */ (document.querySelector('.stepping'));
    const {top} = bar.getBoundingClientRect();
    /** @type {string[]} */
    const overflows = [];
    const {scrollHeight} = document.documentElement;
    if (scrollHeight > innerHeight) overflows.push(`the page: ${scrollHeight - innerHeight} px`);
    const look = (/** @type {ParentNode} */ root) => {
      for (const each of root.querySelectorAll('*')) {
        if (!each.checkVisibility({visibilityProperty: true})) continue;
        if (each.shadowRoot) look(each.shadowRoot);
        // A view of many tokens has rows that scroll, beside a map of all.
        if (each.matches('.scroller, .neuron-scroller')) continue;
        const scrolls = /auto|scroll/.test(getComputedStyle(each).overflowY);
        const below = each.scrollHeight - each.clientHeight;
        if (scrolls && below > 2)
          overflows.push(`${each.className || each.localName}: ${below} px`);
      }
    };
    const step = /** @type {Element} */ (document.querySelector('article'));
    for (const column of step.children) {
      const below = column.getBoundingClientRect().bottom - top;
      if (below > 0.5) overflows.push(`${column.className}: ${below} px under the bar`);
    }
    look(step);
    return overflows;
  });

const window_px = {width: 1440, height: 900};
/** A projector shows less, and in larger type. */
const projected_px = {width: 1280, height: 720};

for (const language of ['en', 'es']) {
  const isProjected = language === 'en';
  userTest(
    `every step in “${language}” and its answer fit a window of 1440 × 900${isProjected ? ', and in large type one of 1280 × 720' : ''}`,
    {open: false, locale: language},
    async (page) => {
      const fits = (/** @type {string} */ what) =>
        eventually(`${what} to fit`, async () => assert.deepEqual(await beyondWindow(page), []));
      await page.goto(`${server.url}#/lessons`);
      for (const {id, steps} of lessons) {
        for (const step of steps) {
          const at = `${id}/${step.id}`;
          await page.setViewportSize(window_px);
          await goTo(page, at, language);
          await fits(at);

          if (isProjected) {
            await page.setViewportSize(projected_px);
            await page.keyboard.press('p');
            await page.waitForFunction(() => 'large' in document.documentElement.dataset);
            await fits(`${at} in large type`);
            // Large type shows the question after all paragraphs.
            const paragraphs = await page.locator('.telling > p').count();
            for (let turned = 0; turned < paragraphs; turned++)
              await page.locator('.pages button').last().click();
          }
          await page.locator('.uncompared').click();
          await page.locator('.revealed').waitFor();
          if (isProjected) {
            await fits(`the answer of ${at} in large type`);
            await page.keyboard.press('p');
            await page.waitForFunction(() => !('large' in document.documentElement.dataset));
            await page.setViewportSize(window_px);
          }
          await fits(`the answer of ${at}`);
        }
      }
    },
  );
}

userTest('the last step of the last lesson leads to the list', {open: false}, async (page) => {
  const {id, steps} = lessons[lessons.length - 1];
  await page.goto(`${server.url}#/lessons/${id}/${steps[steps.length - 1].id}`);
  await computed(page, `${id}/${steps[steps.length - 1].id}`);
  await page.keyboard.press('ArrowRight');
  await page.locator('.overview').waitFor();
});

userTest(
  'Space scrolls to what is below before it leads on',
  {open: false, viewport: {width: 900, height: 600}},
  async (page) => {
    const at = 'attention-from-scratch/self-attention';
    await page.goto(`${server.url}#/lessons/${at}`);
    await computed(page, at);
    await page.locator('.telling h2').focus();
    await page.keyboard.press('Space');
    await page.waitForFunction(() => scrollY > 0);
    assert.match(page.url(), /self-attention/);
    await page.evaluate(() => scrollTo({top: document.documentElement.scrollHeight}));
    await page.keyboard.press('Space');
    await computed(page, 'attention-from-scratch/multi-head');
    assert.equal(await page.evaluate(() => scrollY), 0);
  },
);

userTest(
  'in a window that is too low for a step its picture keeps all rows in sight',
  {open: false, viewport: {width: 1024, height: 768}},
  async (page) => {
    await page.goto(`${server.url}#/lessons/encoder-and-decoder/looking-across`);
    await page.locator('#place bert-scope .query .token', {hasText: '</s>'}).waitFor();
    await eventually('all rows to be in sight', async () => {
      const beyond = await page
        .locator('#place bert-scope .scroller')
        .first()
        .evaluate((scroller) => scroller.scrollHeight - scroller.clientHeight);
      assert.ok(beyond < 2, `${beyond} px of rows are out of sight`);
    });
  },
);
