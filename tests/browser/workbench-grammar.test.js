import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {dropFile} from './attention-files.js';
import {eventually} from '../support/eventually.js';
import {assertAccessible} from './axe.js';
import {researcherTest, userTest, waitForInput, waitForTokens} from './support.js';

/** @import {Locator, Page} from 'playwright-core' */
/** @import {SyntaxReport} from '../../web/engine/syntax/score-treebank.js' */

const script = fileURLToPath(new URL('../../scripts/bertscope.mjs', import.meta.url));

const measure = 'Measure on 174 English sentences';
const panelOf = (/** @type {Page} */ page) => page.locator('workbench-grammar');
/** The row of a relation. @param {Page} page @param {string} name */
const rowOf = (page, name) =>
  panelOf(page)
    .locator('.relations tbody tr')
    .filter({has: page.getByText(new RegExp(`^${name}( · .*)?$`))});

/** Waits until the choice of what colours the map says so. @param {Locator} colour @param {string} name */
const chosenIn = (colour, name) =>
  colour.locator('option:checked', {hasText: name}).waitFor({state: 'attached'});

/** @param {Page} page @param {string} format */
async function saved(page, format) {
  const waiting = page.waitForEvent('download');
  await panelOf(page)
    .getByRole('button', {name: `Save as ${format}`})
    .click();
  const file = await waiting;
  return {name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8')};
}

/** What the command line measures. @returns {Promise<SyntaxReport>} */
async function reportOfCommand() {
  const folder = await mkdtemp(join(tmpdir(), 'bertscope-'));
  try {
    const path = join(folder, 'report.json');
    await promisify(execFile)(process.execPath, [script, 'syntax', '-o', path]);
    return JSON.parse(await readFile(path, 'utf8'));
  } finally {
    await rm(folder, {recursive: true});
  }
}

/** A sentence in CoNLL-U. @param {readonly [form: string, head: number, relation: string][]} words */
const sentence = (words) =>
  `${words.map(([form, head, relation], at) => `${at + 1}\t${form}\t_\t_\t_\t_\t${head}\t${relation}\t_\t_\n`).join('')}\n`;
const dogs = sentence([
  ['Dogs', 2, 'nsubj'],
  ['bark', 0, 'root'],
  ['.', 2, 'my:own'],
]);

userTest(
  'a reader measures which head finds which relation, sees what position alone finds, and saves what the command line prints',
  {},
  async (page) => {
    await page.getByRole('radio', {name: 'What if'}).check();
    await page.getByRole('button', {name: 'Grammar'}).click();
    await page.getByRole('button', {name: measure}).click();
    const row = rowOf(page, 'obj');
    await row.waitFor();
    const report = await reportOfCommand();
    const [title] = await panelOf(page).locator('h3').allTextContents();
    assert.match(title, /: 174 sentences, 1803 words\.\s*$/);

    const object = report.relations.find(({relation}) => relation === 'obj');
    assert(object && report.coreference);
    const {best, position, links} = object;
    const cells = await row.locator('th, td').allInnerTexts();
    const percent = (/** @type {number} */ share) => `${Math.round(100 * share)}%`;
    const [low, high] = best.interval.map(percent);
    assert.deepEqual(
      cells.map((cell) => cell.split(/\s*\n\s*/)),
      [
        ['the verb of an object', 'obj'],
        [`${best.layer}.${best.head}`],
        [`${best.right} of ${links}`, `${low}–${high}`],
        [`${position.right}`, percent(position.share)],
      ],
    );
    // A head that finds what the next word is as well knows nothing of determiners.
    await rowOf(page, 'det').getByText('no clear gain').waitFor();
    // Of relations with few words nothing is said.
    const frequent = report.relations.filter(({links}) => links >= 5).length;
    assert.equal(await panelOf(page).locator('tbody tr').count(), frequent);
    const {tree} = report;
    await page.getByText(`has ${tree.heads.right} of ${tree.links} links`).waitFor();
    await page.getByText(`finds an earlier mention of the same thing for ${report.coreference.best.right} of 104`).waitFor(); // prettier-ignore
    await assertAccessible(page);

    const json = await saved(page, 'JSON');
    assert.match(json.name, /^bertscope-grammar-bertscope-default\.json$/);
    assert.deepEqual(JSON.parse(json.text), report);
    const figure = await saved(page, 'SVG');
    assert.match(figure.name, /^bertscope-grammar-bertscope-default\.svg$/);
    // Each relation has a bar, and a mark of what position finds.
    assert((figure.text.match(/<rect/g) ?? []).length >= 2 * frequent);
    const {text} = await saved(page, 'CSV');
    const rows = text.trimEnd().split('\r\n');
    assert.equal(rows.length, 1 + report.relations.length);
    assert.match(rows[0], /^relation,links,layer,head,direction,right,share,low,high,offset,/);
    assert(rows.some((line) => line.startsWith(`obj,${links},${best.layer},${best.head},`)));

    // What was measured stays when the panel is closed.
    await page.getByRole('button', {name: 'Grammar'}).click();
    await page.getByRole('button', {name: 'Grammar'}).click();
    await row.waitFor();
  },
);

researcherTest(
  'a file in CoNLL-U that is dropped on the page is measured, and one that is not says why in one line and leaves the page usable',
  {hash: '#text=the+cat'},
  async (page) => {
    const drop = (/** @type {string} */ name, /** @type {string | Uint8Array} */ content) =>
      dropFile(page, name, Buffer.from(content));
    await drop('dogs.CONLLU', dogs.repeat(6));
    await page.getByText('dogs.CONLLU: 6 sentences, 18 words.').waitFor();
    await page.waitForURL(/workbench=grammar/);
    // A relation of the reader's own is called by its name alone.
    await rowOf(page, 'my:own').getByText('what a word with “my:own” belongs to').waitFor();

    const alert = panelOf(page).getByRole('alert');
    for (const [name, content, problem] of /** @type {[string, string | Uint8Array, string][]} */ ([
      [
        'head.conllu',
        `${dogs}1\tDogs\t_\t_\t_\t_\t9\tnsubj\t_\t_\n`,
        'head.conllu: line 5: expected a head of at most 1, found 9',
      ],
      [
        'text.conllu',
        `${dogs}<img src=x onerror=alert(1)>\n`,
        'text.conllu: line 5: expected 10 columns with tabs between, found 1',
      ],
      [
        'bytes.conllu',
        Uint8Array.of(0xff, 0xfe, 0, 1),
        'bytes.conllu: line 1: expected text in UTF-8, found bytes that are not',
      ],
      [
        'long.conllu',
        `# ${'x'.repeat(200_000)}`,
        'long.conllu: line 1: expected at most 100,000 characters, found more',
      ],
      ['empty.conllu', '', 'empty.conllu: expected sentences in CoNLL-U, found none'],
    ])) {
      // prettier-ignore
      await drop(name, content);
      await panelOf(page).getByText(problem, {exact: true}).waitFor();
      assert.equal(await alert.count(), 1, name);
      // The measurement before stays.
      assert.equal(await rowOf(page, 'nsubj').count(), 1, name);
    }
    await page.locator('#text').fill('a dog');
    await waitForTokens(page, ['[CLS]', 'a', 'dog', '[SEP]']);
    await panelOf(page)
      .locator('input[type=file]')
      .setInputFiles({name: 'own.conllu', mimeType: '', buffer: Buffer.from(dogs)});
    await page.getByText('own.conllu: 1 sentence, 3 words.').waitFor();
    assert.equal(await alert.count(), 0);
  },
);

researcherTest(
  'a measurement that takes long shows how far it is, and can be stopped',
  {hash: '#text=the+cat&workbench=grammar'},
  async (page) => {
    await dropFile(page, 'long.conllu', Buffer.from(dogs.repeat(20_000)));
    const progress = panelOf(page).locator('progress');
    await page.waitForFunction(() => {
      const workbench = document.querySelector('bert-workbench')?.shadowRoot;
      const panel = workbench?.querySelector('workbench-grammar')?.shadowRoot;
      return (panel?.querySelector('progress')?.value ?? 0) > 0;
    });
    await page.getByRole('button', {name: 'Stop'}).click();
    await page.getByRole('button', {name: measure}).waitFor();
    assert.equal(await progress.count(), 0);
    assert.equal(await panelOf(page).getByRole('alert').count(), 0);
    assert.equal(await panelOf(page).locator('table').count(), 0);
  },
);

userTest(
  'a click on a relation shows its best head, colours the map by it and lists where the head fails, and a click there opens the sentence with its word',
  {hash: '#text=the+cat&panel=whatif&workbench=grammar'},
  async (page) => {
    await page.getByRole('button', {name: measure}).click();
    const relation = page.getByRole('button', {name: 'the verb of an object', exact: true});
    await relation.click();
    await page.waitForURL(/layer=2&heads=2\b/);
    const colour = page.locator('.heads').getByLabel('Colour of the map');
    await chosenIn(colour, 'Finds the verb of an object (obj)');
    const square = (/** @type {number} */ head) =>
      page.locator(`.heads .head-square[data-layer="2"][data-head="${head}"]`);
    const claim =
      (await panelOf(page)
        .getByText(/^Head 2\.2 finds/)
        .textContent()) ?? '';
    const counts = /: (\d+) of (\d+), by position alone (\d+)\.$/.exec(claim) ?? [];
    const [, right, links, position] = counts;
    await eventually('the map to be of the relation', async () => {
      const told = await square(2).getAttribute('aria-label');
      assert.equal(told, `Layer 2, head 2: ${right} of ${links}, by position alone ${position}`);
    });

    const misses = panelOf(page).locator('.misses li');
    await misses.first().waitFor();
    await page.getByText(`Where it fails: ${Number(links) - Number(right)} words`).waitFor();
    await assertAccessible(page);
    const told = page.getByText('“some” attends most to “medicine”, not “gave”');
    await misses.filter({has: told}).getByRole('button').click();
    const text = 'The doctor gave the boy some medicine.';
    await waitForInput(page, '#text', text);
    // The head is asked which word attends to the object: its column is the one of keys.
    await page.locator('.tokens.key .token[aria-pressed="true"]', {hasText: 'medicine'}).waitFor();
    await page.waitForURL(/layer=2&heads=2\b/);
    await chosenIn(colour, 'Finds the verb of an object (obj)');

    // The choice beside the map offers both, and statistics.
    await colour.selectOption({label: 'Links of “medicine”'});
    await eventually('the map to be of the word', async () =>
      assert.match((await square(2).getAttribute('aria-label')) ?? '', /: ← .* \d+%$/),
    );
    await colour.selectOption({label: 'Previous token'});
    await page.waitForURL(/colour=previous/);
    await colour.selectOption({label: 'Finds the verb of an object (obj)'});
    await eventually('the map to be of the relation again', async () => {
      const told = await square(2).getAttribute('aria-label');
      assert.equal(told, `Layer 2, head 2: ${right} of ${links}, by position alone ${position}`);
    });

    // What is measured anew is another thing.
    await dropFile(page, 'dogs.conllu', Buffer.from(dogs.repeat(6)));
    await page.getByText('dogs.conllu: 6 sentences, 18 words.').waitFor();
    await chosenIn(colour, 'Links of “medicine”');
    assert.equal(await misses.count(), 0);
    await relation.waitFor({state: 'detached'});
  },
);

userTest(
  'a link to a relation measures the sentences of the page and shows the relation, and what heads were found to do stands among their names',
  {hash: '#text=the+cat&workbench=grammar&relation=obj'},
  async (page) => {
    const claim = panelOf(page).getByText(/^Head 2\.2 finds the verb of an object: \d+ of 135/);
    await claim.waitFor();
    await chosenIn(
      page.locator('.heads').getByLabel('Colour of the map'),
      'Finds the verb of an object (obj)',
    );
    const names = page.locator('.heads');
    await names.getByText('Measured on annotated sentences').click();
    const name = names.getByRole('button', {name: 'finds the verb of an object 2.2'});
    assert.equal(await name.getAttribute('title'), await claim.textContent());
    // A determiner is found as well by position, which is no name of a head.
    assert.equal(await names.getByText('finds the noun of a determiner').count(), 0);
    await name.click();
    await page.waitForURL(/layer=2&heads=2\b/);
    await page.getByRole('button', {name: 'Compare heads'}).click();
    await page
      .locator('workbench-heads tr', {has: page.getByRole('button', {name: '2.2', exact: true})})
      .getByText('finds the verb of an object')
      .waitFor();

    // The link names no relation of the one that is chosen no more.
    await page.getByRole('button', {name: 'Grammar'}).click();
    await page.getByRole('button', {name: 'the verb of an object', exact: true}).click();
    await page.waitForURL((url) => !url.hash.includes('relation='));
    await claim.waitFor({state: 'detached'});
  },
);

userTest(
  'annotated sentences are shown one by one, with the links of the chosen relation or all of them over the picture, until another text is there',
  {hash: '#text=the+cat&workbench=grammar'},
  async (page) => {
    await page.getByRole('button', {name: 'Show an annotated sentence'}).click();
    await waitForInput(page, '#text', 'time flies like an arrow');
    const next = page.getByRole('button', {name: 'Next sentence'});
    const curves = page.locator('.annotated-links .curve');
    await next.waitFor();
    assert.equal(await curves.count(), 0);
    await page.getByLabel('Draw its whole annotation').check();
    await page
      .getByText(
        'Dashed: as annotated, time → flies (nsubj), like → arrow (case), an → arrow (det)',
      )
      .waitFor();
    assert.equal(await curves.count(), 4);
    await next.click();
    await waitForInput(page, '#text', 'fruit flies like a banana');
    await page.getByText('Dashed: as annotated, fruit → flies (compound)').waitFor();

    await page.getByLabel('Draw its whole annotation').uncheck();
    await page.locator('.annotated-caption').waitFor({state: 'detached'});
    await page.getByRole('button', {name: measure}).click();
    await page.getByRole('button', {name: 'the verb of an object', exact: true}).click();
    // The head of the object is asked where it attends from.
    await page.getByText('Dashed: as annotated, like → banana (obj)').waitFor();
    assert.equal(await curves.count(), 1);
    await page.locator('#text').fill('a dog');
    await curves.waitFor({state: 'detached'});
    await page.getByRole('button', {name: 'Show an annotated sentence'}).waitFor();
    // What is typed has its annotation too.
    await page.locator('#text').fill('fruit flies like a banana');
    await page.getByText('Dashed: as annotated, like → banana (obj)').waitFor();
  },
);

userTest(
  'a saved measurement is opened again, also without its sentences, and one of another model says what does not fit',
  {hash: '#text=the+cat&workbench=grammar'},
  async (page) => {
    const open = (/** @type {string} */ name, /** @type {string} */ text) =>
      panelOf(page)
        .locator('input[type=file]')
        .setInputFiles({name, mimeType: '', buffer: Buffer.from(text)});
    await open('dogs.conllu', dogs.repeat(6));
    await page.getByText('dogs.conllu: 6 sentences, 18 words.').waitFor();
    const {text} = await saved(page, 'JSON');
    const isOpened = page.getByText(
      'Opened from a file: measured with bertscope-default, 8-bit weights.',
    );
    await page.evaluate(() => (location.hash = '#text=the+cat'));
    await page.reload();
    await waitForTokens(page, ['the', 'cat']);
    assert.equal(await panelOf(page).count(), 0);
    await dropFile(page, 'mine.json', Buffer.from(text));
    await isOpened.waitFor();
    // The address is written a moment after the panel opens, and a reload reads it.
    await page.waitForURL(/workbench=grammar/);
    await page.reload();
    await open('mine.json', text);
    await page.getByText('dogs.conllu: 6 sentences, 18 words.').waitFor();
    await isOpened.waitFor();
    await page.getByRole('button', {name: 'the predicate of a subject'}).click();
    await page.getByText('The file has no sentences.').waitFor();
    const again = await saved(page, 'JSON');
    assert.deepEqual(JSON.parse(again.text), JSON.parse(text));

    const alert = panelOf(page).getByRole('alert');
    for (const [content, problem] of [
      [text.replace('"layers":6', '"layers":12'), /^mine\.json: layers: expected 6, found 12$/],
      ['{"layers": 6}', /^mine\.json: heads: expected 8, found nothing$/],
      ['dogs', /^mine\.json: expected JSON, found text that is not/],
    ]) {
      // prettier-ignore
      await open('mine.json', /** @type {string} */ (content));
      await alert.getByText(problem).waitFor();
      assert.equal(await rowOf(page, 'nsubj').count(), 1);
    }
  },
);

researcherTest(
  'everything at once has the relation beside the map too, as long as the map is of the model that was measured',
  {hash: '#text=the+cat&workbench=grammar'},
  async (page) => {
    await page.getByRole('button', {name: measure}).click();
    await page.getByRole('button', {name: 'the verb of an object', exact: true}).click();
    const colour = page.locator('.map-controls').getByLabel('Colour');
    await chosenIn(colour, 'Finds the verb of an object (obj)');
    await colour.selectOption({label: 'Entropy'});
    await page.waitForURL(/colour=entropy/);
    await colour.selectOption({label: 'Finds the verb of an object (obj)'});
    await chosenIn(colour, 'Finds the verb of an object (obj)');
    await page.getByRole('button', {name: 'Keep for comparison'}).click();
    await chosenIn(colour, 'Previous token');
    assert.equal(await colour.locator('option', {hasText: 'Finds'}).count(), 0);
  },
);
