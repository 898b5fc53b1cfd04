/** Tests lessons as a whole: going through their steps, what the browser keeps, and addresses. */

import assert from 'node:assert/strict';
import {lessons} from '../../web/lessons/index.js';
import {goldenFolder} from '../engine/support.js';
import {assertAccessible} from './axe.js';
import {eventually} from '../support/eventually.js';
import {computed, goTo} from './lesson-rows.js';
import {loadGolden, waitForModel} from './models.js';
import {phone, server, userTest, waitForInput} from './support.js';

/** @import {Page} from 'playwright-core' */

userTest(
  'every step of every lesson is computed, fits a phone and is accessible',
  {open: false, ...phone},
  async (page) => {
    await page.goto(`${server.url}#/lessons`);
    await page.locator('.overview').waitFor();
    await assertAccessible(page);
    for (const {id, steps} of lessons) {
      for (const step of steps) {
        await goTo(page, `${id}/${step.id}`);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= 390, `${id}/${step.id} is ${width} px wide`);
        const below = await page
          .locator('.stepping')
          .evaluate((bar) => innerHeight - bar.getBoundingClientRect().bottom);
        assert.ok(Math.abs(below) < 1, `${id}/${step.id} has its bar ${below} px above the bottom`);
        await assertAccessible(page);
      }
    }
  },
);

userTest('a reader goes through a lesson with the keyboard alone', {open: false}, async (page) => {
  const [lesson] = lessons;
  await page.goto(`${server.url}#/lessons`);
  const link = page.getByRole('link', {name: lesson.title, exact: true});
  await link.focus();
  await page.keyboard.press('Enter');
  const at = (/** @type {number} */ i) => computed(page, `${lesson.id}/${lesson.steps[i].id}`);
  await at(0);
  await page.keyboard.press('Space');
  await at(1);
  await page.keyboard.press('ArrowRight');
  await at(2);
  await page.keyboard.press('ArrowLeft');
  await at(1);
  await page.keyboard.press('p');
  await page.waitForFunction(() => document.documentElement.hasAttribute('data-large'));
  assert.match(page.url(), new RegExp(`#/lessons/${lesson.id}/${lesson.steps[1].id}`));

  // A field that has the focus gets the keys.
  const field = page.locator('.sentence-field textarea').first();
  await field.focus();
  await page.keyboard.press('End');
  await page.keyboard.type(' a b');
  await page.keyboard.press('ArrowLeft');
  await at(1);
  assert.match(await field.inputValue(), / a b$/);

  // Back leads to what was typed, however soon the reader went on.
  await field.evaluate((element) => {
    const area = /** @type {HTMLTextAreaElement} */ (element);
    area.value = 'so soon';
    area.dispatchEvent(new Event('input', {bubbles: true}));
    /** @type {HTMLElement} */ (document.querySelector('.stepping > button:last-of-type')).click();
  });
  await at(2);
  await page.goBack();
  await at(1);
  assert.equal(await field.inputValue(), 'so soon');
});

userTest(
  'a lesson that does not arrive says so above the list, and can be opened when it is there',
  {open: false, errors: /Failed to load resource|ERR_FAILED/},
  async (page) => {
    const [{id, title, steps}] = lessons;
    const files = /\/assets\/steps-[^/]*\.js$/;
    await page.route(files, (route) => route.abort());
    await page.goto(`${server.url}#/lessons/${id}`);
    const said = page.getByRole('alert').filter({hasText: `“${title}” could not be loaded.`});
    await said.waitFor();
    // The list is drawn anew in another theme.
    await page.evaluate(() => (document.documentElement.dataset.theme = 'dark'));
    await page.evaluate(() => new Promise(requestAnimationFrame));
    assert.equal(await said.count(), 1);
    await page.unroute(files);
    await page.getByRole('link', {name: title, exact: true}).first().click();
    await computed(page, `${id}/${steps[0].id}`);
    assert.equal(await said.count(), 0);
  },
);

userTest(
  'the overview counts the steps seen, and back leads from a lesson to the viewer as it was',
  {hash: '#text=the+cat+sat&layer=2'},
  async (page) => {
    const [lesson] = lessons;
    await page.getByRole('link', {name: 'Lessons'}).click();
    await page.getByRole('link', {name: lesson.title, exact: true}).click();
    await computed(page, `${lesson.id}/${lesson.steps[0].id}`);
    await page.getByRole('link', {name: 'Lessons'}).first().click();
    await page.getByText(`1 of ${lesson.steps.length} steps seen`).waitFor();
    await page.reload();
    await page.getByText(`1 of ${lesson.steps.length} steps seen`).waitFor();
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await page.waitForURL(/#text=the\+cat\+sat/);
    await waitForInput(page, '#text', 'the cat sat');
    await page.locator('bert-scope[controls]').waitFor();
  },
);

/**
 * Waits until the pictures of a step are there and have been fitted to the window: the choice of one of them appears
 * only then.
 *
 * @param {Page} page
 */
async function settled(page) {
  await page.waitForFunction(() =>
    Array.from(document.querySelectorAll('.widget bert-scope')).every(
      (scope) => /** @type {any} */ (scope).rows,
    ),
  );
  await (await page.locator('.widget').elementHandle())?.waitForElementState('stable');
}

userTest(
  'every step works in large type, offline, without storage and with the keyboard alone',
  // Chromium asks for the icon again when the title changes, and for the service worker.
  {open: false, errors: /ERR_INTERNET_DISCONNECTED|fetching the script/},
  async (page) => {
    await page.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get() {
          throw new DOMException('refused', 'SecurityError');
        },
      });
      addEventListener('focusin', ({target}) => {
        /** @type {HTMLElement} */ (target).dataset.visited = '';
      });
    });
    const [first] = lessons;
    await page.goto(`${server.url}#/lessons/${first.id}/${first.steps[0].id}?large=1`);
    await computed(page, `${first.id}/${first.steps[0].id}`);
    await page.waitForLoadState('networkidle');
    await page.context().setOffline(true);
    const tabTo = async (/** @type {string} */ selector) => {
      for (let i = 0; i < 150; i++) {
        await page.keyboard.press('Tab');
        if (await page.evaluate((at) => document.activeElement?.matches(at), selector)) return;
      }
      assert.fail(`${selector} is not reached in ${page.url()}`);
    };
    for (const {id, steps} of lessons) {
      for (const step of steps) {
        const at = `${id}/${step.id}`;
        await computed(page, at);
        assert.ok(await page.evaluate(() => document.documentElement.hasAttribute('data-large')));
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= 1440, `${at} is ${width} px wide when projected`);
        await settled(page);
        await tabTo('.stepping .next');
        const missed = await page
          .locator('.widget :is(textarea, button, [type=checkbox], fieldset)')
          .evaluateAll((controls) =>
            controls
              .filter((each) => each.getRootNode() === document) // views have tests of their own
              .filter((each) => each.checkVisibility({visibilityProperty: true}))
              .filter((each) => !each.closest('details:not([open])'))
              .filter((each) => !each.matches('[data-visited], :has([data-visited])'))
              .map((each) => each.outerHTML.slice(0, 80)),
          );
        assert.deepEqual(missed, [], at);
        await page.keyboard.press('Enter');
      }
    }
    await page.locator('.overview').waitFor();
  },
);

userTest(
  'a step computes only the last of several texts that are typed at once',
  {open: false},
  async (page) => {
    await page.goto(`${server.url}#/lessons/encoder-by-hand/multi-head`);
    await computed(page, 'encoder-by-hand/multi-head');
    const words = 'the man and the dog went to the sea in the night'.split(' ');
    await page.evaluate((words) => {
      const field = /** @type {HTMLTextAreaElement} */ (
        document.querySelector('.sentence-field textarea')
      );
      /** @type {PerformanceEntry[]} */
      const measures = [];
      const observer = new PerformanceObserver((list) => measures.push(...list.getEntries()));
      observer.observe({type: 'measure'});
      Object.assign(window, {allMeasures: () => [...measures, ...observer.takeRecords()]});
      for (const [at] of words.entries()) {
        field.value = words.slice(0, at + 1).join(' ');
        field.dispatchEvent(new Event('input', {bubbles: true}));
      }
    }, words);
    await page.waitForFunction((count) => {
      const block = /** @type {any} */ (document.querySelector('tensor-block'));
      return block.tensor.shape[2] === count;
    }, words.length);
    const names = await page.evaluate(() =>
      /** @type {any} */ (window).allMeasures().map((/** @type {any} */ {name}) => name),
    );
    assert.deepEqual(
      names.filter((/** @type {string} */ name) => name === 'bertscope:step'),
      ['bertscope:step'],
    );
  },
);

userTest(
  'a lesson keeps the theme over a reload, and back leads to the viewer’s latest text',
  {hash: '#text=the+cat+sat&layer=0'},
  async (page) => {
    await page.locator('#preferences > summary').click();
    await page.getByLabel('Theme').selectOption('dark');
    // The reader goes on before the address has the text.
    await page.evaluate(() => {
      const text = /** @type {HTMLTextAreaElement} */ (document.querySelector('#text'));
      for (const value of ['the cat sat o', 'the cat sat on']) {
        text.value = value;
        text.dispatchEvent(new Event('input', {bubbles: true}));
      }
      /** @type {HTMLElement} */ (document.querySelector('[data-place=lessons]')).click();
    });
    await page.locator('.overview').waitFor();
    await page.reload();
    await page.locator('.overview').waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    assert.equal(await page.getByLabel('Theme').inputValue(), 'dark');
    await page.goBack();
    await page.waitForURL(/#text=the\+cat\+sat\+on&/);
    await waitForInput(page, '#text', 'the cat sat on');
  },
);

userTest(
  'a model stays in a lesson over a reload and Back, and Explore computes the same numbers with it',
  {hash: '#text=the+cat+sat&layer=0', fresh: true},
  async (page) => {
    await loadGolden(page, 'odd-sizes');
    const [{id}] = lessons.filter(({id}) => id === 'query-key-value').map(({steps}) => steps[0]);
    const step = `query-key-value/${id}`;
    const named = () =>
      page.waitForFunction(() =>
        new URLSearchParams(location.hash.split('?')[1]).get('model')?.startsWith('kept:'),
      );
    /** Reads what an element shows. @param {string} selector */
    const shown = async (selector) => {
      const element = page.locator(selector);
      await eventually('a picture', async () =>
        assert(await element.evaluate((/** @type {any} */ {result}) => result)),
      );
      return element.evaluate(async (/** @type {any} */ {result}) => ({
        tokens: result.tokens,
        weights: [...(await result.attention(0, 0))],
      }));
    };
    await goTo(page, step);
    await named();
    await page.reload();
    await computed(page, step);
    await named();
    const inLesson = await shown('article bert-scope');
    assert(!inLesson.tokens.includes('[CLS]'), inLesson.tokens.join(' '));
    await page.getByRole('link', {name: 'Explore'}).last().click();
    await page.waitForURL(/model=kept/);
    await eventually('the same numbers', async () =>
      assert.deepEqual(await shown('#scope'), inLesson),
    );

    await page.goBack();
    await computed(page, step);
    await named();
    // Another model computes everything on the step anew, numbers as well as pictures.
    await page.locator('#scope').evaluate((/** @type {any} */ scope) => scope.change({src: ''}));
    await eventually('the picture of the other model', async () => {
      assert.notDeepEqual((await shown('article bert-scope')).weights, inLesson.weights);
    });
    await page.waitForFunction(() => !location.hash.includes('model='));
  },
);

userTest(
  'a model that is loaded inside a lesson stays when the reader goes on to Explore',
  {open: false},
  async (page) => {
    const step = 'query-key-value/neuron-view';
    await page.goto(`${server.url}#/lessons/${step}`);
    await computed(page, step);
    const explore = page.getByRole('link', {name: 'Explore', exact: true});
    assert(!(await explore.getAttribute('href'))?.includes('model='));
    await page.getByRole('button', {name: 'Models…'}).click();
    await page.locator('#models-folder').setInputFiles(goldenFolder('odd-sizes'));
    await page.waitForURL(/model=kept/);
    await eventually('the link to Explore to name the model', async () =>
      assert.match((await explore.getAttribute('href')) ?? '', /model=kept/),
    );
    await explore.click();
    await page.waitForURL(/^[^?]*#text=.*model=kept/);
    await waitForModel(page, 'odd-sizes,');

    // A link of a lesson may name a model, too.
    await page.evaluate(() => (location.hash = '#/lessons/query-key-value/scores?model='));
    await computed(page, 'query-key-value/scores');
    assert(!(await explore.getAttribute('href'))?.includes('model='));
  },
);

userTest(
  'an address of an unknown lesson leads to the list of lessons',
  {open: false},
  async (page) => {
    await page.goto(`${server.url}#/lessons/nothing/here`);
    await page.getByText('There is no lesson or step called “nothing/here” here.').waitFor();
    assert.equal(await page.locator('.overview li').count(), lessons.length);
    await page.goto(`${server.url}#/nowhere`);
    await page.getByText('There is no page called “nowhere” here.').waitFor();
  },
);
