import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {embedded} from '../support/embedded-model.js';
import {openBlog, snapshot} from './blog.js';
import {browser} from './support.js';

/** @import {Page, Route} from 'playwright-core' */

const path = (/** @type {string} */ relative) => fileURLToPath(new URL(relative, import.meta.url));
const readme = readFileSync(path('../../README.md'), 'utf8');

/** Lists the README's examples in a language, in their order. @param {string} language */
function examples(language) {
  return [...readme.matchAll(/^```(\w+)\n(.*?)^```/gms)]
    .filter(([, written]) => written === language)
    .map(([, , code]) => code);
}

/** @type {Awaited<ReturnType<typeof openBlog>>} */
let blog;

before(async () => {
  blog = await openBlog();
});

after(async () => {
  await blog?.close();
});

/**
 * Opens a page of the blog, with the hub that the README names, which has a small
 * model under the name of a large one.
 *
 * @param {string} name
 * @param {string} html
 * @param {(page: Page) => Promise<void>} look
 */
async function open(name, html, look) {
  const context = await browser.newContext();
  context.setDefaultTimeout(30_000);
  const answer = (/** @type {string} */ folder) => async (/** @type {Route} */ route) => {
    const file = join(folder, new URL(route.request().url()).pathname.split('/').at(-1) ?? '');
    const headers = {'access-control-allow-origin': '*'};
    if (existsSync(file)) await route.fulfill({path: file, headers});
    else await route.fulfill({status: 404, headers});
  };
  await context.route(
    'https://huggingface.co/google-bert/bert-base-cased/**',
    answer(path('../golden/odd-sizes')),
  );
  const page = await context.newPage();
  const failures = /** @type {string[]} */ ([]);
  page.on('pageerror', ({message}) => failures.push(message));
  try {
    await writeFile(join(blog.folder, name), `<!doctype html><meta charset="utf-8">${html}`);
    await page.goto(blog.url + name);
    await look(page);
    assert.deepEqual(failures, []);
  } finally {
    await context.close();
  }
}

const pieces = (/** @type {string} */ text) => text.split(' ');

test('the JavaScript examples run unchanged', async () => {
  const [use, ownModel, ...more] = examples('js');
  assert.deepEqual(more, []);
  const model = await readFile(path('../../dist/lib/bertscope-default.safetensors'));
  await writeFile(join(blog.folder, 'my-bert.safetensors'), model);
  const imports = {bertscope: './lib/bertscope.js'};
  const html = `<script type="importmap">${JSON.stringify({imports})}</script>
    <script type="module">
      ${use}
      {
        const file = await (await fetch('my-bert.safetensors')).blob();
        const folderInput = {files: [new File([file], 'my-bert.safetensors')]};
        ${ownModel}
        window.seen = {
          tokens: result.tokens,
          sum: weights.slice(0, result.tokens.length).reduce((a, b) => a + b),
          without: without.tokens.length,
          why: why.contributions.length,
          patched: map.length,
          similar: grid.reduce((a, b) => a + b) - cosine,
          effects: [effects.layers * effects.heads, effects.change.length],
          norms: norms.length,
          names: names.length,
          x: x.shape,
          output: mixed.output.shape,
          attention: mixed.attention.weights.shape,
          kept: models.length,
          again: again.name,
        };
      }
    </script>`;
  await open('javascript.html', html, async (page) => {
    await page.waitForFunction(() => 'seen' in window);
    const seen = await page.evaluate(() => /** @type {any} */ (window).seen);
    const tokens = pieces('[CLS] time flies like an arrow [SEP] fruit flies like a banana [SEP]');
    assert.deepEqual(seen.tokens, tokens);
    assert(Math.abs(seen.sum - 1) < 1e-5, `a row sums to ${seen.sum}`);
    assert.equal(seen.without, 4);
    assert.equal(seen.why, pieces('[CLS] time [MASK] like an arrow [SEP]').length);
    const states = embedded.layers + 1;
    assert.equal(seen.patched, states * pieces('[CLS] a dog was [MASK] . [SEP]').length);
    assert(Math.abs(seen.similar) < 1e-6, `the cells sum to ${seen.similar} more than the cosine`);
    assert.deepEqual(seen.effects, [seen.names, seen.names]);
    assert.equal(seen.norms, tokens.length ** 2);
    assert.deepEqual(seen.x.slice(0, 2), [2, 7]);
    assert.deepEqual(seen.output, seen.x);
    assert.deepEqual(seen.attention, [2, 8, 7, 7]);
    assert.equal(seen.kept, 1);
    assert.match(seen.again, /bert-base-cased/);
  });
});

test('the tags for a blog post work unchanged', async () => {
  const [tags, ...more] = examples('html');
  assert.deepEqual(more, []);
  assert(tags.trim().split('\n').length <= 5, tags);
  await writeFile(join(blog.folder, 'saved.json'), JSON.stringify(snapshot));
  await open('tags.html', tags, async (page) => {
    const [live, frozen] = [0, 1].map((i) => page.locator('bert-scope').nth(i));
    await live.locator('.query .piece', {hasText: 'arrow'}).waitFor();
    await frozen.locator('.query .piece', {hasText: 'chat'}).waitFor();
    const shown = await live.evaluate((/** @type {any} */ {layer, heads}) => ({layer, heads}));
    assert.deepEqual(shown, {layer: 3, heads: [0, 4]});
  });
});
