/**
 * The six walks: what readers most often come for, from the page as a link opens it to the answer in sight. This is what
 * each may cost; to write a text is free, and nothing has to be scrolled. Seconds are those of the keystroke-level model
 * (Card, Moran and Newell 1980) without the machine's: a decision 1.35, a click 1.1 + 0.2, a key 0.28.
 *
 * | walk                                                      | clicks | keys        | seconds |
 * | --------------------------------------------------------- | ------ | ----------- | ------- |
 * | a new text, to a true sentence about two of its words     | 0      |             | 0       |
 * | a head off, to its effect on a guess                      | 2      |             | 5.3     |
 * | a picture, into a post, with the same pixels              | 3      | Ctrl+V      | 8.5     |
 * | the first step of a lesson, to the first of the next one  | 0      | Space alone | 3.3     |
 * | “Does [SEP] matter here?”, to an answer for each word     | 3      |             | 8.0     |
 * | a second text, to where the two differ                    | 2      |             | 5.3     |
 */

import assert from 'node:assert/strict';
import {lessons} from '../../web/lessons/index.js';
import {firstState} from '../../web/page/address.js';
import {eventually} from '../support/eventually.js';
import {assertAccessible} from './axe.js';
import {openBlog} from './blog.js';
import {drawingOf, watchShift} from './exported.js';
import {assertTrue, shown, told} from './headline.js';
import {computed} from './lesson-rows.js';
import {pressInMore} from './more-menu.js';
import {
  engineAttention,
  inResearcherView,
  server,
  token,
  userTest,
  waitForTokens,
} from './support.js';

/** @import {BrowserContextOptions, Page} from 'playwright-core' */

/**
 * Tests a walk: how often the reader presses a mouse button on any page, and that Explore is not scrolled.
 *
 * @param {string} claim
 * @param {BrowserContextOptions & {clicks: number, hash?: string, open?: boolean}} options
 * @param {(page: Page) => Promise<void>} act
 */
function walkTest(claim, {clicks, ...options}, act) {
  userTest(claim, {fresh: true, ...options}, async (page) => {
    let pressed = 0;
    const context = page.context();
    await context.exposeBinding('pressed', () => void pressed++);
    const listen = () =>
      addEventListener('pointerdown', () => /** @type {any} */ (window).pressed(), true);
    await context.addInitScript(listen);
    await page.evaluate(listen);
    await act(page);
    assert.equal(await page.evaluate(() => scrollY), 0);
    assert.equal(pressed, clicks);
  });
}

/** The head and the word that the page opens with. */
const [firstHead] = firstState.heads;
const firstWord = firstState.token?.index ?? 0;

/** Waits until the headline speaks of two words of a text, and is true. @param {Page} page @param {string} text */
const toldOf = (page, text) =>
  eventually(`a headline about “${text}”`, async () => {
    const {from, to} = await told(page);
    const words = text.toLowerCase().split(/\W+/);
    assert.ok(words.includes(from) && words.includes(to), `it is about ${from} and ${to}`);
    await assertTrue(page);
  });

walkTest(
  'a new text has a true headline about two of its words, without a click',
  {clicks: 0},
  async (page) => {
    await toldOf(page, firstState.text);
    const {layer, heads, token} = await shown(page);
    assert.deepEqual([layer, heads, token.index], [firstState.layer, [firstHead], firstWord]);
    for (const text of [
      'My grandmother said that she would bake a cake for us.',
      'The old dog slept because he was tired.',
    ]) {
      await page.locator('#text').fill(text);
      await toldOf(page, text);
    }
  },
);

walkTest(
  'a head is switched off and its effect seen in two clicks, without scrolling',
  {clicks: 2},
  async (page) => {
    await page.getByRole('radio', {name: 'What if'}).check();
    await page.getByText('If “they” were replaced by [MASK], the model would guess').waitFor();
    await page.getByRole('button', {name: 'Switch this head off'}).click();
    const effect = page.locator('.guess td', {hasText: /[−+][\d.]+ points/}).first();
    await effect.waitFor();
    const box = await effect.boundingBox();
    assert.ok(box && box.y + box.height < 900);
    const place = {layer: firstState.layer, head: firstHead};
    const [before, after] = await page.evaluate(async (place) => {
      const {model} = /** @type {any} */ (document.querySelector('bert-scope'));
      const text = 'The children played in the garden until [MASK] were tired.';
      const result = await model.attend(text);
      const blank = result.tokens.indexOf('[MASK]');
      const [{top: [first]}] = await result.predictions(1); // prettier-ignore
      const off = await model.attend(text, {interventions: {heads: [{...place, scale: 0}]}});
      const [probability] = await off.probabilities(blank, [first.id]);
      return [first, {probability}];
    }, place);
    const first = (await page.locator('.guess tbody tr').first().innerText()).split(/\s+/);
    assert.equal(first[0], before.token);
    assert.equal(first[1], `${Math.round(before.probability * 100)}%`);
    assert.equal(first[2], `${Math.round(after.probability * 100)}%`);
    // The picture is still beside it.
    assert.ok(await token(page, 'query', 0).isVisible());
    await assertAccessible(page);
  },
);

const chosen =
  '#text=the+unforgettable+cat+sat&layer=2&heads=1.2&token=q2&words=1&keep=90&measure=norm';

for (const {where, hash, part, ...options} of [
  // Explore tells elsewhere what stands over and below the picture in a post.
  {where: 'Explore', hash: chosen, part: '.scroller'},
  {where: 'a wide Explore', hash: chosen, part: '.scroller', viewport: {width: 2560, height: 1440}},
  {where: 'the researcher view', hash: inResearcherView(chosen), part: '.view-stage'},
])
  walkTest(
    `a picture from ${where} is in a post after three clicks, with the pinned token, every setting and the same pixels`,
    {...options, clicks: 3, hash, permissions: ['clipboard-read', 'clipboard-write']},
    async (page) => {
      const here = await drawingOf(page, part);
      assert(here.lines.length > 0);
      const width = await page
        .locator('bert-scope .view-stage')
        .evaluate((stage) => stage.clientWidth);
      await page.getByRole('button', {name: 'Export'}).click();
      await page.getByRole('button', {name: 'Copy HTML tag'}).click();
      await page.locator('dialog.export').getByText('Copied.').waitFor();
      const blog = await openBlog();
      try {
        const post = await page.context().newPage();
        await post.goto(await blog.write('editor.html', '<textarea></textarea>'));
        await post.locator('textarea').click();
        await post.keyboard.press('Control+V');
        const tag = await post.locator('textarea').inputValue();
        assert.match(tag, / token="q2"/);
        const local = tag.replace(/<script.*<\/script>/, '');
        const column = `<div style="width: ${width + 24}px">${local}</div>`;
        const shift = await watchShift(post);
        await post.goto(await blog.write('post.html', column));
        assert.deepEqual(await drawingOf(post, part), here);
        assert((await shift()) < 0.02, `the post moved by ${await shift()}`);
      } finally {
        await blog.close();
      }
    },
  );

walkTest(
  'Space alone leads from the first step of a lesson to the next lesson, past every paragraph of large type',
  {clicks: 0, open: false, viewport: {width: 1280, height: 720}},
  async (page) => {
    const [first, second] = lessons;
    await page.goto(`${server.url}#/lessons/${first.id}/${first.steps[0].id}?large=1`);
    for (const step of first.steps) {
      await computed(page, `${first.id}/${step.id}`);
      const paragraphs = await page.locator('.telling > p').count();
      for (let at = 0; at < paragraphs; at++) {
        await page.locator('.telling > p').nth(at).waitFor({state: 'visible'});
        assert.equal(await page.locator('.telling > p:visible').count(), 1);
        await page.keyboard.press('Space');
      }
      await page.locator('.question').waitFor({state: 'visible'});
      await page.keyboard.press('Space');
    }
    await computed(page, `${second.id}/${second.steps[0].id}`);
    assert(page.url().endsWith('?large=1'), page.url());
  },
);

walkTest(
  'whether [SEP] matters to the guesses is answered for each word in three clicks',
  {clicks: 3},
  async (page) => {
    await page.getByRole('button', {name: 'Show [CLS], [SEP]'}).click();
    await page.locator('.query .token', {hasText: '[SEP]'}).click();
    await page.getByRole('radio', {name: 'What if'}).check();
    const section = page.getByRole('region', {name: 'Does “[SEP]” matter to the guesses?'});
    const status = section.getByText(/^\s*\d+ of 11 first guesses stay the same word/);
    await status.waitFor();
    const rows = await section.locator('tbody tr').allInnerTexts();
    assert.equal(rows.length, 11);
    const same = rows.filter((row) => {
      const [, seen, hidden] = row.split('\t').map((cell) => cell.trim().split(/\s+/)[0]);
      return seen === hidden;
    });
    assert.match((await status.textContent()) ?? '', new RegExp(`^\\s*${same.length} of`));
    await assertAccessible(page);
    const lesson = section.getByRole('link', {name: /^Lesson/});
    assert.equal(await lesson.getAttribute('href'), '#/lessons/does-it-matter');
  },
);

walkTest(
  'where a second text differs from the first is seen in two clicks',
  {clicks: 2},
  async (page) => {
    const weights = async () =>
      (await engineAttention(page, firstState.layer))[firstHead][firstWord];
    const before = await weights();
    await pressInMore(page, 'Compare with another text');
    await page.getByText('Now change something').waitFor();
    await page.keyboard.type('The children played in the garden until they were sold.');
    await page.locator('figcaption', {hasText: 'minus'}).waitFor();
    // Where lines are changes, a stronger one does not mean more.
    const reading = page.locator('.reading-help');
    await reading.filter({hasText: 'The colours show what changed'}).waitFor();
    assert.doesNotMatch((await reading.textContent()) ?? '', /means more/);
    await waitForTokens(page, 'the children played in the garden until they were sold | tired .'.split(' ')); // prettier-ignore
    // The head is the one that the first text was kept with, whatever stands out in the second.
    await page.waitForURL(
      new RegExp(`text=[^&]*sold[^#]*&layer=${firstState.layer}&heads=${firstHead}&`),
    );
    await page.locator('.query .token', {hasText: 'they'}).hover();
    const difference = (await weights())[2] - before[2];
    const change = `${difference < 0 ? '−' : '+'}${Math.abs(difference).toFixed(3)}`;
    const changed = page.locator('.key .token', {hasText: 'children'});
    await changed.filter({hasText: `children${change}`}).waitFor();
    await page.getByRole('group', {name: 'Compare'}).getByRole('button', {name: 'End'}).waitFor();
    await assertAccessible(page);
  },
);
