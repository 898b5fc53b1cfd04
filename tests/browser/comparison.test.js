import assert from 'node:assert/strict';
import {coloursOfNumbers} from '../../web/views/parts/head-colours.js';
import {matrixColours} from '../../web/views/parts/weight-colours.js';
import {embedded} from '../support/embedded-model.js';
import {identity, jsonFile, layers, matrix, openFile, tokens} from './attention-files.js';
import {loadByName, modelTest} from './model-hub.js';
import {drawnTokens, waitForModel} from './models.js';
import {inResearcherView, token, researcherTest, userTest, waitForTokens} from './support.js';

/** @import {Page} from 'playwright-core' */

/** The words of the queries of the picture on the right, or of the only one. @param {Page} page */
const words = (page) => page.locator('.content .query').last().locator('.token');

/** An address that compares two texts. @param {string} now  how it ends @param {string} before */
function differenceOf(now, before) {
  const text = (/** @type {string} */ end) =>
    `The children played in the garden until they were ${end}.`;
  return `#${new URLSearchParams({text: text(now), view: 'head', special: 'hide', 'compare-mode': 'difference', 'compare-text': text(before)})}`;
}

researcherTest(
  'a kept picture stands beside the next one, and their difference has two colours',
  {hash: '#text=the+cat+sat&view=matrix&heads=0'},
  async (page) => {
    await openFile(page, jsonFile('one.json', {tokens, attention: [[matrix]]}));
    await page.getByRole('button', {name: 'Keep for comparison'}).click();
    await openFile(page, jsonFile('two.json', {tokens, attention: [[identity]]}));
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
    // Orange means less, and blue means more.
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
    // The other views draw lines and thumbnails in the colours of more and less.
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
    await reading.filter({hasText: /^chat gives −0\.750 to le, \+0\.750 to itself/}).waitFor();
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

/** Makes attention in which every row of a head attends to one token: number layer + head. */
const looking = (/** @type {number} */ layers, /** @type {number} */ heads) =>
  Array.from({length: layers}, (_, layer) =>
    Array.from({length: heads}, (_, head) =>
      tokens.map(() => tokens.map((_, j) => Number(j === (layer + head) % tokens.length))),
    ),
  );

for (const [width, height] of [
  [1440, 900],
  [1024, 768],
])
  userTest(
    `in a window of ${width} by ${height} no row of a comparison moves under the mouse, however long its headline is`,
    {hash: differenceOf('sold', 'tired'), fresh: true, viewport: {width, height}},
    async (page) => {
      const said = new Set();
      const tops = new Set();
      for (const mode of ['Difference', 'Side by side']) {
        await page.getByRole('radio', {name: mode}).check();
        await page.locator('.headline .told').waitFor();
        for (const word of await words(page).all()) {
          await word.hover();
          await page.waitForTimeout(50);
          said.add(await page.locator('.headline').innerText());
          const box = await words(page).first().boundingBox();
          tops.add(`${mode} ${Math.round(box?.y ?? 0)}`);
        }
      }
      assert.ok(said.size > 6, [...said].join('\n'));
      assert.equal(tops.size, 2, [...tops].join(', '));
    },
  );

userTest(
  'in a narrow window a headline that grows does not change what the resting mouse points at',
  {
    hash: differenceOf('incredibly tired', 'tired'),
    fresh: true,
    viewport: {width: 390, height: 844},
  },
  async (page) => {
    await page.getByRole('radio', {name: 'Side by side'}).check();
    await page.locator('figcaption').nth(1).waitFor();
    const heights = new Set();
    for (const word of await words(page).all()) {
      await word.hover();
      const told = page.locator('.headline .told');
      const name = await word.locator('.piece').innerText();
      await told.filter({hasText: `${name} looks`}).waitFor();
      // If the headline followed the rows that it moves, it would not come to rest.
      const said = await told.innerText();
      for (let frame = 0; frame < 6; frame++) {
        await page.evaluate(() => new Promise(requestAnimationFrame));
        assert.equal(await told.innerText(), said);
      }
      heights.add((await page.locator('.headline').boundingBox())?.height);
    }
    assert.ok(heights.size > 1, 'the headline has more lines for some words');
  },
);

researcherTest(
  'every layer and head of two models of different size can be chosen, and each side says what it lacks',
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
    await openFile(page, jsonFile('large.json', {tokens, attention: looking(3, 3)}));
    await page.getByRole('button', {name: 'Keep for comparison'}).click();
    await openFile(page, jsonFile('small.json', {tokens, attention: looking(2, 2)}));
    await page.locator('figcaption').nth(1).getByText('small.json').waitFor();
    assert.equal(await page.locator('.head-square').count(), 9);
    assert.equal(await page.getByRole('radiogroup', {name: 'Layer'}).getByRole('radio').count(), 3);

    await square(1, 1).click();
    await told('Layer 1, head 1', 'small.json', '→ ##on 100');
    await inspector.getByText('What this head does in this text: small.json').waitFor();
    await page.getByRole('radio', {name: 'large.json'}).check();
    await told('Layer 1, head 1', 'large.json', '→ ##on 100');

    // Only one side has this layer, and the other says so in place of its picture.
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
    await page.locator('.thumbnail').nth(3).waitFor();
    assert.equal(await page.locator('.thumbnail').count(), 4);
    await page.getByRole('button', {name: 'End'}).click();
    await page.locator('figcaption').first().waitFor({state: 'detached'});
    assert.equal(await page.locator('.head-square').count(), 4);
  },
);

const captions = (/** @type {Page} */ page) => page.locator('figcaption').allTextContents();

researcherTest(
  'the address holds a comparison, and a view that cannot subtract says so and offers both pictures',
  {hash: '#text=the+cat+sat&layer=0'},
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
    await page.waitForURL(
      /view=neuron&layer=0&compare-mode=side&compare-text=the\+cat\+sat&panel=all$/,
    );
    await page.goBack();
    await page.getByText('different numbers of pieces').waitFor();
    await page.getByRole('button', {name: 'End'}).click();
    await page.waitForURL((url) => !url.hash.includes('compare'));
    await page.locator('.neuron-view').waitFor();
  },
);

researcherTest(
  'a link to a comparison with a file names the missing file, and compares once it is opened',
  {hash: '#text=the+cat&heads=0'},
  async (page) => {
    const file = jsonFile('chat.json', {tokens, attention: layers});
    await openFile(page, file);
    await waitForTokens(page, tokens);
    await page.getByLabel('Sentence (not shown now: the picture is of the file)').first().waitFor();
    await page.getByRole('button', {name: 'Keep for comparison'}).click();
    await page.getByRole('button', {name: 'Back to the sentence'}).click();
    const sentence = ['[CLS]', 'the', 'cat', '[SEP]'];
    await waitForTokens(page, [...tokens, ...sentence]);
    await page.reload();
    await waitForTokens(page, sentence);
    await page.getByText('This was compared with attention from chat.json').waitFor();
    // The file is missing, so the layers and heads of the address are checked against the model alone.
    const address = page.url();
    await page.goto('about:blank');
    await page.goto(address.replace('layer=0', 'layer=99'));
    await page.getByText('The address asks for what this model does not have (layer=99)').waitFor();
    await page.waitForURL((url) => url.hash.includes(`&layer=${embedded.layers - 1}&`));
    await page.goto(address);
    await openFile(page, file);
    await waitForTokens(page, [...tokens, ...sentence]);
    assert.deepEqual(await captions(page), ['chat.json', 'the cat']);
  },
);

modelTest(
  'two models stand side by side on one text, and the first still answers after three more are loaded',
  {hash: inResearcherView('#text=the+cat+sat')},
  async (page) => {
    await loadByName(page, 'someone/distilbert');
    await waitForModel(page, 'distilbert');
    await page.getByRole('button', {name: 'Keep for comparison'}).click();
    await loadByName(page, 'someone/roberta');
    await waitForModel(page, 'roberta');
    await page.locator('figcaption', {hasText: 'distilbert: the cat sat'}).waitFor();
    await page.locator('figcaption', {hasText: 'roberta: the cat sat'}).waitFor();
    for (const name of ['camembert', 'electra-small', 'albert']) {
      await loadByName(page, `someone/${name}`);
      await waitForModel(page, name);
    }
    // The neuron view asks it for queries and keys, which nobody has asked it for yet.
    await page.getByRole('radio', {name: 'Neuron', exact: true}).check();
    await page.locator('figure .neuron-view').nth(1).waitFor();
    await page.locator('figcaption', {hasText: 'distilbert: the cat sat'}).waitFor();
  },
);

modelTest(
  'two models that cut a text differently are compared word by word',
  {hash: inResearcherView('#text=The+cats,+in+the+river')},
  async (page) => {
    await loadByName(page, 'someone/electra-small');
    await waitForModel(page, 'electra-small');
    await page.getByRole('button', {name: 'Keep for comparison'}).click();
    await loadByName(page, 'someone/xlm-roberta');
    await waitForModel(page, 'xlm-roberta');
    await page.locator('figcaption', {hasText: 'xlm-roberta: The cats'}).waitFor();
    await page.locator('.aligned', {hasText: 'words are compared'}).waitFor();
    assert.deepEqual(await drawnTokens(page), [
      '[CLS] the cats, in the river [SEP]',
      '<s> The cats, in the river </s>',
    ]);
    // A token pinned in one picture is pinned in the other.
    await page.locator('.head-view').first().locator('.query .token').nth(2).click();
    await page.locator('.query .token[aria-pressed=true]').nth(1).waitFor();
    await page.getByRole('radio', {name: 'Difference'}).check();
    await page.locator('figcaption', {hasText: 'minus'}).waitFor();
    await page.locator('.aligned', {hasText: 'words are compared'}).waitFor();
    assert.deepEqual(await drawnTokens(page), ['<s> | [CLS] The cats, in the river </s> | [SEP]']);
  },
);
