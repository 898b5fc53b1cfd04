/** Tests what is exported of a changed model and of a comparison. */

import assert from 'node:assert/strict';
import {copyFile} from 'node:fs/promises';
import {download, readSvg} from './exported.js';
import {pressInMore} from './more-menu.js';
import {researcherTest, server} from './support.js';

researcherTest(
  'changes to the model are exported with the picture: in files, tag, frame and caption',
  {hash: '#text=the+cat+sat&view=head&layer=3&heads=1&off=2.1&contrast=side&workbench=change'},
  async (page) => {
    const isChanged = () => {
      const scope = /** @type {any} */ (document.querySelector('bert-scope'));
      const {heads} = scope.interventions;
      return heads.length === 1 && heads[0].layer === 2 && scope.untouched !== null;
    };
    await page.waitForFunction(isChanged);
    await page.locator('figcaption', {hasText: 'the changed model'}).waitFor();
    const [after, before] = await page.evaluate(async () => {
      const {result, untouched} = /** @type {any} */ (document.querySelector('bert-scope'));
      return [[...(await result.attention(3, 1))], [...(await untouched.attention(3, 1))]];
    });
    const json = JSON.parse(String((await download(page, 'JSON')).bytes));
    assert.deepEqual([json.text, json.interventions], ['the cat sat', 'off=2.1']);
    assert.deepEqual([json.before.text, json.before.interventions], ['the cat sat', '']);
    const numbers = [json, json.before, json.difference].map(({attentions}) =>
      attentions[3][1].flat(),
    );
    const expected = [after, before, after.map((weight, i) => weight - before[i])];
    numbers.forEach((found, side) =>
      found.forEach((/** @type {number} */ number, /** @type {number} */ i) =>
        assert.ok(Math.abs(number - expected[side][i]) < 1e-6, `${number} in side ${side}`),
      ),
    );
    const beside = (await readSvg(page, String((await download(page, 'SVG')).bytes))).texts;
    assert.equal(beside.filter((text) => text === 'cat').length, 4, 'two columns of each picture');
    assert.match(beside.join(' '), /the changed model · the cat sat · bertscope-default · Layer 2, head 1 off/); // prettier-ignore
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', {name: 'Copy HTML tag'}).click();
    await page.locator('dialog.export').getByText('Copied.').waitFor();
    const tag = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(tag, / interventions="off=2\.1" compare="mode=side"/);
    assert.doesNotMatch(tag, / (src|text-pair)[ >]/);
    await page.getByRole('button', {name: 'Close'}).click();

    await page.locator('bert-scope').evaluate((/** @type {any} */ scope) => {
      scope.contrast = 'difference';
    });
    await page.locator('figcaption', {hasText: 'minus'}).waitFor();
    const title = 'the changed model minus the model as it is';
    const {texts} = await readSvg(page, String((await download(page, 'SVG')).bytes));
    assert.equal(texts.filter((text) => text === 'cat').length, 2);
    for (const text of [title, 'more', 'less']) assert(texts.includes(text), `${text} in ${texts}`);
    const {path} = await download(page, 'HTML file');
    const shown = page.url();
    await copyFile(path, `${path}.html`);
    await page.goto(`file://${path}.html`);
    await page.locator('.signs').waitFor();
    assert.match(String(await page.locator('figcaption').innerText()), new RegExp(title));
    await page.getByRole('radio', {name: 'Side by side'}).check({force: true});
    const captions = page.locator('figcaption');
    await captions.nth(1).waitFor();
    assert.deepEqual(await captions.allTextContents(), ['the model as it is', 'the changed model']);

    await page.goto(`${server.url}embed.html${new URL(shown).hash}`);
    await page.waitForFunction(isChanged);
    await page.locator('figcaption', {hasText: 'the changed model'}).waitFor();
  },
);

researcherTest(
  'each side of a comparison of two models is saved with its chosen heads, and a saved page holds both',
  {hash: '#text=the+cat+sat&view=model&layer=1&heads=1'},
  async (page) => {
    const even = [[0.5, 0.5], [0.5, 0.5]]; // prettier-ignore
    const own = [[1, 0], [0, 1]]; // prettier-ignore
    const of = {text: 'le chat', tokens: ['le', 'chat']};
    const large = {...of, model: 'large', attentions: [[even, even], [even, own]]}; // prettier-ignore
    const small = {...of, model: 'small', attentions: [[own, own]]};
    const json = {format: 'bertscope-snapshot', version: 1, ...small, before: large};
    await pressInMore(page, 'Open attention from a file…');
    await page.locator('#import-file').setInputFiles({
      name: 'pair.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(json)),
    });
    await page.getByRole('button', {name: 'Show', exact: true}).click();
    const names = ['large: le chat', 'small: pair.json'];
    const captions = page.locator('figcaption');
    await captions.nth(1).waitFor();
    assert.deepEqual(await captions.allTextContents(), names);
    await page.locator('figure .thumbnail').nth(5).waitFor();
    const current = page.locator('figure').locator('.thumbnail[aria-current]');
    assert.equal(await current.count(), 1, 'the small one marks no other in its place');

    const chosen = JSON.parse(String((await download(page, 'JSON')).bytes));
    assert.deepEqual([chosen.model, chosen.before, chosen.difference], ['large', undefined, undefined]); // prettier-ignore
    assert.deepEqual(chosen.attentions, [[null, null], [null, own]]); // prettier-ignore
    await page.getByText('so of these the files hold large: le chat alone.').waitFor();
    const svg = await readSvg(page, String((await download(page, 'SVG')).bytes));
    assert.equal(svg.lines.length, 4, 'nor does the figure: one frame has four lines');
    await page.getByLabel('Weights').last().selectOption('all layers and heads');
    const whole = JSON.parse(String((await download(page, 'JSON')).bytes));
    assert.deepEqual(whole.attentions, small.attentions);
    assert.deepEqual(whole.before.attentions, large.attentions);
    assert.deepEqual(whole.difference.attentions, [[[[0.5, -0.5], [-0.5, 0.5]], [[0.5, -0.5], [-0.5, 0.5]]]]); // prettier-ignore

    const {path} = await download(page, 'HTML file');
    await copyFile(path, `${path}.html`);
    await page.goto(`file://${path}.html`);
    await captions.nth(1).waitFor();
    assert.deepEqual(await captions.allTextContents(), names);
    await page.locator('figure .thumbnail').nth(5).waitFor();
  },
);
