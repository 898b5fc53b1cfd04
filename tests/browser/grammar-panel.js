/** Measures grammatical relations in the panel of the workbench, and opens a sentence in which a head fails. */

import assert from 'node:assert/strict';
import {createReadStream, readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {readTreebank} from '../../web/engine/syntax/conllu.js';
import {waitForInput} from './support.js';

/** @import {Page} from 'playwright-core' */
/** @import {Scope} from './support.js' */
/** @import {SyntaxReport} from '../../web/engine/syntax/score-treebank.js' */

const treebank = fileURLToPath(
  new URL('../../web/engine/syntax/sentences.conllu', import.meta.url),
);

export const measure = 'Measure on 174 English sentences';

/** @param {Page} page */
export const panelOf = (page) => page.locator('workbench-grammar');

/** @param {Page} page @param {string} format */
export async function saved(page, format) {
  const waiting = page.waitForEvent('download');
  await panelOf(page)
    .getByRole('button', {name: `Save as ${format}`})
    .click();
  const file = await waiting;
  return {name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8')};
}

/** Measures the sentences of the page, and chooses the objects of verbs. @param {Page} page */
export async function measureObjects(page) {
  await panelOf(page).getByRole('button', {name: measure}).click();
  await page.getByRole('button', {name: 'the verb of an object', exact: true}).click();
  return objectScore(page);
}

/** Reads what was measured of objects, of which a head has to find more than position does. @param {Page} page */
export async function objectScore(page) {
  /** @type {SyntaxReport} */
  const report = JSON.parse((await saved(page, 'JSON')).text);
  const score = report.relations.find(({relation}) => relation === 'obj');
  assert.ok(score && score.best.interval[0] > score.position.share, 'a head finds objects');
  return score;
}

/**
 * Opens one of the sentences in which the best head for objects is said to fail: the first that has one object, and has it
 * and its verb as tokens that are part of no other one.
 *
 * @param {Page} page
 */
export async function openFailure(page) {
  const misses = panelOf(page).locator('.misses li');
  await misses.first().waitFor();
  const texts = await misses.locator('bdi').allInnerTexts();
  for await (const {text, words} of readTreebank(createReadStream(treebank), treebank)) {
    const at = texts.indexOf(text);
    const objects = words.filter(({relation}) => relation === 'obj');
    if (at < 0 || objects.length !== 1 || text.includes("'")) continue;
    const [word, verb] = [objects[0].form, words[objects[0].head].form];
    const tokens = await tokensOf(page, text);
    const isToken = (/** @type {string} */ form) =>
      tokens.includes(form) && tokens.filter((token) => token.includes(form)).length === 1;
    if (!isToken(word) || !isToken(verb)) continue;
    const told = (await misses.nth(at).locator('small').innerText()).trim();
    await misses.nth(at).getByRole('button').click();
    await waitForInput(page, '#text', text);
    return {text, word, verb, told};
  }
  throw new Error('expected a sentence in which the best head for objects fails, found none');
}

/** @param {Page} page @param {string} text @returns {Promise<string[]>} */
const tokensOf = (page, text) =>
  page.evaluate(async (text) => {
    const {model} = /** @type {Scope} */ (document.querySelector('bert-scope'));
    return (await model.attend(text)).tokens;
  }, text);
