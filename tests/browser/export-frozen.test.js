/** Tests that what is saved of a picture is what was seen of it: the frozen tag, the data files and the saved page. */

import assert from 'node:assert/strict';
import {copyFile} from 'node:fs/promises';
import {importFile} from '../../web/attention/file-formats.js';
import {viewNames} from '../../web/scope/state-fields.js';
import {eventually} from '../support/eventually.js';
import {openBlog} from './blog.js';
import {copiedTag, download} from './exported.js';
import {pressInMore} from './more-menu.js';
import {browser, server, userTest} from './support.js';

/** @import {Page} from 'playwright-core' */

const chosen =
  '#text=The+children+played+until+they+were+tired.&pair=They+slept.&layer=1&heads=2.4&token=q5&special=hide&filter=aa';

for (const view of viewNames) {
  userTest(
    `a frozen tag of the ${view} view has the pixels of the live one in a post, in both schemes, on wide and narrow screens`,
    {hash: `${chosen}&view=${view}`, permissions: ['clipboard-read', 'clipboard-write']},
    async (page) => {
      await page.locator('.view-stage canvas').first().waitFor();
      const blog = await openBlog();
      const context = await browser.newContext({reducedMotion: 'reduce'});
      try {
        const posts = [];
        for (const [name, button] of [
          ['live', 'Copy HTML tag'],
          ['frozen', 'Copy frozen HTML tag'],
        ]) {
          // prettier-ignore
          const post = await context.newPage();
          await post.goto(await blog.write(`${name}.html`, await copiedTag(page, button)));
          await post.locator('bert-scope .view-stage canvas').first().waitFor();
          posts.push(post);
        }
        const [live, frozen] = posts;
        assert.equal(
          await frozen.evaluate(() => performance.getEntriesByType('resource').filter(({name}) => name.endsWith('.wasm')).length),
          0,
          'the frozen one loads no engine',
        ); // prettier-ignore
        for (const width of [1200, 390]) {
          // Another scheme has the browser draw most of it anew. Rounded corners that it draws a second time over the
          // first differ by 1 of 255 from those that it draws once, even in the same post.
          for (const colorScheme of /** @type {const} */ (['dark', 'light'])) {
            for (const post of posts) {
              await post.setViewportSize({width, height: 900});
              await post.emulateMedia({colorScheme, reducedMotion: 'reduce'});
            }
            await eventually(`equal pixels, ${colorScheme}, ${width} px`, async () => {
              const difference = await differenceOf(live, await pixelsOf(live), await pixelsOf(frozen)); // prettier-ignore
              assert(difference <= 1, `they differ by ${difference} of 255`);
            });
          }
        }
      } finally {
        await context.close();
        await blog.close();
      }
    },
  );
}

/**
 * Measures by how much two pictures differ where they differ most, in 255ths of a colour.
 *
 * @param {Page} page
 * @param {Buffer} one @param {Buffer} other  PNG files
 * @returns {Promise<number>}  Infinity: they differ in size
 */
const differenceOf = (page, one, other) =>
  page.evaluate(
    async (pictures) => {
      const [a, b] = await Promise.all(
        pictures.map(async (picture) => {
          const file = await fetch(`data:image/png;base64,${picture}`);
          const image = await createImageBitmap(await file.blob());
          const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
          context?.drawImage(image, 0, 0);
          return context?.getImageData(0, 0, image.width, image.height);
        }),
      );
      if (!a || !b || a.width !== b.width || a.height !== b.height) return Infinity;
      return a.data.reduce((most, value, at) => Math.max(most, Math.abs(value - b.data[at])), 0);
    },
    [one, other].map((picture) => picture.toString('base64')),
  );

/** @param {Page} post */
const pixelsOf = (post) => post.locator('bert-scope').screenshot({animations: 'disabled'});

userTest(
  'JSON and NPZ say how the picture was shown, and the page that opens them shows it so',
  {hash: `${chosen}&view=matrix&keep=90`, fresh: true},
  async (page) => {
    await page.locator('.matrix-view canvas').waitFor();
    for (const name of ['JSON', 'NPZ']) {
      const file = await download(page, name);
      const about = importFile(new Uint8Array(file.bytes)).all?.about;
      const shown = Object.fromEntries(new URLSearchParams(about?.shown));
      const {height, ...others} = shown;
      assert.deepEqual(others, {view: 'matrix', layer: '1', heads: '2.4', filter: 'aa', token: 'q5', special: 'hide', strongest: '0.9'}); // prettier-ignore
      assert(Number(height) > 100, `the height is ${height}`);
      await page.getByRole('button', {name: 'Close'}).click();

      await page.goto(`${server.url}#text=a+dog&view=head&layer=0`);
      await page.locator('.query .piece', {hasText: 'dog'}).waitFor();
      await pressInMore(page, 'Open attention from a file…');
      await page.locator('#import-file').setInputFiles({name: file.name, mimeType: 'application/json', buffer: file.bytes}); // prettier-ignore
      await page.getByRole('button', {name: 'Show', exact: true}).click();
      await page.locator('.matrix-view canvas').waitFor();
      await page.waitForURL(
        /view=matrix&layer=1&heads=2\.4&filter=aa&token=q5&special=hide&keep=90/,
      );
      await page.goto(`${server.url}${chosen}&view=matrix&keep=90`);
      await page.getByRole('button', {name: 'Export'}).waitFor();
      await page.locator('.matrix-view canvas').waitFor();
    }
  },
);

userTest(
  'an HTML file has controls only if the picture had them',
  {hash: chosen, fresh: true},
  async (page) => {
    await page.locator('.query .piece').first().waitFor();
    const controlsIn = async () => {
      const {path} = await download(page, 'HTML file');
      await copyFile(path, `${path}.html`);
      const saved = await page.context().newPage();
      await saved.goto(`file://${path}.html`);
      await saved.locator('.query .piece').first().waitFor();
      const count = await saved.getByRole('radio', {name: 'Matrix'}).count();
      await saved.close();
      return count;
    };
    assert.equal(await controlsIn(), 1);
    await page.getByRole('button', {name: 'Close'}).click();
    await page.locator('#scope').evaluate(async (/** @type {any} */ scope) => {
      scope.controls = false;
      await scope.updateComplete;
      await scope.openExport();
    });
    assert.equal(await controlsIn(), 0);
  },
);
