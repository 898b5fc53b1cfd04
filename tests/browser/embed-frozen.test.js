/** Tests elements for saved pictures alone, which have no engine, in the posts of an author. */

import assert from 'node:assert/strict';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {brotliCompressSync} from 'node:zlib';
import {eventually} from '../support/eventually.js';
import {inline, snapshot} from './blog.js';
import {blog, lib, post} from './posts.js';

test('a frozen picture needs no engine and 60 kB of script, under a policy without wasm', async () => {
  await post(
    'strict.html',
    `<bert-scope heads="0">${inline(snapshot)}</bert-scope>`,
    async (page, seen) => {
      await page.locator('.query .piece', {hasText: 'chat'}).waitFor();
      await page.locator('.query .token').nth(0).hover();
      await page.locator('.key .value', {hasText: '0.750'}).waitFor();
      const scripts = seen.requests.filter((url) => url.endsWith('.js'));
      const isLive = seen.requests.some((url) => /wasm|worker|safetensors/.test(url));
      assert(!isLive, seen.requests.join());
      const sizes = scripts.map(
        async (url) => brotliCompressSync(await readFile(lib + url.split('/lib/')[1])).length,
      );
      const bytes = (await Promise.all(sizes)).reduce((a, b) => a + b);
      // The last 1000 bytes give compared pictures one height, below captions of any length, and equal cells, pin the
      // same word in both, and tell what a family divides scores by, and what the distance of two tokens adds to them.
      // 450 bytes are a session's ways to an engine: it is an argument, which no bundler can know to be missing.
      // 130 check what a saved file says of its scores, and 170 name the tokens
      // around a text as its model does. 90 are style: on a phone no number is cut. 200 are what large files cost that
      // are divided by subject: what one hands to another has a name in the script. 230 show what the distance of
      // each key adds to its score, by the pair where a family needs it, and read it from files. 70 are past forms of
      // verbs, which a pronoun does not stand for, and a pin that stays when a text comes with it.
      assert(bytes < 62_600, `${scripts.length} scripts of ${bytes} bytes after brotli`);
      assert.deepEqual(await seen.errors(), []);
    },
    {script: './lib/bertscope-frozen.js'},
  );
});

test('a frozen picture comes from a file, may be bertviz’s data, and be held against another', async () => {
  await writeFile(join(blog.folder, 'saved.json'), JSON.stringify(snapshot));
  const bertviz = {tokens: snapshot.tokens, attention: snapshot.attentions.map((layer) => [layer])};
  await writeFile(join(blog.folder, 'bertviz.json'), JSON.stringify(bertviz));
  const weights = [[0, 0.125, 0.875], ...snapshot.attentions[0][0].slice(1)];
  const attentions = [[weights, snapshot.attentions[0][1]]];
  const compared = {...snapshot, before: {...snapshot, name: 'a copy', attentions}};
  await writeFile(join(blog.folder, 'compared.json'), JSON.stringify(compared));
  const body =
    '<bert-scope src="saved.json" heads="0"></bert-scope><bert-scope src="bertviz.json"></bert-scope>';
  await post('file.html', body, async (page, {requests}) => {
    await page.waitForFunction(() => {
      const scopes = [...document.querySelectorAll('bert-scope')];
      return scopes.every(
        (scope) => scope.shadowRoot?.querySelectorAll('.query .piece').length === 3,
      );
    });
    const second = page.locator('bert-scope').nth(1);
    await second.evaluate((scope) => scope.setAttribute('compare', 'mode=side&model=saved.json'));
    await second.locator('figcaption').first().waitFor();
    const captions = await second.locator('figcaption').allTextContents();
    assert.deepEqual(captions, ['saved.json', 'bertviz.json']);
    // A comparison that was saved has both sides with it.
    const first = page.locator('bert-scope').nth(0);
    await first.evaluate((scope) => scope.setAttribute('src', 'compared.json'));
    await first.locator('figcaption', {hasText: 'a copy'}).waitFor();
    assert.deepEqual(await first.locator('figcaption').allTextContents(), ['a copy', 'compared.json']); // prettier-ignore
    const [kept, own] = await first.locator('figure').all();
    await kept.locator('.query .token').first().hover();
    await kept.locator('.key .value', {hasText: '0.875'}).waitFor();
    await own.locator('.query .token').first().hover();
    await own.locator('.key .value', {hasText: '0.750'}).waitFor();
    assert(!requests.some((url) => /wasm|\/worker/.test(url)));
  });
});

test('a saved picture looks as it was saved, except for what its tag asks', async () => {
  const shown = 'view=matrix&layer=0&heads=1&token=q1&special=hide&height=320&theme=dark';
  await writeFile(join(blog.folder, 'shown.json'), JSON.stringify({...snapshot, shown}));
  const body =
    '<bert-scope src="shown.json"></bert-scope><bert-scope src="shown.json" view="head" theme="light" special="show"></bert-scope>';
  await post(
    'shown.html',
    body,
    async (page, seen) => {
      const attributesOf = (/** @type {number} */ at) =>
        page
          .locator('bert-scope')
          .nth(at)
          .evaluate((scope) =>
            ['view', 'heads', 'token', 'special', 'height', 'theme'].map((name) =>
              scope.getAttribute(name),
            ),
          );
      await eventually('the picture as it was saved', async () =>
        assert.deepEqual(await attributesOf(0), ['matrix', '1', 'q1', 'hide', '320', 'dark']),
      );
      await page
        .locator('bert-scope')
        .nth(0)
        .locator('.map canvas, .matrix canvas')
        .first()
        .waitFor();
      await eventually('the picture as its tag asks', async () =>
        assert.deepEqual(await attributesOf(1), ['head', '1', 'q1', 'show', '320', 'light']),
      );
      await page.locator('bert-scope').nth(1).locator('.query .token[aria-pressed=true]').waitFor();
      assert.deepEqual(await seen.errors(), []);
    },
    {script: './lib/bertscope-frozen.js'},
  );
});

test('a frozen picture that is on its way says so, and has no words of a model', async () => {
  await writeFile(join(blog.folder, 'saved.json'), JSON.stringify(snapshot));
  /** @type {(value?: any) => void} */
  let open = () => {};
  blog.faults.gate = new Promise((resolve) => (open = resolve));
  await post(
    'slow.html',
    '<bert-scope src="saved.json" loading="eager" controls></bert-scope>',
    async (page) => {
      const scope = page.locator('bert-scope');
      await scope.getByRole('progressbar', {name: 'Loading the picture'}).waitFor();
      assert.doesNotMatch(await scope.innerText(), /\[object/);
      open();
      await scope.locator('.query .piece', {hasText: 'chat'}).waitFor();
      assert.doesNotMatch(await scope.innerText(), /\[object/);
    },
    {script: './lib/bertscope-frozen.js'},
  ).finally(open);
});
