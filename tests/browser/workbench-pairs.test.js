import assert from 'node:assert/strict';
import {dropFile} from './attention-files.js';
import {embedded} from '../support/embedded-model.js';
import {eventually} from '../support/eventually.js';
import {assertAccessible} from './axe.js';
import {measureObjects, openFailure, panelOf} from './grammar-panel.js';
import {researcherTest, userTest} from './support.js';

/** @import {Page} from 'playwright-core' */

// The page keeps what was typed and measured, so each test has a page of its own.
const hash = '#text=the+cat+sat+on+the+mat&panel=whatif&workbench=grammar';

/** The number of heads in all layers. */
const headCount = embedded.layers * embedded.heads;

const pairsOf = (/** @type {Page} */ page) => page.locator('workbench-pairs');
const searchOf = (/** @type {Page} */ page) => page.locator('workbench-head-search');

const word = (/** @type {Page} */ page, /** @type {number} */ line, /** @type {string} */ form) =>
  pairsOf(page).locator('li[value]').nth(line).getByRole('button', {name: form, exact: true});

/** @param {Page} page @param {number} line @param {string} from @param {string} to */
async function mark(page, line, from, to) {
  await word(page, line, from).click();
  await pairsOf(page).getByText(`Now click the word that “${from}” should find.`).waitFor();
  await word(page, line, to).click();
  const marked = pairsOf(page).locator('li[value]').nth(line);
  await marked.getByText(`${from} → ${to}`, {exact: true}).waitFor();
}

userTest(
  'a teacher marks adjectives and their nouns in typed sentences, sees which head finds them, where it fails, and the map coloured by it',
  {hash, fresh: true},
  async (page) => {
    await page.getByText('Your own pairs of words').click();
    const sentences = pairsOf(page).getByLabel('Sentences, one on each line');
    await sentences.fill(
      'The red car stopped.\n\nA small dog barked.\nNothing here.\nThe dog is small, and the red cat sleeps.',
    );
    await assertAccessible(page);
    assert(await pairsOf(page).getByRole('button', {name: 'Measure pairs'}).isDisabled());
    await mark(page, 0, 'red', 'car');
    await mark(page, 1, 'small', 'dog');
    await mark(page, 3, 'small', 'dog');
    await mark(page, 3, 'red', 'cat');
    await pairsOf(page).getByText('Line 4 has no pair and is left out.').waitFor();
    // The numbers of lines are those that messages name.
    assert.deepEqual(
      await pairsOf(page).locator('li[value]').evaluateAll((lines) => lines.map((line) => line.getAttribute('value'))), // prettier-ignore
      ['1', '3', '4', '5'],
    );
    // Words are marked with keys, too, and a pair can be removed.
    await word(page, 2, 'Nothing').focus();
    await page.keyboard.press('Enter');
    await word(page, 2, 'here').focus();
    await page.keyboard.press('Space');
    await pairsOf(page).getByRole('button', {name: 'Remove Nothing → here'}).click();
    await assertAccessible(page);

    await pairsOf(page).getByRole('button', {name: 'Measure 4 pairs'}).click();
    await panelOf(page)
      .getByText(/^\s*Your pairs: 3 sentences, \d+ words\.\s*$/)
      .waitFor();
    const row = panelOf(page).locator('.relations tbody tr').first();
    assert.match(await row.innerText(), /your pairs[^]*\d\.\d+[^]*\d of 4[^]*3\s+75%/);
    await panelOf(page).getByText('Fewer than 5 pairs say nothing about a head.').waitFor();
    await page.getByRole('button', {name: 'the word that you marked', exact: true}).click();
    const colour = page.locator('.heads').getByLabel('Colour of the map');
    await colour
      .locator('option:checked', {hasText: 'Finds the word that you marked (your pairs)'})
      .waitFor({state: 'attached'});
    await panelOf(page).getByText(/^Head \d\.\d+ finds the word that you marked: \d of 4, by position alone 3\.$/).waitFor(); // prettier-ignore
    await assertAccessible(page);

    // What was typed and marked stays when the panel is closed.
    await page.getByRole('button', {name: 'Grammar'}).click();
    await page.getByRole('button', {name: 'Grammar'}).click();
    await pairsOf(page).getByText('small → dog', {exact: true}).first().waitFor();
    // It stays when the page is reloaded, too.
    await page.reload();
    await pairsOf(page).getByRole('button', {name: 'Measure 4 pairs'}).waitFor();
    assert.match(await sentences.inputValue(), /^The red car stopped\./);
  },
);

userTest(
  'a teacher pastes rows of a spreadsheet, whose pairs are marked, is told what is wrong with a row, and opens or drops such a table as a file',
  {hash, fresh: true},
  async (page) => {
    await page.getByText('Your own pairs of words').click();
    const sentences = pairsOf(page).getByLabel('Sentences, one on each line');
    const paste = (/** @type {string[]} */ ...rows) =>
      sentences.evaluate((field, text) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', text);
        field.dispatchEvent(new ClipboardEvent('paste', {clipboardData, cancelable: true}));
      }, rows.join('\r\n'));
    await sentences.fill('A dog sleeps.\nDogs bark.');
    await paste('The red car stopped.\tred\tcar', '\tThe\tcar', 'Dogs bark.\tDogs\tbark');
    await pairsOf(page).getByRole('button', {name: 'Measure 3 pairs'}).waitFor();
    const text = 'A dog sleeps.\nDogs bark.\nThe red car stopped.';
    assert.equal(await sentences.inputValue(), text);
    await pairsOf(page).getByText('red → car', {exact: true}).waitFor();

    await paste('The dog saw the red dog.\tred\tdog');
    const alert = pairsOf(page).getByRole('alert');
    assert.match(
      await alert.innerText(),
      /^Row 1: “dog” is in the sentence 2 times\. Write dog#1 /,
    );
    assert.equal(await sentences.inputValue(), text);
    await assertAccessible(page);
    await paste('The dog saw the red dog.\tred\tdog#2');
    await pairsOf(page).getByRole('button', {name: 'Measure 4 pairs'}).waitFor();
    assert.equal(await alert.count(), 0);

    const rows = ['to,from,sentence', 'car,red,The red car stopped.', 'bark,Dogs,Dogs bark.'];
    await panelOf(page)
      .locator('input[type=file]')
      .setInputFiles({name: 'pairs.csv', mimeType: '', buffer: Buffer.from(rows.join('\n'))});
    await panelOf(page).getByText('pairs.csv: 2 sentences, 8 words.').waitFor();
    await dropFile(page, 'pairs.tsv', Buffer.from(rows.join('\n').replaceAll(',', '\t')));
    await panelOf(page).getByText('pairs.tsv: 2 sentences, 8 words.').waitFor();
  },
);

userTest(
  'a link has the pairs that were measured, and measures them; what was typed stays, also when the page is reloaded',
  {hash, fresh: true},
  async (page) => {
    await page.getByText('Your own pairs of words').click();
    const sentences = pairsOf(page).getByLabel('Sentences, one on each line');
    await sentences.fill('The red car stopped.\nThe dog saw the cat.');
    await mark(page, 0, 'red', 'car');
    await mark(page, 1, 'the', 'cat');
    await pairsOf(page).getByRole('button', {name: 'Measure 2 pairs'}).click();
    await page.waitForURL(/pairs=/);
    await panelOf(page).getByText('Your pairs: 2 sentences, 11 words.').waitFor();
    const link = page.url();

    // Another reader follows it.
    await page.evaluate(() => sessionStorage.clear());
    await page.goto('about:blank');
    await page.goto(link);
    await panelOf(page).getByText('Your pairs: 2 sentences, 11 words.').waitFor();
    assert.equal(await sentences.inputValue(), 'The red car stopped.\nThe dog saw the cat.');
    await pairsOf(page).getByText('the → cat', {exact: true}).waitFor();
    await sentences.fill('The red car stopped.');
    await pairsOf(page).getByRole('button', {name: 'Measure 1 pair', exact: true}).click();
    await panelOf(page).getByText('Your pairs: 1 sentence, 5 words.').waitFor();
    // Back measures what was there, and leaves what is typed now.
    await page.goBack();
    await panelOf(page).getByText('Your pairs: 2 sentences, 11 words.').waitFor();
    assert.equal(await sentences.inputValue(), 'The red car stopped.');
    await page.goForward();
    await panelOf(page).getByText('Your pairs: 1 sentence, 5 words.').waitFor();
    await page.reload();
    await panelOf(page).getByText('Your pairs: 1 sentence, 5 words.').waitFor();
    // The field stays where it is when it is emptied.
    await sentences.fill('');
    await sentences.fill('A cow.');

    // What is measured instead takes the pairs out of the address.
    await panelOf(page).getByRole('button', {name: 'Measure on 174 English sentences'}).click();
    await page.waitForURL((url) => !url.hash.includes('pairs='));
    // A link that was changed by hand says what is wrong with it, and nothing else is measured.
    for (const [rows, problem] of [
      ['A cow.\tA\tdog', 'Row 1: expected a word of the sentence'],
      ['A cow.', 'The link has no pairs of words'],
    ]) {
      await page.goto('about:blank');
      await page.goto(link.replace(/pairs=[^&]*/, `pairs=${encodeURIComponent(rows)}`));
      await panelOf(page).getByRole('alert').getByText(problem).waitFor();
      assert.equal(await panelOf(page).locator('table').count(), 0);
      assert.equal(await sentences.inputValue(), 'A cow.');
    }
  },
);

researcherTest(
  'a line with too much of a sentence is named, and so is one that is too long for the model',
  {hash, fresh: true},
  async (page) => {
    await page.getByText('Your own pairs of words').click();
    const sentences = pairsOf(page).getByLabel('Sentences, one on each line');
    await sentences.fill(`A dog.\n${'long '.repeat(300)}`);
    await page.getByText('Line 2: expected at most 1000 characters, found 1499.').waitFor();
    await sentences.fill(`A dog.\n${'a , '.repeat(240)}`);
    await mark(page, 0, 'A', 'dog');
    const long = pairsOf(page).locator('li[value="2"]').getByRole('button', {name: 'a'});
    await long.nth(0).click();
    await long.nth(1).click();
    await pairsOf(page).getByRole('button', {name: 'Measure 2 pairs'}).click();
    await page.getByText('Line 2: this sentence is too long for the model.').waitFor();
  },
);

userTest(
  'a reader marks one link, sees the heads that make it most with what was measured of its relation, and shows one of them',
  {hash, fresh: true},
  async (page) => {
    await measureObjects(page);
    const {word, verb} = await openFailure(page);
    await page.getByText('Search for a head').click();
    const search = searchOf(page);
    await search.getByRole('button', {name: word, exact: true}).click();
    await search.getByText(`Now click the word that “${word}” attends to.`).waitFor();
    await search.getByRole('button', {name: verb, exact: true}).click();
    const rows = search.locator('tbody tr');
    await rows.first().waitFor();
    assert.equal(await rows.count(), 8);
    const percents = (await rows.locator('td:nth-child(2)').allInnerTexts()).map(parseFloat);
    assert.deepEqual(
      percents,
      percents.toSorted((a, b) => b - a),
    );
    // The annotation knows the relation.
    assert.equal(await search.getByLabel('Compare with').inputValue(), 'obj');
    assert.match((await rows.first().locator('td').nth(1).innerText()).trim(), /^\d+ of 135$/);
    await search.getByRole('button', {name: `Show all ${headCount} heads`}).click();
    await search.getByRole('button', {name: 'Measured', exact: true}).click();
    assert.equal(await rows.count(), headCount);
    const counts = (await rows.locator('td:nth-child(3)').allInnerTexts()).map(parseFloat);
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => b - a),
    );
    await assertAccessible(page);
    await search.getByRole('button', {name: 'Here', exact: true}).click();
    const place = (await rows.nth(1).getByRole('button').innerText()).trim();
    const [layer, head] = place.split('.');
    await rows.nth(1).getByRole('button').click();
    await page.waitForURL(new RegExp(`layer=${layer}&heads=${head}\\b`));
    await page.locator('.tokens.query .token[aria-pressed="true"]', {hasText: word}).waitFor();

    // The weight is the one of the picture.
    const value = page.locator('.tokens.key .token', {hasText: verb}).locator('.value');
    await eventually('the weight beside the word', async () =>
      assert.equal(Math.round(100 * parseFloat(await value.innerText())), percents[1]),
    );
    // Another text has another link.
    await page.locator('#text').fill('a dog');
    await rows.first().waitFor({state: 'detached'});
  },
);

userTest(
  'the annotated links of a sentence that was opened are drawn over the head view and named, as long as the text is there',
  {hash, fresh: true},
  async (page) => {
    const {best} = await measureObjects(page);
    const {text, word, verb} = await openFailure(page);
    const [from, to] = best.direction === 'to' ? [word, verb] : [verb, word];
    const curve = page.locator('.annotated-links .curve');
    await curve.waitFor();
    const caption = `Dashed: as annotated, ${from} → ${to} (obj)`;
    await page.getByText(caption).waitFor();
    await assertAccessible(page);

    // The curve begins and ends at the rows of its words. All are read at one moment: the picture may still move.
    const {top, bottom, ends} = await curve.evaluate((drawn, [from, to]) => {
      const root = /** @type {ShadowRoot} */ (drawn.getRootNode());
      const middleOf = (/** @type {string} */ side, /** @type {string} */ form) => {
        const tokens = [...root.querySelectorAll(`.tokens.${side} .token`)];
        const box = tokens
          .find(({textContent}) => textContent?.includes(form))
          ?.getBoundingClientRect();
        return box ? box.y + box.height / 2 : NaN;
      };
      const box = drawn.getBoundingClientRect();
      return {
        ...{top: box.top, bottom: box.bottom},
        ends: [middleOf('query', from), middleOf('key', to)],
      };
    }, /** @type {const} */ ([from, to]));
    assert(Math.abs(top - Math.min(...ends)) < 6, `${top} and ${ends}`);
    assert(Math.abs(bottom - Math.max(...ends)) < 6, `${bottom} and ${ends}`);

    // Another view has none, and the head view has them again.
    await page.getByRole('radio', {name: 'Matrix'}).check();
    await curve.waitFor({state: 'detached'});
    await page.getByRole('radio', {name: 'Head', exact: true}).check();
    await curve.waitFor();

    await page.locator('#text').fill(`${text} And more.`);
    await curve.waitFor({state: 'detached'});
    assert.equal(await page.getByText(caption).count(), 0);
    await page.locator('#text').fill(text);
    await curve.waitFor();
  },
);
