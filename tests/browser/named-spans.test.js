/** Tests what the page shows of a model that names persons and places. */

import assert from 'node:assert/strict';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {assertAccessible} from './axe.js';
import {copyGolden, modelTest} from './model-hub.js';
import {openManager, waitForModel} from './models.js';
import {inResearcherView} from './support.js';
import {ask} from './workbench.js';

/** @import {Scope} from './support.js' */

const text = 'she sat on the mat';

modelTest(
  'a model that names persons and places shows spans, the classes of a token, and why it has one',
  {hash: inResearcherView(`#text=${text.replaceAll(' ', '+')}&workbench=predict`)},
  async (page) => {
    const folder = copyGolden('half-classifier', 'names');
    const path = join(folder, 'config.json');
    const config = JSON.parse(readFileSync(path, 'utf8'));
    config.architectures = ['BertForTokenClassification'];
    config.id2label = {0: 'O', 1: 'B-PER', 2: 'B-LOC'};
    writeFileSync(path, JSON.stringify(config));
    await openManager(page);
    await page.locator('#models-folder').setInputFiles(folder);
    await waitForModel(page, 'names');

    const panel = page.locator('workbench-named-spans');
    await panel.getByText('What the classifier names in the text').waitFor();
    const spans = await ask(page, 'result.namedSpans()');
    await panel
      .locator('mark')
      .nth(spans.length - 1)
      .waitFor();
    const told = (await panel.locator('mark bdi').allTextContents()).map((label) => label.trim());
    assert.deepEqual(
      told,
      spans.map((/** @type {{label: string}} */ {label}) => label),
    );
    assert(spans.length > 0);
    const tokens = text.split(' ');
    assert.deepEqual(
      (await panel.locator('.word').allTextContents()).map((token) => token.trim()),
      tokens,
    );
    await assertAccessible(page);

    // The panel that tries every head asks about the first name, too.
    await page.getByRole('button', {name: 'Change the model'}).click();
    const target = page.getByLabel('The likeliest class of');
    const [{begin}] = spans;
    await target
      .locator('option:checked', {hasText: `${tokens[begin - 1]} (${begin})`})
      .waitFor({state: 'attached'});
    await page.getByRole('button', {name: 'Predict words'}).click();

    await panel.getByRole('button', {name: 'mat', exact: true}).click();
    const classes = panel.getByRole('region', {name: 'Classes of mat'});
    await classes.locator('li').nth(2).waitFor();
    const [best] = (await ask(page, `result.tokenClasses(${1 + tokens.indexOf('mat')})`)).sort(
      (/** @type {{logit: number}} */ a, /** @type {{logit: number}} */ b) => b.logit - a.logit,
    );
    await classes.getByRole('button', {name: `Which words led to “${best.label}”?`}).click();
    const question = `Which words led to “${best.label}” for “mat”?`;
    await page.locator('workbench-explanation').getByRole('heading', {name: question}).waitFor();

    await page.getByRole('button', {name: 'Change the model'}).click();
    assert.match((await target.locator('option:checked').textContent()) ?? '', /^mat \(5\)$/);
    await page.getByRole('button', {name: 'Try every head'}).click();
    const effect = page.locator('workbench-effects p', {hasText: 'with every head'});
    assert.match((await effect.textContent()) ?? '', new RegExp(`“${best.label}”`));

    // The chosen token stays chosen when the model changes, and its classes are held against those before.
    await page.getByRole('button', {name: 'Predict words'}).click();
    await panel.getByRole('button', {name: 'she', exact: true}).click();
    await page.evaluate(() => {
      const scope = /** @type {Scope} */ (document.querySelector('bert-scope'));
      scope.change({interventions: {...scope.interventions, layersOff: [0]}});
    });
    await panel
      .getByRole('region', {name: 'Classes of she'})
      .locator('.number small')
      .first()
      .waitFor();
  },
);
