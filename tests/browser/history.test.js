/** Tests that each kind of act is one entry of the browser's history: back undoes it, and forward repeats it. */

import assert from 'node:assert/strict';
import {lessons} from '../../web/lessons/index.js';
import {examples} from '../../web/page/examples.js';
import {embedded} from '../support/embedded-model.js';
import {computed} from './lesson-rows.js';
import {pressInMore} from './more-menu.js';
import {researcherTest, server, token, userTest, waitForTokens} from './support.js';

/** @import {Page} from 'playwright-core' */

const hash = '#text=the+cat+sat&pair=the+mat&layer=1&heads=1';
const last = embedded.layers - 1;
const banks = examples.find(({name}) => name === 'banks');
if (!banks) throw new Error('the example of two banks is gone');

/**
 * Runs in the page: reads its state.
 *
 * @param {Record<string, unknown> | null} expected  part of the state, or null to get the whole state
 * @returns {any}  the state, or whether the state is as expected and its text has been run
 */
function stateOfPage(expected) {
  const scope = /** @type {any} */ (document.querySelector('bert-scope'));
  const names = ['view', 'layer', 'heads', 'filter', 'token', 'open', 'meanLayers', 'onlyHeads'];
  names.push('words', 'special', 'strongest', 'measure', 'fullScale', 'statistic', 'large');
  names.push('text', 'textPair', 'src', 'file', 'interventions', 'compare', 'workbench', 'panel');
  const state = Object.fromEntries(names.map((name) => [name, scope[name]]));
  if (!expected) return state;
  const isShown = scope.result?.text === scope.text || scope.isSaved;
  const isInFields = [...document.querySelectorAll('#text, #pair')].every(
    (field, at) => /** @type {any} */ (field).value === [scope.text, scope.textPair][at],
  );
  const differs = (/** @type {string} */ name) =>
    JSON.stringify(expected[name]) !== JSON.stringify(state[name]);
  const expanded = document
    .querySelector('bert-workbench')
    ?.shadowRoot?.querySelectorAll('[aria-expanded=true]');
  const isInWorkbench = expanded?.length === (scope.workbench ? 1 : 0);
  return isShown && isInFields && isInWorkbench && !Object.keys(expected).some(differs);
}

/** @param {Page} page @param {Record<string, unknown>} expected */
const waitForState = (page, expected) => page.waitForFunction(stateOfPage, expected);

/** @param {Page} page */
const entries = (page) => page.evaluate(() => history.length);

/** Where the page is in its history, and how many entries that has. @param {Page} page */
const place = (page) =>
  page.evaluate(() => ({
    index: navigation.currentEntry?.index ?? NaN,
    count: navigation.entries().length,
  }));

/** @param {Page} page */
const leaveFields = (page) =>
  page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());

/** @param {Page} page @param {string} name */
const radio = (page, name) => page.getByRole('radio', {name, exact: true});

const attention = [[[[0.25, 0.75], [1, 0]]]]; // prettier-ignore
const file = {
  name: 'le-chat.json',
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify({tokens: ['le', 'chat'], attention})),
};

/** Each entry has an act, what the act changes, and the hash to start from if that is not `hash`. */
/** @type {[string, (page: Page) => Promise<unknown>, Record<string, unknown>, string?][]} */
const acts = [
  ['a view', (page) => radio(page, 'Matrix').check(), {view: 'matrix'}],
  ['a view by its key', async (page) => { await leaveFields(page); await page.keyboard.press('x'); }, {view: 'matrix'}],
  ['a layer', (page) => radio(page, '3').check(), {layer: 3}],
  ['a head', (page) => page.locator('.square').nth(2).click(), {heads: [1, 2]}],
  ['a double click on a head', (page) => page.locator('.square').nth(2).dblclick(), {heads: [2]}],
  ['a head by its digit', async (page) => { await leaveFields(page); await page.keyboard.press('4'); }, {heads: [4]}],
  ['a square of the map', (page) => page.locator(`.head-square[data-layer="${last}"][data-head="2"]`).click(), {layer: last, heads: [2]}],
  ['a head opened large', (page) => page.locator(`.head-square[data-layer="${last}"][data-head="2"]`).click(), {layer: last, heads: [2], open: true}, `${hash}&view=model`],
  ['what colours the map', (page) => page.locator('.map-head select').selectOption('entropy'), {statistic: 'entropy'}],
  ['a filter', (page) => radio(page, 'A→B').check(), {filter: 'ab'}],
  ['a pinned token', (page) => token(page, 'query', 2).click(), {token: {side: 'query', index: 2}}],
  ['the mean of all layers', (page) => page.getByLabel('Mean of all layers').check(), {meanLayers: 'all'}],
  ['whole words', (page) => page.getByLabel('Whole words').check(), {words: true}],
  ['special tokens', (page) => page.getByLabel('Special tokens').selectOption('hide'), {special: 'hide'}],
  ['the strongest share', (page) => page.getByRole('slider').fill('70'), {strongest: 0.7}],
  ['a slider moved in many steps', async (page) => { await page.getByRole('slider').focus(); for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowLeft'); }, {strongest: 0.8}],
  ['a measure', (page) => page.getByLabel('Measure').selectOption('norm'), {measure: 'norm'}],
  ['large type', (page) => page.getByLabel('Large type').check(), {large: true}],
  ['typing a text', async (page) => { await page.locator('#text').press('End'); await page.keyboard.type(' on it'); }, {text: 'the cat sat on it'}],
  ['typing a text that loses its pin', async (page) => { await page.locator('#text').press('Home'); await page.keyboard.type('so '); }, {text: 'so the cat sat', token: null}, `${hash}&token=q2`],
  ['typing a pair', async (page) => { await page.locator('#pair').press('End'); await page.keyboard.type(' now'); }, {textPair: 'the mat now'}],
  ['taking the second sentence away', (page) => page.getByRole('button', {name: 'Remove'}).click(), {textPair: '', filter: 'all'}, `${hash}&filter=ab`],
  ['an example', (page) => pressInMore(page, 'two banks'), {text: banks.text, textPair: banks.pair, layer: banks.shown.layer, heads: banks.shown.heads, token: {side: 'query', index: banks.shown.token}}],
  ['a file', openFile, {file: 'le-chat.json'}],
  ['a model', openModel, {}],
  ['a picture kept for comparison', (page) => page.getByRole('button', {name: 'Keep for comparison'}).click(), {}],
  ['another way to compare', (page) => radio(page, 'Difference').check(), {}, `${hash}&compare-mode=side&compare-text=a`],
  ['the end of a comparison', (page) => page.getByRole('button', {name: 'End'}).click(), {compare: null}, `${hash}&compare-mode=side&compare-text=a`],
  ['a head switched off', (page) => page.getByRole('button', {name: 'Switch this head off'}).click(), {}],
  ['the model as it is beside the changed one', (page) => radio(page, 'side by side').check(), {}, `${hash}&off=2.1&workbench=change`],
  ['a temperature', (page) => page.locator('workbench-changes fieldset').nth(2).getByRole('slider').fill('20'), {}, `${hash}&workbench=change`],
  ['a part of the workbench', (page) => page.getByText('Predict words').click(), {workbench: 'predict'}],
]; // prettier-ignore

/** @param {Page} page */
async function openFile(page) {
  await pressInMore(page, 'Open attention from a file…');
  await page.locator('#import-file').setInputFiles(file);
  await page.getByRole('button', {name: 'Show', exact: true}).click();
  await waitForTokens(page, ['le', 'chat']);
}

/** @param {Page} page */
async function openModel(page) {
  await pressInMore(page, 'Models…');
  await page.locator('#models-files').setInputFiles(embedded.path);
  await page.locator('dialog.models').waitFor({state: 'detached'});
}

/**
 * Checks that an act adds one entry, then goes back to where it began, so that the next act takes the entry's place.
 *
 * @param {Page} page
 * @param {(page: Page) => Promise<unknown>} perform
 * @param {Record<string, unknown>} changed
 */
async function assertOneEntry(page, perform, changed) {
  await page.waitForFunction(stateOfPage, {});
  const before = await page.evaluate(stateOfPage, null);
  const start = await place(page);
  await perform(page);
  await page.waitForFunction((start) => navigation.currentEntry?.index !== start, start.index);
  await waitForState(page, {...(Object.keys(changed).length ? before : {}), ...changed});
  // The consequences of an act join its entry a moment later.
  await page.waitForFunction(() => {
    const {permalink} = /** @type {any} */ (document.querySelector('bert-scope'));
    return new URL(permalink().page).hash === location.hash;
  });
  const after = await page.evaluate(stateOfPage, null);
  assert.notDeepEqual(after, before);
  const added = {index: start.index + 1, count: start.index + 2};
  assert.deepEqual(await place(page), added);
  await page.goBack();
  await waitForState(page, before);
  await page.goForward();
  await waitForState(page, after);
  assert.deepEqual(await place(page), added);
  await page.goBack();
  await waitForState(page, before);
}

for (const start of new Set(acts.map(([, , , start = hash]) => start))) {
  const those = acts.filter((act) => (act[3] ?? hash) === start);
  const names = those.map(([act]) => act).join(', ');
  researcherTest(`each adds one entry, which back undoes and forward does again: ${names}`, {hash: start, fresh: true}, async (page) => {
    await page.waitForFunction(() => document.querySelector('bert-workbench')?.shadowRoot);
    for (const [act, perform, changed] of those)
      await assertOneEntry(page, perform, changed).catch((cause) => {
        throw new Error(`${act}: ${cause.message}`, {cause});
      });
  }); // prettier-ignore
}

researcherTest(
  'typing adds one entry until the reader does something else, and so does a held key',
  {hash, fresh: true},
  async (page) => {
    const count = await entries(page);
    await page.locator('#text').press('End');
    await page.keyboard.type(' on');
    await radio(page, '3').check();
    await page.locator('#text').press('End');
    await page.keyboard.type(' it');
    await leaveFields(page);
    for (let i = 0; i < 3; i++) await page.keyboard.down('ArrowDown');
    await page.keyboard.up('ArrowDown');
    await waitForState(page, {
      text: 'the cat sat on it',
      layer: 3,
      token: {side: 'query', index: 2},
    });
    assert.equal(await entries(page), count + 4);
    await page.goBack();
    await waitForState(page, {text: 'the cat sat on it', layer: 3, token: null});
    await page.goBack();
    await waitForState(page, {text: 'the cat sat on', layer: 3});
    await page.goBack();
    await waitForState(page, {text: 'the cat sat on', layer: 1});
    await page.goBack();
    await waitForState(page, {text: 'the cat sat', layer: 1});
  },
);

researcherTest(
  'theme and language add no entry, and back keeps the theme',
  {hash, fresh: true},
  async (page) => {
    const count = await entries(page);
    await radio(page, '3').check();
    await page.getByLabel('Theme').selectOption('dark');
    await page.waitForURL(/theme=dark/);
    assert.equal(await entries(page), count + 1);
    await page.goBack();
    await waitForState(page, {layer: 1});
    assert.equal(await page.getByLabel('Theme').inputValue(), 'dark');
    await page.waitForURL(/layer=1&.*theme=dark/);
    await page.locator('#language').selectOption('zh');
    await page.waitForFunction(() => document.documentElement.lang === 'zh');
    await page.waitForFunction(stateOfPage, {layer: 1});
    assert.equal(await entries(page), count + 1);
    await page.goForward();
    await waitForState(page, {layer: 3});
  },
);

researcherTest('a step of a lesson adds one entry', {hash, fresh: true}, async (page) => {
  const [lesson] = lessons;
  const at = (/** @type {number} */ i) => computed(page, `${lesson.id}/${lesson.steps[i].id}`);
  await page.getByRole('link', {name: 'Lessons'}).click();
  await page.locator('.overview').waitFor();
  await page.getByRole('link', {name: lesson.title, exact: true}).click();
  await at(0);
  const count = await entries(page);
  await page.locator('.stepping > button').last().click();
  await at(1);
  assert.equal(await entries(page), count + 1);
  await page.goBack();
  await at(0);
  await page.goForward();
  await at(1);
});

userTest(
  'an answer that comes while the next section loads does not bring the lesson back',
  {open: false},
  async (page) => {
    let arrive = () => {};
    const arrival = new Promise((resolve) => (arrive = () => resolve(undefined)));
    await page.route(/docs-page/, async (route) => {
      await arrival;
      await route.continue();
    });
    await page.clock.install();
    await page.goto(`${server.url}#/lessons/guess-the-word/missing`);
    await computed(page, 'guess-the-word/missing');
    // The lesson writes its address 0.2 s after the click; the section arrives later.
    await page.evaluate(() => {
      /** @type {HTMLElement} */ (document.querySelector('.predictions button')).click();
      location.hash = '#/docs/gallery';
    });
    await page.locator('.question .explained').waitFor({state: 'attached'});
    await page.clock.fastForward(1000);
    arrive();
    await page.getByRole('heading', {name: 'Gallery'}).waitFor();
    assert.match(page.url(), /#\/docs\/gallery$/);
  },
);

userTest(
  'a link to another text pins its token, also if the one before stood at the same place',
  {hash: '#text=the+cat+sat+on+the+mat&token=q3'},
  async (page) => {
    await waitForTokens(page, '[CLS] the cat sat on the mat [SEP]'.split(' '));
    await page.evaluate(() => (location.hash = '#text=a+dog+ran+to+the+house&token=q3'));
    await waitForTokens(page, '[CLS] a dog ran to the house [SEP]'.split(' '));
    await page.locator('.query .token[aria-pressed="true"]', {hasText: 'ran'}).waitFor();
  },
);
