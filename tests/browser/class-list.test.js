/** Tests what a teacher does with the answers of a class: gives it the link of a step, and opens the links handed in. */

import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import decodeQR from 'qr/decode.js';
import {lessons} from '../../web/lessons/index.js';
import {assertAccessible} from './axe.js';
import {eventually} from '../support/eventually.js';
import {blank} from '../../web/lessons/example-sentences.js';
import {computed, neededWord, verdict} from './lesson-rows.js';
import {phone, server, userTest} from './support.js';

const lesson = 'guess-the-word';
userTest(
  'a class scans the link of a step, which has the sentence and no answers',
  {open: false, permissions: ['clipboard-read', 'clipboard-write']},
  async (page) => {
    await page.goto(`${server.url}?lang=en#/lessons/${lesson}/missing`);
    await computed(page, `${lesson}/missing`);
    const needed = await neededWord(page, blank);
    await page.locator('.predictions').getByRole('button', {name: needed, exact: true}).click();
    await verdict(page, new RegExp(`Right: ${needed}`));
    await page.getByLabel(/Sentence: change it/).fill('The aunt said that [MASK] slept.');
    await page.waitForURL(/text=/);
    await page.getByRole('button', {name: 'Link for the class'}).click();
    const link = `${server.url}#/lessons/${lesson}/missing?text=The+aunt+said+that+%5BMASK%5D+slept.`;
    const dialog = page.getByRole('dialog');
    assert.equal(await dialog.getByRole('textbox').inputValue(), link);
    await assertAccessible(page);
    const code = await dialog.locator('svg').evaluate(async (svg) => {
      const image = new Image();
      image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [600, 600];
      const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
      context.drawImage(image, 0, 0, 600, 600);
      return [...context.getImageData(0, 0, 600, 600).data];
    });
    assert.equal(decodeQR({width: 600, height: 600, data: Uint8Array.from(code)}), link);
    await dialog.getByRole('button', {name: 'Copy link'}).click();
    await dialog.locator('button[data-said=Copied]').waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link);
  },
);

userTest(
  'the link for a class is shown without its code if what draws the code does not load',
  {open: false},
  async (page) => {
    const broken = {contentType: 'text/javascript', body: 'throw new Error("not there")'};
    await page.route('**/assets/qr-*.js', (route) => route.fulfill(broken));
    await page.goto(`${server.url}#/lessons/${lesson}/missing`);
    await computed(page, `${lesson}/missing`);
    const asked = page.waitForResponse(/qr-/);
    await page.getByRole('button', {name: 'Link for the class'}).click();
    await page.evaluate((url) => import(url).catch(() => {}), (await asked).url());
    const dialog = page.getByRole('dialog');
    assert.match(await dialog.getByRole('textbox').inputValue(), /#\/lessons\/.*\/missing$/);
    assert.equal(await dialog.locator('svg').count(), 0);
  },
);

userTest(
  'the link for a class says of a model that only this browser has it',
  {open: false},
  async (page) => {
    await page.goto(`${server.url}#/lessons/${lesson}/missing?model=kept%3Amy-bert`);
    await page.getByRole('button', {name: 'Link for the class'}).click();
    const dialog = page.getByRole('dialog');
    assert.match(await dialog.getByRole('textbox').inputValue(), /model=kept%3Amy-bert/);
    await dialog.getByText('kept in this browser: a link opens it here only').waitFor();
  },
);

const hostile = `=1+1"><script>document.title='x'</script>`;
/** The links of three students; the first one's answer is right. @param {string} needed  what the model finds */
const linksOf = (needed) => {
  /** @type {Record<string, string>[]} */
  const sheets = [
    {name: 'Ana', 'a-missing': `${needed}.r`, 'a-looking': 'one.w'},
    {name: 'Bo', 'a-missing': 'tired.w', 'a-swapped': `${hostile}.o`},
    {name: hostile, 'a-missing': `${'long '.repeat(500)}.w`, 'a-looking': 'constructor.r'},
  ];
  return sheets.map(
    (sheet) => `https://example.org/#/lessons/${lesson}/swapped?${new URLSearchParams(sheet)}`,
  );
};

userTest(
  'a teacher pastes the links of a class and sees each student, each step and the counts',
  {open: false},
  async (page) => {
    await page.goto(`${server.url}#/lessons`);
    const needed = await neededWord(page, blank);
    await page.getByRole('link', {name: 'A class’s answers'}).click();
    await page.getByRole('heading', {name: 'A class’s answers'}).waitFor();
    const field = page.getByRole('textbox', {name: 'Links'});
    await field.fill('nothing that is a link');
    await page.getByText('No link of a lesson is in this text.').waitFor();
    await field.fill(`Here they are: ${linksOf(needed).join('\n and ')}\nI forgot my link`);
    await page.getByText('1 line not understood').click();
    await page.locator('.unread li', {hasText: 'I forgot my link'}).waitFor();
    // An address without answers adds nothing to what was pasted.
    const pasted = await field.inputValue();
    await page.evaluate(() => (location.hash = '#/lessons/answers?large=1'));
    await page.waitForFunction(() => location.hash === '#/lessons/answers');
    assert.equal(await field.inputValue(), pasted);
    // Nobody pastes 25 links twice, so a reload keeps them.
    await page.reload();
    await page.locator('.class-list').waitFor();
    const rows = page.locator('.class-list tbody tr');
    assert.equal(await rows.count(), 3);
    const cells = async (/** @type {string} */ name) =>
      (await rows.filter({hasText: name}).locator('td').allInnerTexts()).map((cell) =>
        cell.trim().replace(/\s+/g, ' '),
      );
    assert.deepEqual(await cells('Ana'), [`${needed} right`, 'only in this one not right', '', '']);
    const [, , , typed] = await cells('Bo');
    assert.equal(typed, `${hostile} own words`);
    const [long, unknown] = await cells('=1+1');
    assert(long.length < 200, long);
    assert.equal(unknown, 'constructor right');
    assert.deepEqual(await page.locator('.class-list tfoot td').allInnerTexts(), [
      '1 · 2 · 0',
      '1 · 1 · 0',
      '0 · 0 · 0',
      '0 · 0 · 1',
    ]);
    assert.match(await page.title(), /^A class’s answers/);
    await assertAccessible(page);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', {name: 'Save as CSV'}).click(),
    ]);
    const csv = await readFile(await download.path(), 'utf8');
    assert.match(csv, /^\uFEFFStudent,1\. /);
    assert.match(csv, /^"'=1\+1""><script>/m);
    assert(csv.includes(`Ana,right: ${needed},not right: only in this one,,`), csv);

    // One file can have all lessons.
    const all = page.getByRole('button', {name: 'Save all lessons as one CSV'});
    assert.equal(await all.count(), 0);
    const other = `https://example.org/#/lessons/${lessons[1].id}/batch?name=Ana&a-batch=yes.w`;
    await field.fill(`${await field.inputValue()}\n${other}`);
    const [whole] = await Promise.all([page.waitForEvent('download'), all.click()]);
    const both = await readFile(await whole.path(), 'utf8');
    assert.equal(both.match(/^Student,/gm)?.length, 2);

    // The link of a row shows the lesson with the answers of this student.
    const [lessonOfAna] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', {name: 'Ana', exact: true}).first().click(),
    ]);
    await verdict(lessonOfAna, new RegExp(`Right: ${needed}`));
  },
);

userTest(
  'a list of a class is read from a file and fits a phone in the dark',
  {open: false, ...phone, colorScheme: 'dark'},
  async (page) => {
    await page.goto(`${server.url}#/lessons/answers`);
    await page.getByLabel('Open a text file').setInputFiles({
      ...{
        name: 'class.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from(linksOf('girl').join('\r\n')),
      },
    });
    await eventually('three students', async () =>
      assert.equal(await page.locator('.class-list tbody tr').count(), 3),
    );
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    await assertAccessible(page);
  },
);

userTest(
  'of 2,000 students with answers in every lesson each list shows 200, and more on demand',
  {open: false},
  async (page) => {
    await page.goto(`${server.url}#/lessons/answers`);
    const everything = Array.from({length: 2000}, (_, i) => {
      const answers = lessons.map(({id, steps}) => [`a-${id}.${steps[0].id}`, 'x.r']);
      return `#/lessons/answers?${new URLSearchParams([['name', `S${i}`], ...answers])}`;
    });
    const rows = page.locator('.class-list tbody tr');
    const until = (/** @type {number} */ count) =>
      eventually(`${count} rows`, async () => assert.equal(await rows.count(), count), 60_000);
    await page.getByLabel('Open a text file').setInputFiles({
      ...{name: 'class.txt', mimeType: 'text/plain', buffer: Buffer.from(everything.join('\n'))},
    });
    await until(200 * lessons.length);
    await page.getByText('2000 students').first().waitFor();
    await page.getByRole('button', {name: 'Show 200 more; 1800 are not shown'}).first().click();
    await until(200 * (lessons.length + 1));
    await page.getByRole('button', {name: 'Show 200 more; 1600 are not shown'}).waitFor();
  },
);
