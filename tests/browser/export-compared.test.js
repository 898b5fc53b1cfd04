/** Tests that what is saved of a comparison is what was seen of it: headline, both pictures, pins, and one height. */

import assert from 'node:assert/strict';
import {copyFile} from 'node:fs/promises';
import {importFile} from '../../web/attention/file-formats.js';
import {openBlog} from './blog.js';
import {copiedTag, download, readSvg} from './exported.js';
import {headline} from './headline.js';
import {userTest, waitForTokens} from './support.js';

/** @import {Page} from 'playwright-core' */

const kept = 'The+children+played+in+the+garden+until+they+were+tired.';
// Its caption takes several lines where it is whole, as in a saved page.
const long = `My+old+friend+said+that+${kept.toLowerCase().slice(0, -1)}+and+the+sun+had+gone+down+behind+the+trees.`;
const comparisons = {
  'a changed sentence': `#text=${kept.replace('tired', 'sold')}&layer=1&heads=1&token=q8&compare-mode=side&compare-text=${kept}`,
  'another sentence': `#text=A+dog+barked.&layer=1&heads=1&token=q2&compare-mode=side&compare-text=${long}`,
  'a head that is off': `#text=${kept}&layer=2&heads=1&token=q8&off=1.1&contrast=side`,
  'a difference': `#text=${kept.replace('tired', 'sold')}&layer=1&heads=1&token=q8&compare-mode=difference&compare-text=${kept}`,
};

/** What is in sight of compared pictures. @param {Page} page */
const seen = (page) =>
  page.locator('bert-scope').evaluate((scope) => {
    const figures = [...(scope.shadowRoot?.querySelectorAll('figure') ?? [])];
    const boxOf = (/** @type {Element | null} */ one) => one?.getBoundingClientRect();
    /** How many different values the pictures have. @param {'top' | 'height'} name */
    const countOf = (name) =>
      new Set(figures.map((one) => Math.round(boxOf(one.querySelector('.scroller'))?.[name] ?? 0)))
        .size;
    return {
      names: figures.map((figure) => figure.querySelector('figcaption')?.innerText.trim()),
      pins: figures.map((figure) => figure.querySelector('[aria-pressed=true]')?.textContent),
      rows: figures.map((figure) => figure.querySelectorAll('.query .token').length),
      tops: new Set(figures.map((figure) => Math.round(boxOf(figure)?.top ?? 0))).size,
      pictureTops: countOf('top'),
      pictureHeights: countOf('height'),
    };
  });

for (const [name, hash] of Object.entries(comparisons))
  userTest(
    `${name} is saved as it was seen: headline, pictures, pins and height`,
    {hash, fresh: true, permissions: ['clipboard-read', 'clipboard-write']},
    async (page) => {
      await page.locator('figure [aria-pressed=true]').first().waitFor();
      // The headline of a comparison comes with its sentence.
      await headline(page)
        .filter({hasText: /tired|sold|Another sentence|off/})
        .waitFor();
      const said = (await headline(page).innerText()).replaceAll(/\s+/g, ' ').trim();
      const onPage = await seen(page);
      assert.deepEqual([onPage.tops, onPage.pictureTops, onPage.pictureHeights], [1, 1, 1]);

      for (const format of ['JSON', 'NPZ']) {
        const {bytes} = await download(page, format);
        const {all} = importFile(new Uint8Array(bytes));
        assert.ok(all?.before?.all && bytes.includes('headline'), `${format} has both sides`);
        assert.match(String(all.about?.shown), /token=q\d+&height=\d+/);
        if (format === 'JSON') assert.equal(JSON.parse(String(bytes)).headline, said);
      }
      const {texts} = await readSvg(page, String((await download(page, 'SVG')).bytes));
      assert.ok(texts.join(' ').replaceAll(/\s+/g, ' ').includes(said), `${said} in ${texts}`);

      const tag = await copiedTag(page, 'Copy frozen HTML tag');
      const {path} = await download(page, 'HTML file');
      await copyFile(path, `${path}.html`);
      const blog = await openBlog();
      try {
        for (const address of [`file://${path}.html`, await blog.write('frozen.html', tag)]) {
          await page.goto(address);
          await page.locator('figure [aria-pressed=true]').first().waitFor();
          await page.getByText(said, {exact: true}).waitFor();
          assert.deepEqual(await seen(page), onPage);
        }
      } finally {
        await blog.close();
      }
    },
  );

userTest(
  'files, the frozen tag and the saved page say which piece of the text an [UNK] stands for',
  {
    hash: '#text=the+☃+sat&layer=0&heads=0',
    fresh: true,
    permissions: ['clipboard-read', 'clipboard-write'],
  },
  async (page) => {
    await waitForTokens(page, ['[CLS]', 'the', '[UNK]', 'sat', '[SEP]']);
    const json = JSON.parse(String((await download(page, 'JSON')).bytes));
    assert.deepEqual(json.unknown, [null, null, '☃', null, null]);
    assert.ok((await download(page, 'NPZ')).bytes.includes('unknown.npy'));
    const [names, ...rows] = String((await download(page, 'CSV')).bytes)
      .trim()
      .split('\r\n');
    assert.match(names, /,query_text,key_text$/);
    assert.ok(
      rows.some((row) => /,the,\[UNK\],.*,,☃$/.test(row)),
      rows[0],
    );
    const line = /\[UNK\] stands here for “☃”/;
    assert.match(await copiedTag(page, 'Copy frozen HTML tag'), line);
    const {path} = await download(page, 'HTML file');
    await copyFile(path, `${path}.html`);
    await page.goto(`file://${path}.html`);
    await page.getByText(line).waitFor();
  },
);
