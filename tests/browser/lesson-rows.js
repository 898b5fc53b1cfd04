/** What tests of single steps share: one page, and what the tensors in it hold. */

import assert from 'node:assert/strict';
import {after, test} from 'node:test';
import {lessons} from '../../web/lessons/index.js';
import {keepFailure, newPage, server} from './support.js';

/** @import {Page} from 'playwright-core' */

/** One page for all rows: a step is gone to by its address, as from a link. @type {Page} */
export let page;
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
export function row(claim, step, act) {
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
export async function goTo(page, step) {
  await page.evaluate((hash) => (location.hash = hash), `#/lessons/${step}`);
  await computed(page, step);
}

/** @param {Page} page @param {string} step */
export async function computed(page, step) {
  const [lesson, name] = step.split(/[/?]/);
  const title = lessons.find(({id}) => id === lesson)?.steps.find(({id}) => id === name)?.title;
  await page.locator('h2', {hasText: title}).waitFor();
  await page.locator('.time', {hasText: /computed in/}).waitFor();
}

/** What a tensor holds, as the page has it. @param {string} label */
export const tensor = (label) =>
  page.locator(`tensor-block[label="${label}"]`).evaluate((/** @type {any} */ {tensor}) => ({
    shape: tensor.shape,
    data: [...tensor.data],
  }));

/**
 * @param {string} label
 * @param {(data: number[]) => boolean} isMeant
 */
export async function waitForTensor(label, isMeant) {
  for (let i = 0; i < 400; i++) {
    if (isMeant((await tensor(label)).data)) return;
    await page.waitForTimeout(50);
  }
  assert.fail(`${label} did not change as expected`);
}

/** The numbers a table prints, row by row. @param {string} label */
export const printed = async (label) => {
  const rows = page.locator(`tensor-block[label="${label}"] tbody tr`);
  return rows.evaluateAll((trs) =>
    trs.map((tr) =>
      [...tr.querySelectorAll('td')].map((td) => Number(td.textContent?.replace('−', '-'))),
    ),
  );
};

/** @param {string} text */
export const type = (text) => page.locator('.sentence-field textarea').first().fill(text);
