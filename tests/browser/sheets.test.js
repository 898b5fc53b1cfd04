/** Tests what a teacher prints: the plan of a class with its answers, and a lesson for paper. */

import assert from 'node:assert/strict';
import {lessons} from '../../web/lessons/index.js';
import {plans} from '../../web/lessons/sheets/plans.js';
import {assertAccessible} from './axe.js';
import {computed, tabTo} from './lesson-rows.js';
import {phone, server, userTest} from './support.js';

/** @import {Page} from 'playwright-core' */

/** Waits until all answers are there. @param {Page} page */
const solved = (page) => page.locator('.sheet[aria-busy=false]').waitFor();

/** Counts what a reader could press, beside the tokens of a picture. @param {Page} page */
const countPressed = (page) =>
  page.evaluate(
    () =>
      [...document.querySelectorAll(':is(button, select, summary)')].filter((each) =>
        each.checkVisibility(),
      ).length,
  );

/** Gives the picture of a sheet a model that is not there. @param {Page} page */
const failPicture = (page) =>
  page.locator('.sheet bert-scope').evaluate(
    (/** @type {any} */ scope) =>
      new Promise((resolve) => {
        scope.addEventListener('error', resolve, {once: true});
        scope.src = 'kept:none';
      }),
  );

userTest(
  'a teacher reads the minutes, the expected answer and the reason of each step of a plan',
  {open: false, ...phone},
  async (page) => {
    await page.goto(`${server.url}#/docs/teaching`);
    await page
      .getByRole('link', {name: /^Every step with its minutes/})
      .nth(1)
      .click();
    await page.getByRole('heading', {name: '45 minutes: reading heads'}).waitFor();
    await solved(page);
    const items = page.locator('.plan > li');
    assert.equal(await items.count(), 1 + Object.keys(plans.heads.steps).length);
    const first = await items.first().innerText();
    assert.match(
      first,
      /4 minutes\s+A word is missing\s+Guess the missing word\s+Hide one more word/,
    );
    assert.match(first, /Expected: girl\s+Without “girl”, “she” falls from \d+% to \d+%/);
    assert.match(await items.last().innerText(), /^5 minutes\s+Hand in the answers/);
    const minutes = (await items.locator('.minutes').allInnerTexts()).map((text) => parseInt(text));
    assert.equal(
      minutes.reduce((sum, each) => sum + each),
      45,
    );
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    await assertAccessible(page);
    await items.getByRole('link', {name: 'Guess the missing word'}).click();
    await page.locator('.time', {hasText: /computed in/}).waitFor();
    await page.goto(`${server.url}#/lessons/plan/toString`);
    await page
      .getByRole('alert')
      .filter({hasText: 'no lesson or step called “plan/toString”'})
      .waitFor();
  },
);

userTest(
  'a lesson is printed whole: every step with its picture, its question and room to write, and the answers at the end',
  {open: false, colorScheme: 'dark'},
  async (page) => {
    const [{steps}, lesson] = [lessons[0], page.locator('.sheet')];
    await page.addInitScript(() => {
      window.print = () => {
        const scopes = /** @type {any[]} */ ([...document.querySelectorAll('.sheet bert-scope')]);
        document.title = `printed with ${scopes.filter(({rows}) => rows).length} of ${scopes.length}`;
      };
    });
    await page.goto(`${server.url}#/lessons`);
    await page.getByRole('link', {name: 'Print this lesson'}).first().click();
    await solved(page);
    const parts = lesson.locator('.on-paper');
    assert.deepEqual(
      await parts.locator('> h3').allInnerTexts(),
      steps.map(({title}, i) => `${i + 1}. ${title}`),
    );
    await parts.first().locator('.widget', {hasText: '61%'}).waitFor();
    assert.deepEqual(await parts.nth(2).locator('.boxes li').allInnerTexts(), [
      'yes, the same word',
      'no, another word',
    ]);
    assert.equal(await parts.nth(3).locator('.lines').count(), 1);
    const answers = lesson.locator('.solutions');
    assert.match(await answers.innerText(), /Expected: girl[^]*Expected: no, another word/);
    await assertAccessible(page);

    await page.getByRole('button', {name: 'Print', exact: true}).click();
    // Pictures that are far down are drawn too.
    await page.waitForFunction(() => document.title === 'printed with 1 of 1');
    await failPicture(page);
    await page.getByRole('button', {name: 'Print', exact: true}).click();
    // A picture that failed before does not keep the rest from paper.
    await page.waitForFunction(() => document.title === 'printed with 0 of 1');
    await page.emulateMedia({media: 'print'});
    assert.equal(await countPressed(page), 0);
    const {breakBefore, color} = await answers.evaluate((section) => {
      const {breakBefore, color} = getComputedStyle(section);
      return {breakBefore, color};
    });
    assert.equal(breakBefore, 'page');
    assert.match(color, /rgb\((\d|[1-4]\d), /, 'the ink is dark on a dark page too');
  },
);

userTest(
  'a step that is printed by itself has no buttons, and its widest table is whole',
  {open: false, viewport: {width: 794, height: 1123}},
  async (page) => {
    await page.goto(`${server.url}#/lessons/reading-heads/mean-table`);
    await page.locator('.time', {hasText: /computed in/}).waitFor();
    await page.emulateMedia({media: 'print'});
    assert.equal(await countPressed(page), 0);
    const {inner, outer} = await page.locator('.tensor .cells').evaluate((cells) => ({
      inner: cells.querySelector('table')?.getBoundingClientRect().right ?? Infinity,
      outer: cells.getBoundingClientRect().right,
    }));
    assert(inner <= outer + 1, `a table to ${inner} in ${outer} pixels`);
  },
);

userTest(
  'a teacher opens and closes the link for the class with the keyboard alone, in the dark on a phone held sideways',
  {
    open: false,
    viewport: {width: 844, height: 390},
    hasTouch: true,
    isMobile: true,
    colorScheme: 'dark',
    permissions: ['clipboard-read', 'clipboard-write'],
  },
  async (page) => {
    await page.goto(`${server.url}#/lessons/guess-the-word/missing`);
    await computed(page, 'guess-the-word/missing');
    await tabTo(page, '.hand-out');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', {name: 'Link for the class'});
    await dialog.locator('svg').waitFor();
    await assertAccessible(page);
    const width = await dialog.evaluate((box) => box.scrollWidth - box.clientWidth);
    assert.ok(width <= 0, `${width} px are out of sight`);
    await tabTo(page, '.class-link .primary');
    await page.keyboard.press('Enter');
    await dialog.locator('button[data-said=Copied]').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /#\/lessons\/guess-the-word\/missing$/);
    await tabTo(page, '.class-link .actions button:last-child');
    await page.keyboard.press('Enter');
    await dialog.waitFor({state: 'detached'});
    assert.ok(await page.locator('.hand-out').evaluate((one) => one === document.activeElement));
  },
);

userTest(
  'a teacher prints a lesson and downloads what a class needs with the keyboard alone',
  {open: false},
  async (page) => {
    await page.addInitScript(() => {
      window.print = () => void (document.title = 'printed');
    });
    await page.goto(`${server.url}#/lessons`);
    await tabTo(page, '[href="#/lessons/print/guess-the-word"]');
    await page.keyboard.press('Enter');
    await solved(page);
    await tabTo(page, '.sheet .primary');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.title === 'printed');
    await page.goto(`${server.url}#/docs/teaching`);
    for (const name of ['bertscope.html', 'bertscope-lessons.zip']) {
      await tabTo(page, `[href$="download/${name}"]`);
      const waiting = page.waitForEvent('download');
      await page.keyboard.press('Enter');
      const file = await waiting;
      assert.equal(file.suggestedFilename(), name);
      await file.cancel();
    }
  },
);
