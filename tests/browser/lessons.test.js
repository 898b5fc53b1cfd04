import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {after, test} from 'node:test';
import {lessons} from '../../web/lessons/index.js';
import {assertAccessible} from './axe.js';
import {keepFailure, newPage, server, userTest} from './support.js';

/** @import {Page} from 'playwright-core' */

const phone = {viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true};

/** One page for all rows: a step is gone to by its address, as from a link. @type {Page} */
let page;
/** @type {string[]} */
let complaints;

async function openOnce() {
  if (page) return;
  ({page, complaints} = await newPage());
  await page.goto(`${server.url}#/lessons`);
}

after(() => page?.context().close());

/**
 * Something a reader of the notebooks looks for.
 *
 * @param {string} claim
 * @param {string} step  `lesson/step`, and what else the address says
 * @param {() => Promise<void>} act
 */
function row(claim, step, act) {
  test(claim, async () => {
    await openOnce();
    try {
      await goTo(page, step);
      await act();
      assert.deepEqual(complaints.splice(0), []);
    } catch (error) {
      await keepFailure(page, claim);
      throw error;
    }
  });
}

/**
 * Shows a step and waits until everything in it is computed.
 *
 * @param {Page} page
 * @param {string} step
 */
async function goTo(page, step) {
  await page.evaluate((hash) => (location.hash = hash), `#/lessons/${step}`);
  await computed(page, step);
}

/** @param {Page} page @param {string} step */
async function computed(page, step) {
  const [lesson, name] = step.split(/[/?]/);
  const title = lessons.find(({id}) => id === lesson)?.steps.find(({id}) => id === name)?.title;
  await page.locator('h2', {hasText: title}).waitFor();
  await page.locator('.time', {hasText: /computed in/}).waitFor();
}

/** What a tensor holds, as the page has it. @param {string} label */
const tensor = (label) =>
  page.locator(`tensor-block[label="${label}"]`).evaluate((/** @type {any} */ {tensor}) => ({
    shape: tensor.shape,
    data: [...tensor.data],
  }));

/** The numbers a table prints, row by row. @param {string} label */
const printed = async (label) => {
  const rows = page.locator(`tensor-block[label="${label}"] tbody tr`);
  return rows.evaluateAll((trs) =>
    trs.map((tr) =>
      [...tr.querySelectorAll('td')].map((td) => Number(td.textContent?.replace('−', '-'))),
    ),
  );
};

/** @param {string} text */
const type = (text) => page.locator('.sentence-field textarea').first().fill(text);

const friendTokens = 20;

row('the sentence of the notebook has 20 tokens, with their ids', 'reading-heads/ids', async () => {
  const rows = page.locator('.ids tr');
  assert.equal(await rows.count(), friendTokens);
  const [first] = await rows.locator('.id').allTextContents();
  assert.match(first, /^\d+$/);
  assert.deepEqual((await rows.locator('th').allTextContents()).slice(0, 3), [
    '[CLS]',
    'my',
    'friend',
  ]);
});

row(
  'attention is [1, heads, tokens, tokens] in every layer, and follows the sentence',
  'reading-heads/attention-shape',
  async () => {
    await page.getByRole('radio', {name: '5', exact: true}).check();
    const {shape, data} = await tensor('attention of layer 5');
    assert.deepEqual(shape, [1, 8, 20, 20]);
    const sum = data.slice(0, 20).reduce((a, b) => a + b, 0);
    assert.ok(Math.abs(sum - 1) < 1e-4);
    await page.getByText('6 layers, each [1, 8, 20, 20]: 19,200 weights').waitFor();
    await type('She was right.');
    await page.getByText('6 layers, each [1, 8, 6, 6]: 1,728 weights').waitFor();
    await page.waitForURL(/reading-heads\/attention-shape\?text=She\+was\+right\.&layer=5$/);
    await type('My friend told me about this class and I love it so far! She was right.');
  },
);

row(
  'the mean over the heads of the last layer: rows sum to 1, columns do not, and it is saved as CSV',
  'reading-heads/mean-table',
  async () => {
    const rows = await printed('mean over the heads of layer 5');
    assert.equal(rows.length, friendTokens + 1);
    const cells = rows.slice(0, -1).map((numbers) => numbers.slice(0, friendTokens));
    for (const numbers of rows.slice(0, -1)) assert.equal(numbers[friendTokens], 1);
    const columns = rows[friendTokens].slice(0, friendTokens);
    assert.ok(columns.some((sum) => Math.abs(sum - 1) > 0.2));
    columns.forEach((sum, j) => {
      const added = cells.reduce((total, numbers) => total + numbers[j], 0);
      assert.ok(Math.abs(added - sum) < 0.0005 * (friendTokens + 1));
    });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', {name: 'Save as CSV'}).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    assert.equal(lines.length, friendTokens + 1);
    assert.equal(Number(lines[1].split(',')[1]).toFixed(3), cells[0][0].toFixed(3));
  },
);

userTest(
  'every step of every lesson is computed, fits a phone, and axe finds nothing in it',
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
        await assertAccessible(page);
      }
    }
  },
);

userTest('a lesson is walked through with the keyboard alone', {open: false}, async (page) => {
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

  // While a field is written in, the keys are its own.
  const field = page.locator('.sentence-field textarea').first();
  await field.focus();
  await page.keyboard.press('End');
  await page.keyboard.type(' a b');
  await page.keyboard.press('ArrowLeft');
  await at(1);
  assert.match(await field.inputValue(), / a b$/);
});

userTest(
  'what was seen is remembered, and back leads from a lesson to the viewer as it was',
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
    assert.equal(await page.locator('#text').inputValue(), 'the cat sat');
    await page.locator('bert-scope[controls]').waitFor();
  },
);

userTest(
  'lessons work where storage is refused and the network is gone',
  // Chromium asks for the icon again when the title changes.
  {open: false, errors: /ERR_INTERNET_DISCONNECTED/},
  async (page) => {
    await page.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get() {
          throw new DOMException('refused', 'SecurityError');
        },
      });
    });
    const [lesson] = lessons;
    await page.goto(`${server.url}#/lessons/${lesson.id}/${lesson.steps[0].id}`);
    await computed(page, `${lesson.id}/${lesson.steps[0].id}`);
    await page.waitForLoadState('networkidle');
    await page.context().setOffline(true);
    await page.keyboard.press('Space');
    await computed(page, `${lesson.id}/${lesson.steps[1].id}`);
  },
);

userTest('an address of no lesson is answered with all there are', {open: false}, async (page) => {
  await page.goto(`${server.url}#/lessons/nothing/here`);
  await page.getByText('There is no lesson or step called “nothing/here” here.').waitFor();
  assert.equal(await page.locator('.overview li').count(), lessons.length);
  await page.goto(`${server.url}#/nowhere`);
  await page.getByText('There is no page called “nowhere” here.').waitFor();
});
