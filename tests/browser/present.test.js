import assert from 'node:assert/strict';
import {embedded} from '../support/embedded-model.js';
import {eventually} from '../support/eventually.js';
import {lessons} from '../../web/lessons/index.js';
import {dropFile, jsonFile, layers, tokens} from './attention-files.js';
import {assertAccessible} from './axe.js';
import {computed, goTo} from './lesson-rows.js';
import {noteDrawnText, smallType} from './small-type.js';
import {openPage, server, userTest} from './support.js';

/** @import {Page} from 'playwright-core' */

/** The least size of type that is read from the last row, in CSS pixels, on a screen of 1920 by 1080. */
const legible = 20;

/** @param {Page} page */
const shown = (page) =>
  page.evaluate(() => {
    const scope = /** @type {any} */ (document.querySelector('bert-scope'));
    const {layer, heads, token} = scope;
    return JSON.stringify({layer, heads, token});
  });

/** The texts that the page shows around the picture, in order. @param {Page} page */
const around = (page) =>
  page.evaluate(() => {
    const seen = [...document.querySelectorAll('body > :not(.skip), main > *')].filter(
      (each) => each.checkVisibility() && each.clientWidth > 1,
    );
    return seen.map(({localName}) => localName);
  });

userTest(
  'a link opens a presentation, which has the headline and the picture and nothing else',
  {fresh: true, hash: '#present=1'},
  async (page) => {
    await page.locator('.stepping.presented').waitFor();
    assert.deepEqual(await around(page), ['main', 'bert-scope']);
    const parts = await page.locator('.explore > *').evaluateAll(
      (all) =>
      all.map(({className}) => className), // prettier-ignore
    );
    assert.deepEqual(parts, ['headline', 'content', 'stepping presented']);
    assert.match(await page.locator('.told').innerText(), /they\s*looks at\s*children/);
    await assertAccessible(page);
  },
);

userTest(
  'a clicker goes through the findings and back, and Escape ends the presentation',
  {fresh: true, hash: '#present=1'},
  async (page) => {
    const {keyboard} = page;
    const position = page.locator('.presented .position');
    await page.locator('.position', {hasText: '1 of '}).waitFor();
    const first = await shown(page);
    await keyboard.press('PageDown');
    await page.locator('.position', {hasText: '2 of '}).waitFor();
    const second = await shown(page);
    assert.notEqual(second, first);
    for (const [back, onward] of [
      ['PageUp', 'PageDown'],
      ['ArrowLeft', 'ArrowRight'],
      ['ArrowUp', 'ArrowDown'],
      ['Shift+Space', 'Space'],
    ]) {
      await keyboard.press(back);
      assert.equal(await shown(page), first, back);
      await keyboard.press(onward);
      assert.equal(await shown(page), second, onward);
    }
    assert.match(page.url(), /present=1/);
    // A clicker also works while a token has the focus, and arrow keys then belong to the picture.
    await page.locator('.query .token').first().click();
    await keyboard.press('ArrowDown');
    const clicked = await shown(page);
    assert.deepEqual(JSON.parse(clicked).heads, JSON.parse(second).heads);
    await keyboard.press('PageDown');
    assert.notEqual(await shown(page), clicked);
    await page.locator('.query .token').first().click();
    await keyboard.press('Escape');
    await keyboard.press('Escape');
    assert.equal(await position.count(), 1);
    await keyboard.press('Escape');
    await position.waitFor({state: 'detached'});
    assert.doesNotMatch(page.url(), /present/);
    await page.locator('.toolbar').waitFor();
  },
);

userTest(
  'a presenter types the sentence of the class, and goes through what was found in it',
  {fresh: true, hash: '#present=1'},
  async (page) => {
    const field = page.locator('.presented').getByRole('textbox', {name: 'Sentence'});
    assert.match(await field.inputValue(), /^The children played/);
    const entries = () => page.evaluate(() => history.length);
    const before = await entries();
    await field.fill('');
    await field.pressSequentially('The dog barked because it was hungry.');
    await page.locator('.query .piece', {hasText: 'hungry'}).waitFor();
    const added = (await entries()) - before;
    assert.ok(
      added <= 1,
      `expected at most one entry of the history for a sentence, found ${added}`,
    );
    await page.locator('.told', {hasText: /it\s*looks at/}).waitFor();
    await field.press('Enter');
    await page.locator('.position', {hasText: '1 of '}).waitFor();
    await page.keyboard.press('PageDown');
    await page.locator('.position', {hasText: '2 of '}).waitFor();
    assert.equal(await field.inputValue(), 'The dog barked because it was hungry.');
    // The arrow keys and Space are the presenter's again.
    await page.keyboard.press('Space');
    await page.locator('.position', {hasText: '3 of '}).waitFor();
    await assertAccessible(page);
  },
);

userTest('a presentation takes the whole screen, and ends with it', {fresh: true}, async (page) => {
  await page.getByRole('button', {name: 'Present', exact: true}).click();
  await page.waitForFunction(() => document.fullscreenElement);
  await page.locator('.stepping.presented').waitFor();
  await page.evaluate(() => document.exitFullscreen());
  await page.locator('.toolbar').waitFor();
  await page.getByRole('button', {name: 'Present', exact: true}).click();
  await page.waitForFunction(() => document.fullscreenElement);
  await page.getByRole('button', {name: 'End'}).click();
  await page.waitForFunction(() => !document.fullscreenElement);
  // A browser tells the page of it by an event, which may come a frame later.
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
  // The presentation is an entry of the history.
  await page.goBack();
  await page.locator('.stepping.presented').waitFor();
});

userTest('a clicker goes through the opened files', {fresh: true}, async (page) => {
  for (const name of ['first.json', 'second.json']) {
    await dropFile(page, name, jsonFile('', {tokens, attention: layers}).buffer);
    await page.getByText(`Attention from ${name}`).waitFor();
  }
  await page.getByRole('button', {name: 'Present', exact: true}).click();
  await page.locator('.position', {hasText: '2 of 2'}).waitFor();
  await page.keyboard.press('PageDown');
  await page.locator('.position', {hasText: '1 of 2'}).waitFor();
  assert.match(page.url(), /file=first.json/);
});

userTest(
  'a clicker leads through the paragraphs, the question and the steps of a lesson',
  {open: false},
  async (page) => {
    await page.goto(`${server.url}#/lessons/query-key-value/scores?present=1`);
    await computed(page, 'query-key-value/scores');
    const paragraph = () => page.locator('.telling p.now').innerText();
    const first = await paragraph();
    await page.keyboard.press('PageDown');
    assert.notEqual(await paragraph(), first);
    await page.keyboard.press('PageUp');
    assert.equal(await paragraph(), first);
    const pages = await page.locator('.telling > p').count();
    for (let i = 0; i < pages; i++) await page.keyboard.press('ArrowRight');
    await page.locator('.question').waitFor();
    assert.equal(await page.locator('.revealed').count(), 0);
    await page.keyboard.press('PageDown');
    await page.locator('.revealed').waitFor();
    await page.keyboard.press('PageDown');
    await page.waitForURL(/query-key-value\/softmax-axis\?.*present=1/);
    // One click too far goes back to the question.
    await page.keyboard.press('PageUp');
    await page.waitForURL(/query-key-value\/scores\?.*present=1/);
    await computed(page, 'query-key-value/scores');
    await page.locator('.question').waitFor({state: 'visible'});
    await page.keyboard.press('PageDown');
    await page.locator('.revealed').waitFor();
    await page.keyboard.press('PageDown');
    await page.waitForURL(/query-key-value\/softmax-axis\?.*present=1/);
    // A control that was clicked keeps the arrow keys until Escape.
    const keys = page.getByRole('radio', {name: 'rows (right)'});
    await keys.click();
    await page.keyboard.press('ArrowLeft');
    assert.equal(await keys.isChecked(), false);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.locator('.stepping:not(.presented)').waitFor();
    await page.waitForURL(/softmax-axis$/);
  },
);

userTest(
  'a class thinks of a word before the guesses are shown, and a presenter can make the screen black',
  {open: false, viewport: {width: 1280, height: 720}},
  async (page) => {
    await page.goto(`${server.url}#/lessons/guess-the-word/missing?present=1`);
    await computed(page, 'guess-the-word/missing');
    const guesses = page.locator('.told-later');
    assert.ok(!(await guesses.isVisible()));
    await page.keyboard.press('PageDown');
    await guesses.waitFor();
    const ground = () =>
      page.evaluate(() => getComputedStyle(document.documentElement, '::after').backgroundColor);
    await page.keyboard.press('b');
    assert.equal(await ground(), 'rgb(0, 0, 0)');
    await page.keyboard.press('.');
    assert.notEqual(await ground(), 'rgb(0, 0, 0)');
    await page.keyboard.press('b');
    await page.keyboard.press('PageDown');
    assert.notEqual(await ground(), 'rgb(0, 0, 0)');
    // Enter leaves the sentence of the class, so that the next key is the presenter's.
    const sentence = page.locator('.sentence-field textarea');
    await sentence.fill('the cat sat on the [MASK]');
    await page.keyboard.press('Enter');
    assert.equal(await sentence.inputValue(), 'the cat sat on the [MASK]');
    assert.ok(!(await sentence.evaluate((field) => field.matches(':focus'))));
  },
);

/** Lists what is cut off: columns of tables beyond the edge, and how far the page is higher than the window. @param {Page} page */
const cutOff = (page) =>
  page.evaluate(() => {
    const {scrollHeight, clientHeight} = document.documentElement;
    const tables = [...document.querySelectorAll('.cells.more')].filter((each) =>
      each.checkVisibility({visibilityProperty: true}),
    );
    return [
      ...tables.map(({ariaLabel}) => ariaLabel),
      ...(scrollHeight > clientHeight ? ['the page'] : []),
    ];
  });

for (const {width, height} of [
  {width: 1920, height: 1080},
  {width: 1280, height: 720},
]) {
  userTest(
    `on a screen of ${width} by ${height} nothing in a presentation is cut off, or smaller than 20 px of 1080`,
    {open: false, viewport: {width, height}},
    async (page) => {
      const least = (legible * height) / 1080;
      await noteDrawnText(page);
      const hash = '#text=time+flies+like+an+arrow&layer=1&heads=0&token=q2&present=1';
      for (const view of ['head', 'matrix', 'neuron', 'model']) {
        await openPage(page, `${hash}&view=${view}`);
        assert.deepEqual(await smallType(page, least), [], view);
      }
      await page.goto(`${server.url}#/lessons`);
      for (const {id, steps} of lessons) {
        for (const {id: step} of steps) {
          await goTo(page, `${id}/${step}?present=1`);
          await eventually(`${id}/${step} to be legible`, async () =>
            assert.deepEqual([...(await smallType(page, least)), ...(await cutOff(page))], []),
          );
        }
      }
    },
  );
}

/** Attention of a model as large as bert-base. */
const large = Array(12).fill(Array(12).fill(layers[0][0]));

for (const {width, height} of [
  {width: 1280, height: 720},
  {width: 1440, height: 900},
  {width: 1920, height: 1080},
])
  userTest(
    `on a screen of ${width} by ${height} every thumbnail of a presentation is in sight, in the middle, and as large as fits`,
    {
      fresh: true,
      hash: '#text=time+flies+like+an+arrow&view=model&present=1',
      viewport: {width, height},
    },
    async (page) => {
      await page
        .locator('.thumbnail')
        .nth(embedded.layers * embedded.heads - 1)
        .waitFor();
      const assertFits = () =>
        eventually('a grid that fits', async () => {
          const {left, right, beside, room, hidden, rows, columns} = await gridIn(page);
          assert.ok(Math.abs(left - right) < 30, `${left} px on the left, ${right} on the right`);
          assert.deepEqual(hidden, [0, 0, 0]);
          // One pixel more for each row or column would not fit, but for what a longer headline may need.
          assert.ok(room >= 0 && beside >= 0, `${room} px are left below, ${beside} px beside`);
          const fills = room < rows + height / 50 || beside < columns;
          assert.ok(fills, `${room} px are left below ${rows} rows, ${beside} px beside ${columns} columns`); // prettier-ignore
        });
      await assertFits();
      await dropFile(page, 'large.json', jsonFile('', {tokens, attentions: large}).buffer);
      await page.locator('.thumbnail').nth(143).waitFor();
      await assertFits();
    },
  );

/** Measures the grid of a presented model view and the room around it. @param {Page} page */
const gridIn = (page) =>
  page.evaluate(() => {
    const {renderRoot} = /** @type {any} */ (document.querySelector('bert-scope'));
    const find = (/** @type {string} */ name) =>
      /** @type {Element} */ (renderRoot.querySelector(name));
    const [grid, content] = ['.thumbnails', '.content'].map((name) =>
      find(name).getBoundingClientRect(),
    );
    const scroller = find('.model-scroller');
    const page = document.documentElement;
    return {
      left: grid.left,
      right: innerWidth - grid.right,
      beside: content.width - grid.width,
      room: content.bottom - grid.bottom,
      hidden: [
        page.scrollHeight - page.clientHeight,
        scroller.scrollHeight - scroller.clientHeight,
        scroller.scrollWidth - scroller.clientWidth,
      ],
      rows: find('.thumbnails').children.length - 1,
      columns: find('.thumbnails').children[0].children.length,
    };
  });
