import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {dropFile} from './attention-files.js';
import {embedded} from '../support/embedded-model.js';
import {eventually} from '../support/eventually.js';
import {assertAccessible} from './axe.js';
import {measure, objectScore, openFailure, panelOf, saved} from './grammar-panel.js';
import {researcherTest, userTest, waitForInput, waitForTokens} from './support.js';

/** @import {Locator, Page} from 'playwright-core' */
/** @import {Scope} from './support.js' */
/** @import {SyntaxReport} from '../../web/engine/syntax/score-treebank.js' */

const script = fileURLToPath(new URL('../../scripts/bertscope.mjs', import.meta.url));

/** The row of a relation. @param {Page} page @param {string} name */
const rowOf = (page, name) =>
  panelOf(page)
    .locator('.relations tbody tr')
    .filter({has: page.getByText(new RegExp(`^${name}( · .*)?$`))});

/** Waits until the choice of what colours the map says so. @param {Locator} colour @param {string} name */
const chosenIn = (colour, name) =>
  colour.locator('option:checked', {hasText: name}).waitFor({state: 'attached'});

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

/**
 * Asks the engine how much a word of the text attends to others in a head, or they to it, as the head is asked.
 *
 * @param {Page} page
 * @param {{layer: number, head: number, direction: string}} best
 * @param {string} word
 * @param {string[]} others
 */
const linksWith = (page, {layer, head, direction}, word, others) =>
  page.evaluate(
    async ({layer, head, direction, word, others}) => {
      const {result} = /** @type {Scope} */ (document.querySelector('bert-scope'));
      const weights = await result.attention(layer, head);
      /** @type {(readonly [number, number] | null)[]} */
      const offsets = result.offsets;
      /** The tokens of each occurrence of a word. @param {string} form */
      const tokensOf = (form) => {
        const places = [...result.text.matchAll(new RegExp(`\\b${form}\\b`, 'g'))];
        return places.map(({index}) => offsets.flatMap((at, token) => (at && at[0] >= index && at[0] < index + form.length ? [token] : []))); // prettier-ignore
      };
      const [ofWord] = tokensOf(word);
      // A word that is there several times counts where it is linked most.
      return others.map((other) =>
        Math.max(
          ...tokensOf(other).map((ofOther) => {
            const [from, to] = direction === 'to' ? [ofWord, ofOther] : [ofOther, ofWord];
            const all = from.flatMap((i) => to.map((j) => weights[i * result.tokens.length + j]));
            return all.reduce((sum, weight) => sum + weight, 0) / from.length;
          }),
        ),
      );
    },
    {layer, head, direction, word, others},
  );

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
    // Of relations with few words nothing is said.
    const frequent = report.relations.filter(({links}) => links >= 5);
    assert.equal(await panelOf(page).locator('tbody tr').count(), frequent.length);
    // A head that finds no more than position does knows nothing of a relation, as of determiners.
    const doubtful = frequent.filter(
      ({best: {interval}, position: {share}}) =>
        Number.isFinite(interval[0]) && interval[0] <= share,
    );
    assert(doubtful.length > 0, 'position finds some relation as well as any head does');
    const rows = panelOf(page).locator('.relations tbody tr');
    const told = await rows.filter({hasText: 'no clear gain'}).locator('small').allInnerTexts();
    const named = told.filter((text) => text.includes('no clear gain'));
    assert.deepEqual(
      named,
      doubtful.map(({relation}) => `${relation} · no clear gain`),
    );
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
    assert((figure.text.match(/<rect/g) ?? []).length >= 2 * frequent.length);
    const {text} = await saved(page, 'CSV');
    const lines = text.trimEnd().split('\r\n');
    assert.equal(lines.length, 1 + report.relations.length);
    assert.match(lines[0], /^relation,links,layer,head,direction,right,share,low,high,offset,/);
    assert(lines.some((line) => line.startsWith(`obj,${links},${best.layer},${best.head},`)));

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
    const {best, links, position} = await objectScore(page);
    const {layer, head, right, direction} = best;
    await page.waitForURL(new RegExp(`layer=${layer}&heads=${head}\\b`));
    const colour = page.locator('.heads').getByLabel('Colour of the map');
    await chosenIn(colour, 'Finds the verb of an object (obj)');
    const square = page.locator(`.heads .head-square[data-layer="${layer}"][data-head="${head}"]`);
    const counted = `${right} of ${links}, by position alone ${position.right}`;
    await panelOf(page)
      .getByText(`Head ${layer}.${head} finds the verb of an object: ${counted}.`)
      .waitFor();
    const isOfRelation = async () =>
      assert.equal(
        await square.getAttribute('aria-label'),
        `Layer ${layer}, head ${head}: ${counted}`,
      );
    await eventually('the map to be of the relation', isOfRelation);

    const misses = panelOf(page).locator('.misses li');
    await misses.first().waitFor();
    await page.getByText(`Where it fails: ${links - right} words`).waitFor();
    await assertAccessible(page);
    const {word, verb, told} = await openFailure(page);
    // The head is asked which word the object attends to, or which one attends to the object: its column is that of keys.
    const [side, arrow] = direction === 'to' ? ['query', '→'] : ['key', '←'];
    await page.locator(`.tokens.${side} .token[aria-pressed="true"]`, {hasText: word}).waitFor();
    await page.waitForURL(new RegExp(`layer=${layer}&heads=${head}\\b`));
    const said =
      direction === 'to'
        ? new RegExp(`^“${word}” attends most to “(.+)”, not “${verb}”$`)
        : new RegExp(`^“(.+)” attends most to “${word}”, not “${verb}”$`);
    const [, found] = said.exec(told) ?? [];
    assert(found, told);
    const [stronger, weaker] = await linksWith(page, best, word, [found, verb]);
    assert(stronger >= weaker, `${found} ${stronger}, ${verb} ${weaker}`);
    await chosenIn(colour, 'Finds the verb of an object (obj)');

    // The choice beside the map offers both, and statistics.
    await colour.selectOption({label: `Links of “${word}”`});
    await eventually('the map to be of the word', async () =>
      assert.match(
        (await square.getAttribute('aria-label')) ?? '',
        new RegExp(`: ${arrow} .* \\d+%$`),
      ),
    );
    await colour.selectOption({label: 'Previous token'});
    await page.waitForURL(/colour=previous/);
    await colour.selectOption({label: 'Finds the verb of an object (obj)'});
    await eventually('the map to be of the relation again', isOfRelation);

    // What is measured anew is another thing.
    await dropFile(page, 'dogs.conllu', Buffer.from(dogs.repeat(6)));
    await page.getByText('dogs.conllu: 6 sentences, 18 words.').waitFor();
    await chosenIn(colour, `Links of “${word}”`);
    assert.equal(await misses.count(), 0);
    await relation.waitFor({state: 'detached'});
  },
);

userTest(
  'a link to a relation measures the sentences of the page and shows the relation, and what heads were found to do stands among their names',
  {hash: '#text=the+cat&workbench=grammar&relation=obj'},
  async (page) => {
    const claim = panelOf(page).getByText(/^Head \d+\.\d+ finds the verb of an object: \d+ of 135/);
    await claim.waitFor();
    const {best} = await objectScore(page);
    const place = `${best.layer}.${best.head}`;
    const told = (await claim.textContent()) ?? '';
    assert(told.startsWith(`Head ${place} finds the verb of an object: ${best.right} of`), told);
    await chosenIn(
      page.locator('.heads').getByLabel('Colour of the map'),
      'Finds the verb of an object (obj)',
    );
    const names = page.locator('.heads');
    await names.getByText('Measured on annotated sentences').click();
    const name = names.getByRole('button', {name: `finds the verb of an object ${place}`});
    assert.equal(await name.getAttribute('title'), told);
    // What is found as well by position is no name of a head.
    const [relations, all] = await Promise.all([
      panelOf(page).locator('.relations th[scope=row]').allInnerTexts(),
      names.getByRole('button', {name: /^finds /}).allInnerTexts(),
    ]);
    for (const row of relations) {
      const isNamed = all.some((each) => each.startsWith(`finds ${row.split(/\s*\n/)[0]}`));
      assert.equal(isNamed, !/no clear gain|too few/.test(row), `${row} among ${all}`);
    }
    await name.click();
    await page.waitForURL(new RegExp(`layer=${best.layer}&heads=${best.head}\\b`));
    await page.getByRole('button', {name: 'Compare heads'}).click();
    await page
      .locator('workbench-heads tr', {has: page.getByRole('button', {name: place, exact: true})})
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
    // The link is drawn as the best head makes it: from the object, or to it.
    const {direction} = (await objectScore(page)).best;
    const link = direction === 'to' ? 'banana → like' : 'like → banana';
    await page.getByText(`Dashed: as annotated, ${link} (obj)`).waitFor();
    assert.equal(await curves.count(), 1);
    await page.locator('#text').fill('a dog');
    await curves.waitFor({state: 'detached'});
    await page.getByRole('button', {name: 'Show an annotated sentence'}).waitFor();
    // What is typed has its annotation too.
    await page.locator('#text').fill('fruit flies like a banana');
    await page.getByText(`Dashed: as annotated, ${link} (obj)`).waitFor();
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
    const {layers, heads} = embedded;
    const ofAnother = text.replace(`"layers":${layers}`, '"layers":99');
    assert.notEqual(ofAnother, text);
    for (const [content, problem] of [
      [ofAnother, new RegExp(`^mine\\.json: layers: expected ${layers}, found 99$`)],
      [
        `{"layers": ${layers}}`,
        new RegExp(`^mine\\.json: heads: expected ${heads}, found nothing$`),
      ],
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
