import assert from 'node:assert/strict';
import {npz} from '../../web/engine/files/npz-writer.js';
import {coloursOfNumbers} from '../../web/views/parts/head-colours.js';
import {matrixColours} from '../../web/views/parts/weight-colours.js';
import {token, userTest, waitForTokens, waitForValues} from './support.js';

/** @import {Page} from 'playwright-core' */

const tokens = ['le', 'chat', '##on', 'dort'];
const matrix = [
  [0.25, 0.25, 0.25, 0.25],
  [0.75, 0.25, 0, 0],
  [0, 0.5, 0.5, 0],
  [0.125, 0.125, 0.25, 0.5],
];
const identity = matrix.map((_, i) => matrix.map((_, j) => Number(i === j)));
const layers = [
  [matrix, identity],
  [identity, matrix],
];

/** @param {string} name @param {unknown} json */
const jsonFile = (name, json) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(json)),
});

/** Opens a file with the dialog. @param {Page} page @param {any} file */
async function open(page, file) {
  await page.getByRole('button', {name: 'Open attention from a file…'}).click();
  await page.locator('#import-file').setInputFiles(file);
  await page.getByRole('button', {name: 'Show', exact: true}).click();
}

/** Drops a file on the page. @param {Page} page @param {string} name @param {Uint8Array} bytes */
async function drop(page, name, bytes) {
  await page.evaluate(
    ([name, bytes]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(bytes)], name));
      document.body.dispatchEvent(
        new DragEvent('drop', {dataTransfer: transfer, bubbles: true, cancelable: true}),
      );
    },
    /** @type {const} */ ([name, [...bytes]]),
  );
}

userTest(
  'a JSON file of bertviz’s shape is drawn in every view that needs attention only',
  {hash: '#text=the+cat'},
  async (page) => {
    const attention = layers.map((layer) => [layer]);
    await open(page, jsonFile('chat.json', {tokens, attention}));
    await waitForTokens(page, tokens);
    await page.getByText('chat.json: 2 layers × 2 heads, 4 tokens').waitFor();
    await page.locator('.square').nth(0).dblclick();
    await token(page, 'query', 1).hover();
    await waitForValues(page, 'key', matrix[1]);
    const shares = /^chat attends 75\u00a0% to le, 25\u00a0% to itself$/;
    await page.locator('.reading', {hasText: shares}).waitFor();
    await page.getByRole('radio', {name: 'Model'}).check();
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
  'the workbench changes no file: it says why, and leads back to the sentence and its changes',
  {hash: '#text=the+cat&off=3.0&workbench=change'},
  async (page) => {
    await page.getByRole('listitem').getByText('Layer 3, head 0 off').waitFor();
    await open(page, jsonFile('chat.json', {tokens, attention: layers}));
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

userTest('an NPZ file is dropped on the page', {hash: '#text=the+cat'}, async (page) => {
  const file = npz({
    attentions: {values: Float32Array.from(layers.flat(3)), shape: [2, 2, 4, 4]},
    tokens: {values: tokens, shape: [4]},
    token_type_ids: {values: Int32Array.of(0, 0, 0, 1), shape: [4]},
  });
  await drop(page, 'chat.npz', file);
  await waitForTokens(page, tokens);
  await page.getByRole('radio', {name: 'A→B'}).check();
  await waitForTokens(page, ['dort'], 'key');
  // The next text is drawn again.
  await page.locator('#text').fill('the mat');
  await waitForTokens(page, ['[CLS]', 'the', 'mat', '[SEP]']);
});

userTest(
  'while a file is shown the status line is about it; an example leads back, even to the same text',
  {hash: '#text=the+cat'},
  async (page) => {
    await page.getByRole('button', {name: 'mat and rug'}).click();
    await open(page, jsonFile('chat.json', {tokens, attention: layers}));
    await waitForTokens(page, tokens);
    assert.equal(await page.locator('#status').textContent(), 'chat.json · 2 layers × 2 heads');
    await page.getByRole('button', {name: 'mat and rug'}).click();
    await page.locator('.query .piece', {hasText: 'mat'}).waitFor();
    await page.locator('#imported').waitFor({state: 'hidden'});
    assert.match((await page.locator('#status').textContent()) ?? '', /computed here in/);
  },
);

userTest(
  'what the dialog was told of one file is not used for the next',
  {hash: '#text=the+cat'},
  async (page) => {
    const fields = ['Tokens, if the file has none', 'First token of the second sentence'];
    const values = () => Promise.all(fields.map((label) => page.getByLabel(label).inputValue()));
    const fill = async () => {
      await page.getByRole('button', {name: 'Open attention from a file…'}).click();
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
    await drop(page, 'chat.json', jsonFile('', {tokens, attention: layers}).buffer);
    await waitForTokens(page, tokens);
    await page.getByRole('radio', {name: 'A→B'}).waitFor({state: 'detached'});
  },
);

userTest(
  'tokens and the second sentence’s start can be given beside a bare list',
  {hash: '#text=the+cat'},
  async (page) => {
    await page.getByRole('button', {name: 'Open attention from a file…'}).click();
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
  'odd tokens are drawn as they are: right to left, emoji, empty, very long',
  {hash: '#text=the+cat'},
  async (page) => {
    const odd = ['שלום', '👩‍🚀', '', 'a'.repeat(400)];
    await open(page, jsonFile('odd.json', {tokens: odd, attention: layers}));
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
    await page.locator('.reading', {hasText: /^שלום attends/}).waitFor();
  },
);

userTest(
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
    await open(page, {name: 'long.npz', mimeType: 'application/zip', buffer: Buffer.from(file)});
    await waitForTokens(page, names);
    await token(page, 'query', 400).scrollIntoViewIfNeeded();
    await token(page, 'query', 400).hover();
    await page
      .locator('.reading', {hasText: /^t400 attends 75\u00a0% to t399, 25\u00a0% to t511/})
      .waitFor();
    await page.getByRole('radio', {name: 'Matrix'}).check();
    await page.locator('.map').focus();
    for (const key of ['ArrowDown', 'End']) await page.keyboard.press(key);
    await page.locator('.reading', {hasText: 't0 → t511 0.250'}).waitFor();
    await page.getByText('The numbers as a table').click();
    await page.getByText('too long for one table').waitFor();

    // The key that matters is a click away, and the query stays beside its vector.
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
  'a link made while a file is shown says that the file is not in it, and takes it again',
  {hash: '#text=the+cat'},
  async (page) => {
    const file = jsonFile('one.json', {tokens, attention: layers});
    await open(page, file);
    await page.waitForURL(/file=one\.json/);
    await page.getByText('A link to this page does not hold the file').waitFor();
    await page.locator('#text').fill('the mat');
    await waitForTokens(page, ['[CLS]', 'the', 'mat', '[SEP]']);
    assert.ok(!page.url().includes('file='));
    // While the page is open, back finds it.
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
  {hash: '#text=the+cat'},
  async (page) => {
    for (const [json, message] of faults) {
      await open(page, jsonFile('odd.json', json));
      await page.getByRole('alert').filter({hasText: message}).waitFor();
      await page.getByRole('button', {name: 'Cancel'}).click();
    }
    const weights = {name: 'a.safetensors', mimeType: '', buffer: Buffer.from([8, 0, 0])};
    await page.getByRole('button', {name: 'Open attention from a file…'}).click();
    await page.locator('#import-file').setInputFiles(weights);
    await page.getByRole('button', {name: 'Show', exact: true}).click();
    await page.getByRole('alert').filter({hasText: 'is a model, not attention'}).waitFor();
    await page.getByRole('button', {name: 'Cancel'}).click();
    await page.getByRole('button', {name: 'Models…'}).click();
    await page.locator('#models-files').setInputFiles(jsonFile('odd.json', {tokens}));
    await page.getByRole('alert').filter({hasText: 'is attention, not a model'}).waitFor();
    await page.getByRole('button', {name: 'Close'}).click();
    await waitForTokens(page, ['[CLS]', 'the', 'cat', '[SEP]']);
  },
);

userTest(
  'a file says of which model it is; without tokens, what depends on words is left out',
  {hash: '#text=the+cat'},
  async (page) => {
    const about = {model: 'my-bert', interventions: 'off=3.0'};
    await open(page, jsonFile('numbered.json', {attention: layers, ...about}));
    await page.getByText('It is of my-bert, changed: off=3.0.').waitFor();
    await page.getByText('The file names no tokens').waitFor();
    const shares = page.locator('.inspected dl');
    await shares.getByText('Previous token').waitFor();
    for (const name of ['[CLS]', '[SEP]', 'Punctuation', 'Same word'])
      assert.equal(await shares.getByText(name, {exact: true}).count(), 0, name);
    await page.locator('.head-square[style*="rgb"]').first().waitFor();
  },
);

userTest(
  'the three parts of an encoder-decoder model are chosen like filters',
  {hash: '#text=the+cat'},
  async (page) => {
    const decoder = [
      [1, 0],
      [0.5, 0.5],
    ];
    await open(
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
    // The map has none of the shares of places, and is coloured by what there is.
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
    await page.waitForURL(/#text=the\+cat&view=matrix&layer=0&heads=0$/);
  },
);

userTest(
  'a kept picture stands beside the next one, and their difference has two colours',
  {hash: '#text=the+cat+sat&view=matrix&heads=0'},
  async (page) => {
    await open(page, jsonFile('one.json', {tokens, attention: [[matrix]]}));
    await page.getByRole('button', {name: 'Keep for comparison'}).click();
    await open(page, jsonFile('two.json', {tokens, attention: [[identity]]}));
    await page.locator('figcaption', {hasText: 'two.json'}).waitFor();
    assert.deepEqual(await page.locator('figcaption').allTextContents(), ['one.json', 'two.json']);
    assert.equal(await page.locator('.matrix-view').count(), 2);
    await page.getByRole('radio', {name: 'Difference'}).check();
    await page.locator('figcaption').getByText('two.json minus one.json').waitFor();
    assert.equal(await page.locator('.matrix-view').count(), 1);
    await page.locator('.map').focus();
    for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
    const reading = page.locator('.reading');
    await reading.filter({hasText: /^chat → le −0\.750/}).waitFor();
    await page.keyboard.press('ArrowRight');
    await reading.filter({hasText: /^chat → chat \+0\.750/}).waitFor();
    // Orange for less, blue for more.
    const [first, last] = [matrixColours(true, false)[32], matrixColours(true, false)[223]];
    const colours = await page.evaluate(() => {
      const root = document.querySelector('bert-scope')?.shadowRoot;
      const canvas = /** @type {HTMLCanvasElement} */ (root?.querySelector('.map canvas'));
      const context = canvas.getContext('2d');
      const {data} = /** @type {ImageData} */ (
        context?.getImageData(0, 0, canvas.width, canvas.height)
      );
      const seen = new Set();
      for (let i = 0; i < data.length; i += 4) seen.add(`${data[i]},${data[i + 1]},${data[i + 2]}`);
      return [...seen];
    });
    for (const colour of [first, last]) assert.ok(colours.includes(colour.join(',')), `${colour}`);
    // The other views draw it as well: lines and thumbnails in the colours of more and less.
    const {positive, negative} = coloursOfNumbers(false);
    const hasInk = (/** @type {string} */ selector, /** @type {string} */ colour) =>
      page.evaluate(
        ([selector, ...channels]) => {
          const root = document.querySelector('bert-scope')?.shadowRoot;
          const canvas = /** @type {HTMLCanvasElement} */ (root?.querySelector(String(selector)));
          const {data} = /** @type {ImageData} */ (
            canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height)
          );
          for (let i = 0; i < data.length; i += 4) {
            const isNear = channels.every(
              (value, at) => Math.abs(data[i + at] - Number(value)) < 16,
            );
            if (data[i + 3] > 90 && isNear) return true;
          }
          return false;
        },
        [selector, ...[1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16))],
      );
    await page.getByRole('radio', {name: 'Head', exact: true}).check();
    await page.locator('.head-view').waitFor();
    await token(page, 'query', 1).hover();
    await page.waitForFunction(() => {
      const root = document.querySelector('bert-scope')?.shadowRoot;
      const values = [...(root?.querySelectorAll('.key .value') ?? [])];
      return values.map(({textContent}) => textContent).join(' ') === '−0.750 +0.750 0.000 0.000';
    });
    await reading.filter({hasText: /^chat attends −0\.750 to le, \+0\.750 to itself/}).waitFor();
    for (const colour of [positive, negative])
      assert.ok(await hasInk('.lines canvas', colour), `no line is ${colour}`);
    await page.getByRole('radio', {name: 'Model'}).check();
    await page.locator('.thumbnail').hover();
    for (const colour of [positive, negative])
      assert.ok(await hasInk('.sheet canvas', colour), `no thumbnail has ${colour}`);
    await page.getByRole('button', {name: 'End'}).click();
    await page.locator('figcaption').first().waitFor({state: 'detached'});
  },
);

/** Every row of every head looks at one token: the head's number, after those of its layer. */
const looking = (/** @type {number} */ layers, /** @type {number} */ heads) =>
  Array.from({length: layers}, (_, layer) =>
    Array.from({length: heads}, (_, head) =>
      tokens.map(() => tokens.map((_, j) => Number(j === (layer + head) % tokens.length))),
    ),
  );

userTest(
  'of two models of different size every layer and head can be chosen, and each side says what it has not',
  {hash: '#text=the+cat+sat&heads=0'},
  async (page) => {
    const square = (/** @type {number} */ layer, /** @type {number} */ head) =>
      page.locator(`.head-square[data-layer="${layer}"][data-head="${head}"]`);
    const inspector = page.locator('.inspector');
    const told = (
      /** @type {string} */ place,
      /** @type {string} */ side,
      /** @type {string} */ most,
    ) =>
      inspector
        .filter({
          has: page.locator('.place').filter({hasText: place}).getByText(side, {exact: true}),
        })
        .filter({has: page.locator('.sentence', {hasText: most})})
        .waitFor();
    await open(page, jsonFile('large.json', {tokens, attention: looking(3, 3)}));
    await page.getByRole('button', {name: 'Keep for comparison'}).click();
    await open(page, jsonFile('small.json', {tokens, attention: looking(2, 2)}));
    await page.locator('figcaption').nth(1).getByText('small.json').waitFor();
    assert.equal(await page.locator('.head-square').count(), 9);
    assert.equal(await page.getByRole('radiogroup', {name: 'Layer'}).getByRole('radio').count(), 3);

    await square(1, 1).click();
    await told('Layer 1, head 1', 'small.json', '→ ##on 100');
    await inspector.getByText('What this head does in this text: small.json').waitFor();
    await page.getByRole('radio', {name: 'large.json'}).check();
    await told('Layer 1, head 1', 'large.json', '→ ##on 100');

    // Only one side has it; the other says so in the place of its picture.
    await page.getByRole('radio', {name: 'small.json'}).check();
    await square(2, 1).click();
    await page.waitForURL(/layer=2&heads=1&/);
    const [kept, now] = [page.locator('figure').nth(0), page.locator('figure').nth(1)];
    await now.getByText('small.json has 2 layers, counted from 0, so no layer 2.').waitFor();
    assert.equal(await now.locator('.head-view').count(), 0);
    await told('Layer 2, head 1', 'large.json', '→ dort 100');
    assert.ok(await page.getByRole('radio', {name: 'small.json'}).isDisabled());
    await kept.locator('.query .token').nth(1).hover();
    await kept.locator('.key .value').nth(3).getByText('1.000').waitFor();
    await page.keyboard.press('2');
    await now.getByText('so no head 2.').waitFor();
    await told('Layer 2, head 2', 'large.json', '→ itself 100');

    await page.getByRole('radio', {name: 'Difference'}).check();
    await page.getByText('There is nothing to subtract.').waitFor();
    await square(0, 1).click();
    await told('Layer 0, head 1', 'small.json minus large.json', '0.000');
    await page.getByRole('radio', {name: 'Model'}).check();
    await page.getByText('Only what both have is subtracted: 2 layers of 2 heads.').waitFor();
    assert.equal(await page.locator('.thumbnail').count(), 4);
    await page.getByRole('button', {name: 'End'}).click();
    await page.locator('figcaption').first().waitFor({state: 'detached'});
    assert.equal(await page.locator('.head-square').count(), 4);
  },
);

const captions = (/** @type {Page} */ page) => page.locator('figcaption').allTextContents();

userTest(
  'a comparison is in the address; what cannot be subtracted says so and offers the other way',
  {hash: '#text=the+cat+sat'},
  async (page) => {
    const both = ['[CLS]', 'the', 'cat', 'sat', '[SEP]', '[CLS]', 'the', 'cat', 'sat', 'down', 'there', '[SEP]']; // prettier-ignore
    await page.getByRole('button', {name: 'Keep for comparison'}).click();
    await page.locator('#text').fill('the cat sat down there');
    await waitForTokens(page, both);
    await page.reload();
    await waitForTokens(page, both);
    assert.deepEqual(await captions(page), ['the cat sat', 'the cat sat down there']);
    await page.getByRole('radio', {name: 'Difference'}).check();
    await page.getByText('words that both have are compared').waitFor();
    await page.getByText('only the text of now has it: down, there').waitFor();
    await waitForTokens(page, ['[CLS]', 'the', 'cat', 'sat', '[SEP]']);
    await token(page, 'query', 4).click();
    await page.waitForURL(/token=q6/);
    await page.keyboard.press('Escape');
    await page.getByRole('radio', {name: 'Neuron'}).check();
    await page.getByText('different numbers of pieces: 5 were kept, 7 are here now').waitFor();
    await page.getByRole('button', {name: 'Side by side'}).click();
    await page.locator('.neuron-view').nth(1).waitFor();
    await page.waitForURL(/view=neuron&layer=0&compare-mode=side&compare-text=the\+cat\+sat$/);
    await page.goBack();
    await page.getByText('different numbers of pieces').waitFor();
    await page.getByRole('button', {name: 'End'}).click();
    await page.waitForURL((url) => !url.hash.includes('compare'));
    await page.locator('.neuron-view').waitFor();
  },
);

userTest(
  'a link to a comparison with a file says which file it does not hold, and compares once it is there',
  {hash: '#text=the+cat&heads=0'},
  async (page) => {
    const file = jsonFile('chat.json', {tokens, attention: layers});
    await open(page, file);
    await waitForTokens(page, tokens);
    await page.getByLabel('Sentence (not shown now: the picture is of the file)').first().waitFor();
    await page.getByRole('button', {name: 'Keep for comparison'}).click();
    await page.getByRole('button', {name: 'Back to the sentence'}).click();
    const sentence = ['[CLS]', 'the', 'cat', '[SEP]'];
    await waitForTokens(page, [...tokens, ...sentence]);
    await page.reload();
    await waitForTokens(page, sentence);
    await page.getByText('This was compared with attention from chat.json').waitFor();
    // What is compared will not come, so what the address asks for is held against the model alone.
    const address = page.url();
    await page.goto('about:blank');
    await page.goto(address.replace('layer=0', 'layer=99'));
    await page.getByText('The address asks for what this model does not have (layer=99)').waitFor();
    await page.waitForURL(/&layer=5&/);
    await page.goto(address);
    await open(page, file);
    await waitForTokens(page, [...tokens, ...sentence]);
    assert.deepEqual(await captions(page), ['chat.json', 'the cat']);
  },
);

userTest(
  'one head of a larger model keeps its numbers',
  {hash: '#text=the+cat&view=head'},
  async (page) => {
    const one = npz({
      attentions: {values: Float32Array.from(matrix.flat()), shape: [1, 1, 4, 4]},
      tokens: {values: tokens, shape: [4]},
      layers: {values: Int32Array.of(3), shape: [1]},
      heads: {values: Int32Array.of(2), shape: [1]},
      model_shape: {values: Int32Array.of(6, 8), shape: [2]},
    });
    await drop(page, 'one.npz', one);
    await waitForTokens(page, tokens);
    await page.locator('.inspector .place', {hasText: 'Layer 3, head 2'}).waitFor();
    assert.deepEqual(await page.locator('.square:enabled').allInnerTexts(), ['2']);
    await page.locator('.head-square[data-layer="1"]').first().click({force: true});
    await token(page, 'query', 1).hover();
    await waitForValues(page, 'key', matrix[1]);
    await page.getByRole('radio', {name: 'Model'}).check();
    assert.equal(await page.locator('.thumbnail').count(), 1);
    await page.locator('.thumbnail').click();
    await page.locator('.detail .title', {hasText: 'Layer 3, head 2'}).waitFor();
  },
);
