import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {frozenExample} from '../../web/docs/frozen-example.js';
import {assertAccessible} from './axe.js';
import {openBlog} from './blog.js';
import {openPage, phone, server, userTest, waitForInput, waitForTokens} from './support.js';

/** @import {Page} from 'playwright-core' */

/** @param {Page} page @param {string} name @param {string} title */
async function goTo(page, name, title) {
  await page.evaluate((hash) => (location.hash = hash), `#/docs/${name}`);
  await page.locator('.docs article > h2', {hasText: title}).waitFor();
}

/** Waits until an example's element has several colours in its canvas. @param {Page} page @param {string} name */
const waitForDrawing = async (page, name) => {
  const example = page.locator(`[data-example=${name}] .running`);
  await example.scrollIntoViewIfNeeded();
  await page.waitForFunction((name) => {
    const scope = document.querySelector(`[data-example=${name}] bert-scope`);
    const canvas = scope?.shadowRoot?.querySelector('canvas');
    if (!canvas?.width || !canvas.height) return false;
    const {data} = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {};
    return data && new Set(new Uint32Array(data.buffer)).size > 4;
  }, name);
};

const clipboard = {permissions: ['clipboard-read', 'clipboard-write']};

const readSnapshot = async () =>
  JSON.parse(await readFile(new URL('../../web/docs/snapshot.json', import.meta.url), 'utf8'));

/** Copies the code of an example, which is shown. @param {Page} page @param {string} name */
async function copyCode(page, name) {
  const example = page.locator(`[data-example=${name}]`);
  await example.getByRole('button', {name: 'Copy'}).click();
  await example.getByRole('button', {name: 'Copied'}).waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

userTest(
  'each example of the gallery is drawn, and its code can be copied',
  clipboard,
  async (page) => {
    await page.getByRole('link', {name: 'Docs'}).click();
    await page.locator('.docs article > h2', {hasText: 'Gallery'}).waitFor();
    for (const name of ['frozen', 'live', 'controlled']) await waitForDrawing(page, name);
    assert.equal(
      await page
        .locator('[data-example=frozen] bert-scope')
        .evaluate((/** @type {any} */ {model}) => model),
      null,
      'the frozen example has no model',
    );

    const copied = await copyCode(page, 'live');
    assert.match(copied, /^<script type="module" .*<bert-scope text="time flies like an arrow"/s);

    await page.locator('[data-example=framed] iframe').scrollIntoViewIfNeeded();
    const frame = page.frameLocator('[data-example=framed] iframe');
    await frame.locator('.query .piece', {hasText: 'cat'}).waitFor();
    await assertAccessible(page);
  },
);

userTest(
  'the tag of the frozen picture draws it in a post, with the very script that its integrity names',
  clipboard,
  async (page) => {
    await goTo(page, 'gallery', 'Gallery');
    const copied = await copyCode(page, 'frozen');
    assert.match(
      copied,
      /^<script type="module" src="http[^"]+\/lib\/bertscope-frozen\.js" integrity="sha384-[^"]{64}"/,
    );
    const blog = await openBlog();
    try {
      // The server of this page lets no other origin read its files; the blog has the same ones.
      const post = copied.replace(/src="http[^"]+\/lib\//, 'src="lib/');
      await page.goto(await blog.write('frozen.html', post, 'data:text/javascript,'));
      await waitForTokens(page, (await readSnapshot()).tokens);
    } finally {
      await blog.close();
    }
  },
);

userTest(
  'the frozen picture of the gallery has the numbers that the model computes',
  {hash: `#${new URLSearchParams({text: frozenExample.text, pair: frozenExample.pair})}`},
  async (page) => {
    const saved = await readSnapshot();
    const {layer, head} = frozenExample;
    const computed = await page.evaluate(
      async ([layer, head]) => {
        const {result} = /** @type {any} */ (document.querySelector('bert-scope'));
        return {tokens: result.tokens, weights: [...(await result.attention(layer, head))]};
      },
      [layer, head],
    );
    assert.deepEqual(saved.tokens, computed.tokens);
    const weights = saved.attentions[layer][head].flat();
    assert.equal(weights.length, computed.weights.length);
    // The picture has three digits, which are exact to half a per cent.
    weights.forEach((/** @type {number} */ weight, /** @type {number} */ at) =>
      assert.ok(Math.abs(weight - computed.weights[at]) <= 0.006 * weight),
    );
  },
);

userTest(
  'a teacher downloads the page in one file and the lessons for a platform, which have the sizes that the links say',
  {},
  async (page) => {
    await goTo(page, 'teaching', 'For teachers');
    for (const [name, made] of [
      ['Download this page as one file', 'offline/bertscope.html'],
      ['Download the lessons for a platform', 'scorm/bertscope-lessons.zip'],
    ]) {
      const link = page.getByRole('link', {name});
      const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
      const saved = await readFile(await download.path());
      assert(saved.equals(await readFile(new URL(`../../dist/${made}`, import.meta.url))), made);
      assert.equal(download.suggestedFilename(), made.split('/')[1]);
      assert.equal(await link.innerText(), `${name} (${(saved.length / 1e6).toFixed(1)} MB)`);
    }
  },
);

userTest('the reference has the signatures and docstrings of the code', {}, async (page) => {
  await goTo(page, 'api', 'API');
  const entry = page.locator('.method', {
    hasText:
      'attend(text: string, options?: AttendOptions & { signal?: AbortSignal }): Promise<Result>',
  });
  await entry.getByText('Runs a text. Passes of one model run one after the other').waitFor();
  const attribute = page.locator('dt', {hasText: 'no-special-tokens'});
  assert.equal(await attribute.locator('.type').textContent(), 'boolean');
  await page.locator('dt', {hasText: 'selection'}).first().waitFor();
  assert.ok(!(await page.locator('.docs').innerText()).includes('@param'));
  await assertAccessible(page);
});

userTest('a type in a signature links to its entry', {}, async (page) => {
  await goTo(page, 'api', 'API');
  await page.locator('.signature a', {hasText: 'AttendOptions'}).click();
  const isShown = () => {
    const entry = document.getElementById('/docs/api/AttendOptions');
    return entry && Math.abs(entry.getBoundingClientRect().top) < 100;
  };
  await page.waitForFunction(isShown);
  await page.reload();
  await page.waitForFunction(isShown);
});

userTest('the tables of “How it works” have the rows of the README', {}, async (page) => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  await goTo(page, 'how-it-works', 'How it works');
  for (const [name, isRow] of /** @type {[string, RegExp][]} */ ([
    ['How fast', /^\| (EPYC|Xeon): (Chromium|Firefox|WebKitGTK) \d/],
    ['How exact', /\| at most \d\.\de-\d, \d/],
  ])) {
    const written = readme
      .split('\n')
      .filter((line) => isRow.test(line))
      .map((line) =>
        line
          .slice(1, -1)
          .split('|')
          .map((cell) => cell.trim()),
      );
    assert.ok(written.length > 3);
    const rows = page.getByRole('region', {name, exact: true}).locator('tbody tr');
    const shown = await rows.evaluateAll((found) =>
      found.map((row) => [...row.children].map((cell) => cell.textContent?.trim())),
    );
    assert.deepEqual(shown, written);
  }
  await assertAccessible(page);
});

userTest(
  'the pages fit a phone in the dark, and a link of “Reading attention” opens the workbench',
  {...phone, colorScheme: 'dark'},
  async (page) => {
    for (const [name, title] of [
      ['gallery', 'Gallery'],
      ['notebooks', 'Notebooks'],
      ['teaching', 'For teachers'],
      ['api', 'API'],
      ['how-it-works', 'How it works'],
      ['reading-attention', 'Reading attention'],
    ]) {
      await goTo(page, name, title);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= 390, `${name} is ${width} pixels wide`);
    }
    await assertAccessible(page);
    await page.getByRole('link', {name: 'switch a head off'}).click();
    await page.locator('#viewer').waitFor();
    await waitForInput(page, '#text', 'the cat sat on the [MASK]');
    await page.getByText('Change the model').first().waitFor();
  },
);

userTest(
  'a Chinese reader reads the pages in Chinese',
  {open: false, locale: 'zh-CN'},
  async (page) => {
    await page.goto(`${server.url}#/docs/reading-attention`);
    await page.locator('h2', {hasText: '如何解读注意力'}).waitFor();
    await page.getByRole('link', {name: '文档'}).waitFor();
    await openPage(page, '#text=the+cat&layer=0');
    await page.goto(`${server.url}#/docs/nowhere`);
    await page.getByRole('alert').filter({hasText: '文档中没有名为“nowhere”的页面'}).waitFor();
  },
);
