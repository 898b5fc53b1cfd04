import assert from 'node:assert/strict';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {pathToFileURL} from 'node:url';
import {recipes} from '../../web/docs/recipes.js';
import {inline, snapshot} from './blog.js';
import {deckOf, deckScript} from './deck.js';
import {blog, post} from './posts.js';
import {eventually} from '../support/eventually.js';
import {browser, engineAttention} from './support.js';

/** @import {Page} from 'playwright-core' */
/** @import {Scope} from './support.js' */

/** @param {Page} page */
const deck = (page) =>
  page.evaluate(() => {
    const {at, keys, isOverview} = /** @type {any} */ (window).deck;
    return {at, keys, isOverview};
  });

/** @param {Page} page @param {string} property */
const scopeProperty = (page, property) =>
  page.evaluate(
    (property) => /** @type {any} */ (document.querySelector('bert-scope'))[property],
    property,
  );

/** A saved picture with controls. @param {string} attributes */
const saved = (attributes) => `<bert-scope ${attributes}>${inline(snapshot)}</bert-scope>`;

test('arrow keys belong to a deck until a picture has the focus, and again after Escape', async () => {
  const body = deckOf([saved('controls heads="0"'), 'second', 'third']);
  await post('keys.html', body, async (page) => {
    const {keyboard} = page;
    await page.locator('.query .token').first().waitFor();
    await keyboard.press('ArrowRight');
    await keyboard.press('ArrowLeft');
    assert.deepEqual(await deck(page), {
      at: 0,
      keys: ['ArrowRight', 'ArrowLeft'],
      isOverview: false,
    });
    assert.deepEqual(await scopeProperty(page, 'heads'), [0]);

    await page.locator('.query .token').nth(1).click();
    assert.deepEqual(await scopeProperty(page, 'token'), {side: 'query', index: 1});
    for (const key of ['ArrowRight', 'Space', 'm', 'h']) await keyboard.press(key);
    assert.equal((await deck(page)).keys.length, 2);
    // The first Escape unpins the token, and the second one gives the keys back.
    await page.locator('.query .token').nth(1).click();
    await keyboard.press('Escape');
    await keyboard.press('Escape');
    assert.deepEqual(await scopeProperty(page, 'token'), null);
    await keyboard.press('ArrowRight');
    assert.deepEqual(await deck(page), {
      at: 1,
      keys: ['ArrowRight', 'ArrowLeft', 'ArrowRight'],
      isOverview: false,
    });
  });
});

test('a clicker goes on to the next slide while a picture has the focus', async () => {
  const body = deckOf([saved('controls="none"'), 'second']);
  await post('clicker.html', body, async (page) => {
    await page.locator('.query .token').nth(1).click();
    await page.keyboard.press('PageDown');
    assert.equal((await deck(page)).at, 1);
  });
});

test('a deck gets no key that is typed into the sentence of a picture, except a clicker’s, and Escape leaves the field', async () => {
  const body = deckOf(['<bert-scope text="the cat" editable></bert-scope>', 'second']);
  await post('typed.html', body, async (page) => {
    const field = page.locator('bert-scope textarea');
    await field.press('PageUp');
    assert.deepEqual((await deck(page)).keys, ['PageUp']);
    await page.evaluate(() => /** @type {any} */ (window).deck.keys.splice(0));
    await field.press('End');
    await page.keyboard.type(' sat on');
    await page.locator('.query .piece', {hasText: 'sat'}).waitFor();
    assert.deepEqual((await deck(page)).keys, []);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Space');
    assert.deepEqual(await deck(page), {at: 1, keys: [' '], isOverview: false});
  });
});

test('a picture starts when its slide becomes visible, and is drawn in its place', async () => {
  const body = deckOf(['first', '<bert-scope text="the cat sat"></bert-scope>'], 1.5);
  await post('visible.html', body, async (page, {requests}) => {
    await page.waitForFunction(() => customElements.get('bert-scope'));
    // An observer that is made after that of the element is called after it.
    await page.evaluate(
      () =>
        new Promise((seen) => {
          new IntersectionObserver(seen).observe(/** @type {Element} */ (document.querySelector('bert-scope'))); // prettier-ignore
        }),
    );
    const isLive = () => requests.some((url) => /wasm|safetensors/.test(url));
    assert(!isLive(), 'nothing is loaded for a slide that is not shown');
    await page.keyboard.press('PageDown');
    await page.locator('.query .piece', {hasText: 'sat'}).waitFor();
    assert(isLive());
    const width = () =>
      page.evaluate(() => {
        const root = document.querySelector('bert-scope')?.shadowRoot;
        return root?.querySelector('canvas')?.width ?? 0;
      });
    await page.waitForFunction(() => {
      const root = document.querySelector('bert-scope')?.shadowRoot;
      return (root?.querySelector('canvas')?.width ?? 0) > 100;
    });
    const drawn = await width();
    // Away and back again, as a speaker does who answers a question.
    await page.keyboard.press('PageUp');
    await page.keyboard.press('PageDown');
    assert.equal(await width(), drawn);
  });
});

/** What a picture says of a point of its canvas, given in shares of its width and height. */
const said = {
  head: {at: [0.25, 0.25], selector: '.head-view .tooltip', expected: /^le → chat.*0\.750/s},
  matrix: {at: [0.1, 0.8], selector: '.matrix-view .reading', expected: /^dort → chat 0\.250/},
};

for (const scale of [1, 0.6, 2]) {
  test(`on a slide that is scaled by ${scale}, the pointer reads what is under it`, async () => {
    for (const [view, {at, selector, expected}] of Object.entries(said)) {
      const body = deckOf([saved(`view="${view}" heads="0"`)], scale);
      await post('pointer.html', body, async (page) => {
        const canvas = page.locator(`.${view}-view canvas`).first();
        // A view gives its canvas a size when it draws.
        await page.waitForFunction(() => {
          const root = document.querySelector('bert-scope')?.shadowRoot;
          return root?.querySelector('canvas')?.style.width;
        });
        const box = await canvas.boundingBox();
        assert(box);
        const [x, y] = [box.x + at[0] * box.width, box.y + at[1] * box.height];
        await page.mouse.move(x, y);
        const told = page.locator(selector);
        await page.waitForFunction(
          ([selector, pattern]) => {
            const root = document.querySelector('bert-scope')?.shadowRoot;
            return new RegExp(pattern, 's').test(root?.querySelector(selector)?.textContent ?? '');
          },
          [selector, expected.source],
        );
        if (view !== 'head') return;
        const place = await told.boundingBox();
        assert(place);
        const gap = [place.x - x, place.y - y].map((length) => Math.round(length / scale));
        assert.deepEqual(gap, [14, 14], 'the box is beside the pointer');
      });
    }
  });
}

test('on a scaled slide, the pointer reads the number of the neuron view that is under it', async () => {
  /** @param {number} scale */
  const read = async (scale) => {
    let text = '';
    const picture =
      '<bert-scope text="the cat sat" view="neuron" layer="1" heads="0"></bert-scope>';
    await post('neuron.html', deckOf([picture], scale), async (page) => {
      const canvas = page.locator('.neuron-lines canvas');
      await page.locator('.neuron-view .query .token', {hasText: 'sat'}).waitFor();
      await page.locator('.neuron-view .query .token', {hasText: 'cat'}).click();
      const box = await canvas.boundingBox();
      assert(box);
      await page.mouse.move(box.x + 0.42 * box.width, box.y + 0.5 * box.height);
      const tooltip = page.locator('.neuron-view .tooltip');
      await tooltip.waitFor();
      text = (await tooltip.textContent()) ?? '';
    });
    return text;
  };
  const expected = await read(1);
  assert.match(expected, /^cat → \w+, dimension \d+/);
  assert.equal(await read(1.7), expected);
});

test('the reveal.js slides of the documentation draw their pictures', async () => {
  await mkdir(join(blog.folder, 'reveal/theme'), {recursive: true});
  const files = {
    'slides.html': recipes.reveal,
    'reveal/reveal.css': '.slides > section:not(.present) { display: none }',
    'reveal/theme/white.css': '',
    'reveal/reveal.js': `const Reveal = {initialize() { ${deckScript} }};`,
  };
  for (const [name, content] of Object.entries(files))
    await writeFile(join(blog.folder, name), content);
  const page = await browser.newPage();
  try {
    await page.goto(`${blog.url}slides.html`);
    const {keyboard} = page;
    const values = page.locator('.present .key .value');
    await values.filter({hasText: /\d/}).first().waitFor();
    const {layer, heads, token} = await page.evaluate(() => {
      const {layer, heads, token} = /** @type {Scope} */ (document.querySelector('bert-scope'));
      return {layer, heads, token};
    });
    const row = (await engineAttention(page, layer))[heads[0]][token.index];
    // The picture shows no special tokens, which are the first and the last one.
    const expected = row.slice(1, -1).map((weight) => weight.toFixed(3));
    await eventually('the weights of the word', async () =>
      assert.deepEqual(await values.allTextContents(), expected),
    );
    await keyboard.press('PageDown');
    await page.locator('.present .told', {hasText: 'looks at'}).waitFor();
    assert.equal(await page.locator('bert-scope [role=alert]').count(), 0);
  } finally {
    await page.close();
  }
});

test('the Quarto slides of the documentation draw their picture in one file, without a server', async () => {
  const [, markup] = recipes.quarto.split(/```(?:{=html})?/);
  const frozen = await readFile(join(blog.folder, 'lib/bertscope-frozen.js'), 'utf8');
  // `embed-resources` puts a script into the page in this way.
  const embedded = markup.replace(' src="bertscope-frozen.js">', () => `>${frozen}`);
  assert.notEqual(embedded, markup);
  await writeFile(join(blog.folder, 'one-file.html'), `<!doctype html>${embedded}`);
  const page = await browser.newPage();
  /** @type {string[]} */
  const requests = [];
  page.on('request', (request) => requests.push(request.url()));
  try {
    const url = pathToFileURL(join(blog.folder, 'one-file.html')).href;
    await page.goto(url);
    await page.locator('.key .value', {hasText: '0.700'}).waitFor();
    assert.deepEqual(requests, [url]);
  } finally {
    await page.close();
  }
});
