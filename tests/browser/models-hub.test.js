import assert from 'node:assert/strict';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {eventually} from '../support/eventually.js';
import {assertAccessible} from './axe.js';
import {copyGolden, hub, loadByName, makeLarge, modelTest, root, text} from './model-hub.js';
import {openManager, waitForAddress, waitForModel, waitForPicture} from './models.js';
import {server, userTest} from './support.js';

/** @import {Page} from 'playwright-core' */

const nameField = 'Name on the Hugging Face hub';

/** Opens the dialog and names the tests' own hub in it. @param {Page} page */
async function openOwnHub(page) {
  await openManager(page);
  await page.getByText('Another hub, or a model').click();
  await page.getByLabel('Address of the hub').fill(hub.url);
  await page.getByLabel(nameField).focus();
}

const suggestions = (/** @type {Page} */ page) => page.locator('#models-found option');

modelTest('the hub suggests names while the reader types', {}, async (page) => {
  await openManager(page);
  await page.getByText('huggingface.co suggests names while you type').waitFor();
  await page.getByText('Another hub, or a model').click();
  await page.getByLabel('Address of the hub').fill(hub.url);
  hub.requests.length = 0;
  const field = page.getByLabel(nameField);
  await page.getByLabel('Access token').fill('secret');
  const asked = page.waitForRequest(/\/api\/models/);
  // An address is no name, so it is not sent.
  await field.fill(`${hub.url}/someone/roberta`);
  await page.getByText(`${new URL(hub.url).host} suggests names while you type`).waitFor();
  await field.fill('xlm');
  await suggestions(page).first().waitFor({state: 'attached'});
  const values = await suggestions(page).evaluateAll((options) =>
    options.map((option) => /** @type {HTMLOptionElement} */ (option).value),
  );
  assert.deepEqual(values, ['someone/xlm-roberta']);
  assert.deepEqual(hub.requests, ['/api/models']);
  // The page says that nothing is sent but what is typed in this field.
  assert.equal(await (await asked).headerValue('authorization'), null);
  await assertAccessible(page);
  await field.fill(values[0]);
  await page.keyboard.press('Enter');
  await waitForModel(page, 'xlm-roberta,');
});

modelTest('a token opens a private model, and no other host gets it', {}, async (page) => {
  hub.faults.token = 'secret';
  hub.downloads.length = 0;
  try {
    await openOwnHub(page);
    await page.getByLabel('Access token').fill('secret');
    await page.getByLabel(nameField).fill('someone/odd-sizes');
    await page.keyboard.press('Enter');
    await waitForModel(page, 'odd-sizes,');
  } finally {
    hub.faults.token = '';
  }
  // The weights lie on another host, to which the hub redirects.
  assert.deepEqual(hub.downloads, ['/odd-sizes/model.safetensors']);
  assert(!page.url().includes('secret'));
});

modelTest('a search that fails says nothing, and a model loads by its name', {}, async (page) => {
  await openOwnHub(page);
  hub.requests.length = 0;
  hub.faults.status = 500;
  try {
    const failed = page.waitForResponse((response) => response.url().includes('/api/models'));
    await page.getByLabel(nameField).fill('albert');
    await failed;
  } finally {
    hub.faults.status = 200;
  }
  await page.getByLabel(nameField).fill('someone/albert');
  await page.keyboard.press('Enter');
  await waitForModel(page, 'albert,');
  assert.equal(await page.locator('.problem', {hasText: /./}).count(), 0);
});

modelTest(
  'a large download begins once the reader has read its size and agreed',
  {},
  async (page) => {
    makeLarge('large');
    const question = page.getByRole('group', {name: /someone\/large is a download of 12\d\.\d MB/});
    hub.faults.stallAt = 500_000;
    try {
      await loadByName(page, 'someone/large');
      await question.waitFor();
      await eventually('the connection to be closed', () => assert.equal(hub.stalled.size, 0));
    } finally {
      hub.faults.stallAt = 0;
    }
    await assertAccessible(page);
    // The answer has the focus, for readers with a keyboard.
    const agree = question.getByRole('button', {name: 'Download it'});
    assert(await agree.evaluate((button) => button === document.activeElement));
    await question.getByRole('button', {name: 'Not now'}).click();
    await question.waitFor({state: 'detached'});
    await page.getByRole('button', {name: 'Load', exact: true}).click();
    await page.keyboard.press('Tab');
    await question.waitFor();
    await page.keyboard.press('Enter');
    await waitForModel(page, 'large,');
    // A model that is kept is no download.
    await loadByName(page, 'someone/large');
    await page.getByRole('dialog').waitFor({state: 'detached'});
    await waitForPicture(page, 'large,');
  },
);

modelTest(
  'whoever chooses another model ends the download of the one before',
  {fresh: true},
  async (page) => {
    const slow = 'someone/distilbert';
    const downloads = (/** @type {number} */ count) =>
      eventually(`${count} downloads`, () => assert.equal(hub.stalled.size, count));
    const toTeachingModel = () =>
      page.getByRole('button', {name: 'Use the small teaching model'}).click();
    hub.faults.stallAt = 150_000;
    try {
      await loadByName(page, slow);
      await downloads(1);
      await page.locator('#models-folder').setInputFiles(join(root, 'odd-sizes'));
      await waitForModel(page, 'odd-sizes');
      await downloads(0);

      await loadByName(page, slow);
      await downloads(1);
      await toTeachingModel();
      await downloads(0);
      await waitForModel(page, 'bertscope-default');

      await page.evaluate((hash) => (location.hash = hash), `${text}&model=hub:${hub.url}/${slow}`);
      await page.getByRole('button', {name: /^Load it from/}).click();
      await downloads(1);
      await openManager(page);
      await toTeachingModel();
      await downloads(0);
    } finally {
      hub.faults.stallAt = 0;
    }
  },
);

modelTest('addresses of the hub’s pages and files open their model', {}, async (page) => {
  for (const [pasted, name, revision] of [
    ['someone/distilbert/tree/main', 'distilbert', ''],
    ['someone/odd-sizes/blob/v2/config.json', 'odd-sizes', '@v2'],
    ['someone/albert/resolve/main/model.safetensors?download=true', 'albert', ''],
  ]) {
    await loadByName(page, `${hub.url}/${pasted}`);
    await waitForModel(page, `${name},`);
    await waitForAddress(page, `hub:${hub.url}/someone/${name}${revision}`);
  }
});

modelTest(
  'a link with the address of a page of the hub means its model',
  {open: false},
  async (page) => {
    const pasted = 'https://huggingface.co/google-bert/bert-base-cased/tree/main';
    await page.goto(`${server.url}${text}&model=${pasted}`);
    const question = '“google-bert/bert-base-cased” from huggingface.co';
    await page.locator('bert-scope').getByText(question).waitFor();
  },
);

modelTest('a name that no model has is reported as such', {}, async (page) => {
  await loadByName(page, 'someone/distilbrt');
  const problem = page.locator('.problem', {hasText: 'there is no model of this name'});
  await problem.waitFor();
  assert.doesNotMatch((await problem.textContent()) ?? '', /login/);
  hub.faults.gate = 'friend';
  try {
    await page.getByLabel(nameField).fill('someone/distilbert');
    await page.keyboard.press('Enter');
    await page.locator('.problem', {hasText: 'asks to accept terms first'}).waitFor();
  } finally {
    hub.faults.gate = '';
  }
});

modelTest('a model of sentence-transformers says what it is for', {}, async (page) => {
  const folder = copyGolden('electra-discriminator', 'vectors');
  const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
  config.architectures = ['ElectraModel'];
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  const modules = [{idx: 1, path: '1_Pooling', type: 'sentence_transformers.models.Pooling'}];
  writeFileSync(join(folder, 'modules.json'), JSON.stringify(modules));
  await loadByName(page, 'someone/vectors');
  await waitForModel(page, 'vectors,');
  const said = page.locator('#status', {hasText: 'for comparing sentences'});
  await said.waitFor();
  await page.getByRole('radio', {name: 'What if'}).check();
  await page.getByRole('button', {name: 'Predict words'}).click();
  await page.getByText('it guesses no words for [MASK]').waitFor();
  await page.reload();
  await waitForModel(page, 'vectors,');
  await said.waitFor();
});

modelTest('the models worth opening are one step away', {}, async (page) => {
  await openManager(page);
  const list = page.locator('details.known');
  assert.equal(await list.getByRole('button').count(), 0);
  await list.locator('summary').focus();
  await page.keyboard.press('Enter');
  const models = list.getByRole('listitem');
  assert.equal(await models.count(), 8);
  for (const said of await models.allTextContents())
    assert.match(
      said.replace(/\s+/g, ' '),
      /\S+\/\S+ \d+ MB · licence: (Apache 2\.0|MIT) \S.+\. Load/,
    );
  await page.getByText('Another hub, or a model').click();
  await page.getByLabel('Address of the hub').fill(hub.url);
  await list.getByRole('button', {name: 'Load google-bert/bert-base-uncased'}).focus();
  await page.keyboard.press('Enter');
  await waitForModel(page, 'bert-base-uncased,');
});

userTest(
  'an engine that does not start is reported in the models dialog',
  {open: false, errors: /./},
  async (page) => {
    await page.route(/\.wasm$/, (route) => route.abort());
    await page.goto(server.url + text);
    await page.locator('bert-scope').getByText('The model cannot run inside this page').waitFor();
    await openManager(page);
    const problem = (/** @type {string} */ words) =>
      page.locator('dialog .problem', {hasText: words}).waitFor();
    await problem('That did not work: expected the engine');
    await page.locator('#models-folder').setInputFiles(join(root, 'odd-sizes'));
    await problem('The model was not loaded, so the current one stays: expected the engine');
  },
);
