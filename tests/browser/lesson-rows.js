/** Sets up tests of single steps: they share a page, and read the tensors in it. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {catalogues} from '../strings/catalogue.js';
import {eventually} from '../support/eventually.js';
import {keepFailure, openTab, server} from './support.js';

/** @import {Page} from 'playwright-core' */

/** The page of all rows; each row goes to its step by the address, as from a link. @type {Page} */
export let page;
/** @type {Awaited<ReturnType<typeof openTab>> | null} */
let tab = null;

async function openOnce() {
  if (tab) return tab;
  tab = await openTab();
  ({page} = tab);
  await page.goto(`${server.url}#/lessons`);
  return tab;
}

/**
 * Tests something that a reader looks for in a step.
 *
 * @param {string} claim
 * @param {string} step  `lesson/step`, and the rest of the address
 * @param {() => Promise<void>} act
 */
export function row(claim, step, act) {
  test(claim, {timeout: 300_000}, async () => {
    const opened = await openOnce();
    try {
      await goTo(page, step);
      await act();
      opened.assertNoComplaints();
    } catch (error) {
      await keepFailure(page, claim);
      // The next row gets a new page.
      await page.context().close();
      tab = null;
      throw error;
    }
  });
}

/**
 * Shows a step and waits until everything in it is computed.
 *
 * @param {Page} page
 * @param {string} step
 * @param {string} [language]  of the page
 */
export async function goTo(page, step, language) {
  await page.evaluate((hash) => (location.hash = hash), `#/lessons/${step}`);
  await computed(page, step, language);
}

/** @param {Page} page @param {string} step @param {string} [language] */
export async function computed(page, step, language = 'en') {
  const [lesson, name] = step.split(/[/?]/);
  const {course} = catalogues[language];
  await page.locator('h2', {hasText: course.lessons[lesson].steps[name].title}).waitFor();
  const [before] = course.frame.time(2).split('2');
  // The longest step measures every head on many sentences.
  const time = page.locator('.time', {hasText: before});
  await time.waitFor({state: 'attached', timeout: 60_000});
}

/**
 * Waits for the verdict on what was predicted.
 *
 * @param {Page} page
 * @param {RegExp} said
 */
export const verdict = (page, said) =>
  page.locator('.question .verdict', {hasText: said}).waitFor();

/** Reads the shape and the numbers of a tensor on the page. @param {string} label */
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
  await eventually(`the tensor “${label}” to change`, async () => {
    const {shape, data} = await tensor(label);
    assert.ok(isMeant(data), `[${shape}] of ${data.slice(0, 4)} …`);
  });
}

/** Reads the numbers that a table prints, row by row. @param {string} label */
export const printed = async (label) => {
  const rows = page.locator(`tensor-block[label="${label}"] tbody tr`);
  return rows.evaluateAll((trs) =>
    trs.map((tr) =>
      [...tr.querySelectorAll('td')].map((td) => Number(td.textContent?.replace('−', '-'))),
    ),
  );
};

/**
 * The word of a text without which the first guess for its blank loses most, by the page's engine. The tokens of each
 * word are hidden in turn.
 *
 * @param {Page} page
 * @param {string} text
 */
export async function neededWord(page, text) {
  await waitForModel(page);
  return page.evaluate(async (text) => {
    const {model} = /** @type {any} */ (document.querySelector('bert-scope'));
    const whole = await model.attend(text);
    const at = whole.tokens.indexOf(model.maskToken);
    const [{top}] = await whole.predictions(1, {places: [at]});
    let needed = {word: '', left: Infinity};
    for (const {0: word, index} of text.matchAll(/(?<!\[)\b\p{L}+\b/gu)) {
      const isOfWord = (/** @type {number} */ token) => {
        const [start, end] = whole.offsets[token] ?? [];
        return start >= index && end <= index + word.length;
      };
      const maskedTokens = [...whole.tokens.keys()].filter(isOfWord);
      const hidden = await model.attend(text, {interventions: {maskedTokens}});
      const [left] = await hidden.probabilities(at, [top[0].id]);
      if (left < needed.left) needed = {word, left};
    }
    return needed.word;
  }, text);
}

/**
 * The first guess for the blank of a text, asked of the page's engine.
 *
 * @param {Page} page
 * @param {string} text
 * @param {readonly {layer: number, head: number}[]} [off]  heads that are switched off
 * @returns {Promise<{token: string, probability: number}>}
 */
export async function firstGuess(page, text, off = []) {
  await waitForModel(page);
  return page.evaluate(async ([text, off]) => {
    const {model} = /** @type {any} */ (document.querySelector('bert-scope'));
    const heads = off.map((head) => ({...head, scale: 0}));
    const result = await model.attend(text, {interventions: {heads}});
    const at = result.tokens.indexOf(model.maskToken);
    const [{top}] = await result.predictions(1, {places: [at]});
    return top[0];
  }, /** @type {const} */ ([text, off]));
}

/** @param {Page} page */
const waitForModel = (page) =>
  page.waitForFunction(() => /** @type {any} */ (document.querySelector('bert-scope'))?.model);

/** Reads a head in a text such as “Layer 1, head 2”. @param {string | null} text */
export function headIn(text) {
  const [, layer, head] = /layer (\d+), head (\d+)/i.exec(text ?? '') ?? assert.fail(`${text}`);
  return {layer: Number(layer), head: Number(head)};
}

/** @param {string} text */
export const type = (text) => page.locator('.sentence-field textarea').first().fill(text);

/** Moves the focus with Tab alone. @param {Page} page @param {string} selector */
export async function tabTo(page, selector) {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((at) => document.activeElement?.matches(at), selector)) return;
  }
  assert.fail(`${selector} is not reached`);
}
