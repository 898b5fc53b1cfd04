import assert from 'node:assert/strict';
import {eventually} from '../support/eventually.js';
import {npz} from '../../web/engine/files/npz-writer.js';
import {dropFile, jsonFile, layers, matrix, openFile, tokens} from './attention-files.js';
import {pressInMore} from './more-menu.js';
import {researcherTest, token, userTest, waitForTokens, waitForValues} from './support.js';

researcherTest(
  'a JSON file in bertviz’s shape is drawn in every view that needs only attention',
  {hash: '#text=the+cat&layer=0'},
  async (page) => {
    const attention = layers.map((layer) => [layer]);
    await openFile(page, jsonFile('chat.json', {tokens, attention}));
    await waitForTokens(page, tokens);
    await page.getByText('chat.json: 2 layers × 2 heads, 4 tokens').waitFor();
    await page.locator('.square').nth(0).dblclick();
    await token(page, 'query', 1).hover();
    await waitForValues(page, 'key', matrix[1]);
    const shares = /^chat gives 75% of its attention to le, 25% to itself$/;
    await page.locator('.reading', {hasText: shares}).waitFor();
    await page.getByRole('radio', {name: 'Model'}).check();
    await page.locator('.thumbnail').nth(3).waitFor();
    assert.equal(await page.locator('.thumbnail').count(), 4);
    await page.getByRole('radio', {name: 'Neuron'}).check();
    await page.getByText('these data hold attention only').waitFor();
    await page.getByRole('radio', {name: 'Matrix'}).check();
    await page.locator('.matrix-view').waitFor();
    await page.getByRole('button', {name: 'Back to the sentence'}).click();
    await page.getByText('Attention from chat.json').waitFor({state: 'hidden'});
  },
);

userTest(
  'the workbench refuses to change a file, says why, and leads back to the sentence and its changes',
  {hash: '#text=the+cat&off=3.0&workbench=change'},
  async (page) => {
    await page.getByRole('listitem').getByText('Layer 3, head 0 off').waitFor();
    await openFile(page, jsonFile('chat.json', {tokens, attention: layers}));
    await waitForTokens(page, tokens);
    await page.getByText('holds attention and no model').waitFor();
    assert.equal(await page.getByRole('checkbox', {name: 'Layer 1 off'}).count(), 0);
    await page.evaluate(() => {
      const scope = /** @type {any} */ (document.querySelector('bert-scope'));
      scope.choose({interventions: {...scope.interventions, causal: true}});
    });
    assert.ok(!page.url().includes('causal'), 'not by another way either');
    await waitForTokens(page, tokens);
    await page
      .locator('bert-workbench')
      .getByRole('button', {name: 'Back to the sentence'})
      .click();
    await waitForTokens(page, ['[CLS]', 'the', 'cat', '[SEP]']);
    await page.getByRole('listitem').getByText('Layer 3, head 0 off').waitFor();
  },
);

researcherTest(
  'an NPZ file that is dropped on the page is drawn, until the next text',
  {hash: '#text=the+cat&layer=0'},
  async (page) => {
    const file = npz({
      attentions: {values: Float32Array.from(layers.flat(3)), shape: [2, 2, 4, 4]},
      tokens: {values: tokens, shape: [4]},
      token_type_ids: {values: Int32Array.of(0, 0, 0, 1), shape: [4]},
    });
    await dropFile(page, 'chat.npz', file);
    await waitForTokens(page, tokens);
    await page.getByRole('radio', {name: 'A→B'}).check();
    await waitForTokens(page, ['dort'], 'key');
    await page.locator('#text').fill('the mat');
    await waitForTokens(page, ['[CLS]', 'the', 'mat', '[SEP]']);
  },
);

userTest(
  'the status line describes the file that is shown, and an example leads back even to the same text',
  {hash: '#text=the+cat&layer=0'},
  async (page) => {
    await pressInMore(page, 'mat and rug');
    await openFile(page, jsonFile('chat.json', {tokens, attention: layers}));
    await waitForTokens(page, tokens);
    assert.equal(await page.locator('#status').textContent(), 'chat.json · 2 layers × 2 heads');
    await pressInMore(page, 'mat and rug');
    await page.locator('.query .piece', {hasText: 'mat'}).waitFor();
    await page.locator('#imported').waitFor({state: 'hidden'});
    assert.match((await page.locator('#status').textContent()) ?? '', /computed here in/);
  },
);

userTest(
  'the dialog forgets what the reader entered for the last file',
  {hash: '#text=the+cat&layer=0'},
  async (page) => {
    const fields = ['Tokens, if the file has none', 'First token of the second sentence'];
    const values = () => Promise.all(fields.map((label) => page.getByLabel(label).inputValue()));
    const fill = async () => {
      await pressInMore(page, 'Open attention from a file…');
      assert.deepEqual(await values(), ['', '']);
      await page.getByLabel(fields[0]).fill('w x y z');
      await page.getByLabel(fields[1]).fill('2');
    };
    await fill();
    await page.getByRole('button', {name: 'Cancel'}).click();
    await fill();
    await page.locator('#import-file').setInputFiles(jsonFile('bare.json', layers));
    await page.getByRole('button', {name: 'Show', exact: true}).click();
    await waitForTokens(page, ['w', 'x', 'y', 'z']);
    await fill();
    await dropFile(page, 'chat.json', jsonFile('', {tokens, attention: layers}).buffer);
    await waitForTokens(page, tokens);
    await page.getByRole('radio', {name: 'A→B'}).waitFor({state: 'detached'});
  },
);

researcherTest(
  'the reader enters tokens and the second sentence’s start for a file without them',
  {hash: '#text=the+cat&layer=0'},
  async (page) => {
    await pressInMore(page, 'Open attention from a file…');
    await page.locator('#import-file').setInputFiles(jsonFile('bare.json', layers));
    await page.getByLabel('Tokens, if the file has none').fill('w x y z');
    await page.getByLabel('First token of the second sentence').fill('2');
    await page.keyboard.press('Enter');
    await waitForTokens(page, ['w', 'x', 'y', 'z']);
    await page.getByRole('radio', {name: 'B→A'}).check();
    await waitForTokens(page, ['y', 'z']);
  },
);

userTest(
  'right-to-left, emoji, empty and very long tokens are drawn unchanged',
  {hash: '#text=the+cat&layer=0'},
  async (page) => {
    const odd = ['שלום', '👩‍🚀', '', 'a'.repeat(400)];
    await openFile(page, jsonFile('odd.json', {tokens: odd, attention: layers}));
    await waitForTokens(page, odd);
    for (const view of ['Model', 'Matrix', 'Head']) {
      await page.getByRole('radio', {name: view, exact: true}).check();
      await page.locator(`.${view.toLowerCase()}-view`).waitFor();
      const [wide, inner] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        innerWidth,
      ]);
      assert.ok(wide <= inner, `the ${view} view overflows the page`);
    }
    await token(page, 'query', 0).hover();
    await page.locator('.reading', {hasText: /^שלום gives/}).waitFor();
  },
);

researcherTest(
  '512 tokens are drawn, scrolled and read in the head view, the matrix and the neuron view',
  {hash: '#text=the+cat&layer=0&heads=0'},
  async (page) => {
    const size = 512;
    const values = new Float32Array(size * size);
    for (let i = 0; i < size; i++) {
      values[i * size + Math.max(0, i - 1)] += 0.75;
      values[i * size + (size - 1)] += 0.25;
    }
    const names = Array.from({length: size}, (_, i) => `t${i}`);
    const vectors = {values: Float32Array.from({length: size * 4}, (_, i) => Math.sin(i)), shape: [1, 1, size, 4]}; // prettier-ignore
    const file = npz({
      ...{queries: vectors, keys: vectors, values: vectors},
      attention: {values, shape: [1, 1, size, size]},
      tokens: {values: names, shape: [size]},
    });
    await openFile(page, {
      name: 'long.npz',
      mimeType: 'application/zip',
      buffer: Buffer.from(file),
    });
    await waitForTokens(page, names);
    await token(page, 'query', 400).scrollIntoViewIfNeeded();
    await token(page, 'query', 400).hover();
    await page
      .locator('.reading', {hasText: /^t400 gives 75% of its attention to t399, 25% to t511/})
      .waitFor();
    await page.getByRole('radio', {name: 'Matrix'}).check();
    await page.locator('.map').focus();
    for (const key of ['ArrowDown', 'End']) await page.keyboard.press(key);
    await page.locator('.reading', {hasText: 't0 → t511 0.250'}).waitFor();
    await page.getByText('The numbers as a table').click();
    await page.getByText('too long for one table').waitFor();

    // A click goes to the strongest key, and the query stays beside its vector.
    await page.keyboard.press('n');
    const jump = page
      .getByRole('group', {name: 'Strongest keys'})
      .getByRole('button', {name: 't511'});
    await jump.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/token=k511/);
    await page.locator('.zoom-title', {hasText: 't0 → t511'}).waitFor();
    await page.waitForFunction(() => {
      const root = document.querySelector('bert-scope')?.shadowRoot;
      const box = root?.querySelector('.neuron-scroller')?.getBoundingClientRect();
      const shown = ['.query .token.current', '.key .token[aria-pressed=true]'].map((name) =>
        root?.querySelector(`.neuron-view ${name}`),
      );
      return shown.every((token) => {
        const row = token?.getBoundingClientRect();
        return row && box && row.top >= box.top && row.bottom <= box.bottom;
      });
    });
    assert.equal(await page.locator('.neuron-view .query .current').textContent(), 't0');
  },
);

userTest(
  'a link to a file says that the file is not in it, and asks for the file',
  {hash: '#text=the+cat&layer=0'},
  async (page) => {
    const file = jsonFile('one.json', {tokens, attention: layers});
    await openFile(page, file);
    await page.waitForURL(/file=one\.json/);
    await page.getByText('A link to this page does not hold the file').waitFor();
    await page.locator('#text').fill('the mat');
    await waitForTokens(page, ['[CLS]', 'the', 'mat', '[SEP]']);
    assert.ok(!page.url().includes('file='));
    // Back finds the file while the page is open.
    await page.goBack();
    await waitForTokens(page, tokens);
    await page.reload();
    await page.getByText('one.json was shown, and a link does not hold a file').waitFor();
    await waitForTokens(page, ['[CLS]', 'the', 'cat', '[SEP]']);
    await page.getByRole('button', {name: 'Open the file…'}).click();
    await page.locator('#import-file').setInputFiles(file);
    await page.getByRole('button', {name: 'Show', exact: true}).click();
    await waitForTokens(page, tokens);
    await page.getByRole('button', {name: 'Back to the sentence'}).click();
    await waitForTokens(page, ['[CLS]', 'the', 'cat', '[SEP]']);
    assert.equal(await page.locator('#imported').isVisible(), false);
  },
);

const faults = /** @type {const} */ ([
  [{tokens: ['a'], attention: layers}, '1 tokens need attention of 1 × 1'],
  [{tokens, attention: layers[0]}, 'found 3: 2 × 4 × 4'],
  [{tokens: ['a'], attention: [[[[0.5]]]]}, 'row 0 of layer 0, head 0 sums to 0.500'],
  [{tokens: ['a'], attention: [[[[null]]]]}, 'should be a number'],
  [{tokens}, 'Expected “attention”'],
]);

userTest(
  'a file that cannot be drawn is refused with the reason, and the picture stays',
  {hash: '#text=the+cat&layer=0'},
  async (page) => {
    for (const [json, message] of faults) {
      await openFile(page, jsonFile('odd.json', json));
      await page.getByRole('alert').filter({hasText: message}).waitFor();
      await page.getByRole('button', {name: 'Cancel'}).click();
    }
    const weights = {name: 'a.safetensors', mimeType: '', buffer: Buffer.from([8, 0, 0])};
    await pressInMore(page, 'Open attention from a file…');
    await page.locator('#import-file').setInputFiles(weights);
    await page.getByRole('button', {name: 'Show', exact: true}).click();
    await page.getByRole('alert').filter({hasText: 'is a model, not attention'}).waitFor();
    await page.getByRole('button', {name: 'Cancel'}).click();
    await pressInMore(page, 'Models…');
    await page.locator('#models-files').setInputFiles(jsonFile('odd.json', {tokens}));
    await page.getByRole('alert').filter({hasText: 'is attention, not a model'}).waitFor();
    await page.getByRole('button', {name: 'Close'}).click();
    await waitForTokens(page, ['[CLS]', 'the', 'cat', '[SEP]']);
  },
);

researcherTest(
  'the page names the model of a file, and leaves out word statistics of a file without tokens',
  {hash: '#text=the+cat&layer=0'},
  async (page) => {
    const about = {model: 'my-bert', interventions: 'off=3.0'};
    await openFile(page, jsonFile('numbered.json', {attention: layers, ...about}));
    await page.getByText('It is of my-bert, changed: off=3.0.').waitFor();
    await page.getByText('The file names no tokens').waitFor();
    const shares = page.locator('.inspected dl');
    await shares.getByText('Previous token').waitFor();
    for (const name of ['[CLS]', '[SEP]', 'Punctuation', 'Same word'])
      assert.equal(await shares.getByText(name, {exact: true}).count(), 0, name);
    await page.locator('.head-square[style*="rgb"]').first().waitFor();
  },
);

researcherTest(
  'the reader chooses among the three parts of an encoder-decoder model as among filters',
  {hash: '#text=the+cat&layer=0'},
  async (page) => {
    const decoder = [
      [1, 0],
      [0.5, 0.5],
    ];
    await openFile(
      page,
      jsonFile('t5.json', {
        encoder_tokens: tokens,
        decoder_tokens: ['the', 'kitten'],
        encoder_attention: layers,
        decoder_attention: [[decoder, decoder], [decoder, decoder]], // prettier-ignore
        cross_attention: layers.map((layer) => layer.map((rows) => rows.slice(0, 2))),
      }),
    );
    await waitForTokens(page, tokens, 'query');
    await page.getByText('t5.json: 2 layers × 2 heads, 4 → 2 tokens').waitFor();
    await page.getByRole('radio', {name: 'Cross'}).check();
    // Cross-attention has no place statistics, so the map is coloured by another one.
    await page.locator('.head-square[aria-label*="%"]').first().waitFor();
    await page.locator('.head-square[style*="rgb"]').first().waitFor();
    await waitForTokens(page, ['the', 'kitten'], 'query');
    await waitForTokens(page, tokens, 'key');
    await page.locator('.square').nth(0).dblclick();
    await token(page, 'query', 1).hover();
    await waitForValues(page, 'key', matrix[1]);
    await page.getByRole('radio', {name: 'Decoder'}).check();
    await waitForTokens(page, ['the', 'kitten'], 'key');
    await page.getByRole('radio', {name: 'Model'}).check();
    await page.getByRole('radio', {name: 'Cross'}).check();
    await page.getByRole('radio', {name: 'Matrix'}).check();
    await page.locator('.matrix-view').waitFor();
    await page.getByRole('button', {name: 'Back to the sentence'}).click();
    await page.waitForURL(/#text=the\+cat&view=matrix&layer=0&heads=0&panel=all$/);
  },
);

researcherTest(
  'a file with one head of a larger model keeps its layer and head numbers',
  {hash: '#text=the+cat&view=head'},
  async (page) => {
    const one = npz({
      attentions: {values: Float32Array.from(matrix.flat()), shape: [1, 1, 4, 4]},
      tokens: {values: tokens, shape: [4]},
      layers: {values: Int32Array.of(3), shape: [1]},
      heads: {values: Int32Array.of(2), shape: [1]},
      model_shape: {values: Int32Array.of(6, 8), shape: [2]},
    });
    await dropFile(page, 'one.npz', one);
    await waitForTokens(page, tokens);
    await page.locator('.inspector .place', {hasText: 'Layer 3, head 2'}).waitFor();
    assert.deepEqual(await page.locator('.square:enabled').allInnerTexts(), ['2']);
    await page.locator('.head-square[data-layer="1"]').first().click({force: true});
    await token(page, 'query', 1).hover();
    await waitForValues(page, 'key', matrix[1]);
    await page.getByRole('radio', {name: 'Model'}).check();
    await page.locator('.thumbnail').waitFor();
    assert.equal(await page.locator('.thumbnail').count(), 1);
    await page.locator('.thumbnail').click();
    await page.locator('.detail .title', {hasText: 'Layer 3, head 2'}).waitFor();
  },
);

userTest(
  'a file is opened with the height and the colours that it was saved with',
  {fresh: true},
  async (page) => {
    const shown = 'view=matrix&heads=1&height=333&theme=dark';
    await openFile(page, jsonFile('dark.json', {tokens, attentions: layers, shown}));
    const scope = page.locator('bert-scope');
    await scope.locator('.matrix-view').waitFor();
    await eventually('the colours and the height of the file', async () => {
      const found = await scope.evaluate((element) => {
        const {view, height, theme} = /** @type {any} */ (element);
        return {view, height, theme, page: document.documentElement.dataset.theme};
      });
      assert.deepEqual(found, {view: 'matrix', height: 333, theme: 'dark', page: 'dark'});
    });
  },
);
