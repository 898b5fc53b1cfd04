import assert from 'node:assert/strict';
import {viewNames} from '../../web/scope/state-fields.js';
import {embedded} from '../support/embedded-model.js';
import {assertAccessible} from './axe.js';
import {pressInMore} from './more-menu.js';
import {
  engineAttention,
  phone,
  researcherTest,
  server,
  token,
  userTest,
  waitForTokens,
} from './support.js';

/** @import {Page} from 'playwright-core' */

const pinned = '#text=the+cat+sat&pair=the+mat&heads=1.2&token=q2';

userTest('axe finds nothing on the page as it opens', {}, assertAccessible);
userTest('axe finds nothing with a pinned token', {hash: pinned}, assertAccessible);
userTest('axe finds nothing in the dark', {hash: pinned, colorScheme: 'dark'}, assertAccessible);
userTest('axe finds nothing on a phone', {hash: pinned, ...phone}, assertAccessible);
userTest(
  'axe finds nothing beside a long text and its notice',
  {hash: `#text=${'the+'.repeat(300)}`},
  assertAccessible,
);

for (const view of viewNames) {
  const hash = `${pinned}&view=${view}`;
  const table = async (/** @type {Page} */ page) => {
    await page.getByRole('radio', {name: 'Numbers'}).check();
    const summary = page.locator('summary', {hasText: 'table'}).first();
    await summary.click();
    await page.locator('details[open] td').first().waitFor();
    await assertAccessible(page);
  };
  userTest(`axe finds nothing on the ${view} view and its table`, {hash}, table);
  userTest(
    `axe finds nothing on the ${view} view in the dark`,
    {hash, colorScheme: 'dark'},
    assertAccessible,
  );
  userTest(`axe finds nothing on the ${view} view on a phone`, {hash, ...phone}, assertAccessible);
  userTest(
    `axe finds nothing on the ${view} view in large type`,
    {hash: `${hash}&large=1&special=hide`},
    assertAccessible,
  );
}

researcherTest('axe finds nothing in the dialogs', {hash: pinned}, async (page) => {
  await page.getByRole('button', {name: 'Shortcuts'}).click();
  await assertAccessible(page);
  await page.keyboard.press('Escape');
  await pressInMore(page, 'Open attention from a file…');
  await page.getByRole('button', {name: 'Show', exact: true}).click();
  await page.getByText('Choose a file first.').waitFor();
  await assertAccessible(page);
});

researcherTest('axe finds nothing beside a kept picture', {hash: pinned}, async (page) => {
  await page.getByRole('button', {name: 'Keep for comparison'}).click();
  await page.getByText('Now change something').waitFor();
  await assertAccessible(page);
  await page.locator('#text').fill('the cat slept');
  await page.locator('figcaption').first().waitFor();
  await assertAccessible(page);
  await page.getByRole('radio', {name: 'Difference'}).check();
  await page.locator('figcaption .signs').waitFor();
  await assertAccessible(page);
});

userTest(
  'a screen reader gets a summary of the pinned token in every view of weights',
  {hash: '#text=the+cat+sat&layer=0&token=q2'},
  async (page) => {
    const rows = (await engineAttention(page, 0)).map((matrix) => matrix[2]);
    // This head spreads its attention most.
    const [head] = [...rows.keys()].sort((a, b) => Math.max(...rows[a]) - Math.max(...rows[b]));
    const tokens = ['[CLS]', 'the', 'cat', 'sat', '[SEP]'];
    await page.evaluate((head) => (location.hash += `&heads=${head}`), head);
    const partners = rows[head]
      .map((weight, i) => ({weight, token: i === 2 ? 'itself' : tokens[i]}))
      .filter(({weight}) => weight >= 0.01)
      .sort((a, b) => b.weight - a.weight)
      .map(
        ({weight, token}, at) =>
          `${(weight * 100).toFixed(0)}%${at ? '' : ' of its attention'} to ${token}`,
      );
    const named = partners.slice(0, 4).join(', ');
    assert(partners.length > 1);
    for (const view of ['Head', 'Matrix']) {
      await page.getByRole('radio', {name: view, exact: true}).check();
      const summary = page.locator(`.${view.toLowerCase()}-view [aria-live=polite]`);
      const more = partners.length > 4 ? ' …' : '';
      await summary.and(page.getByText(`cat gives ${named}${more}`, {exact: true})).waitFor();
    }
  },
);

researcherTest(
  'the buttons around the picture are large enough for a finger on a phone',
  {hash: '#text=the+cat&pair=the+mat&heads=1', ...phone},
  async (page) => {
    const low = await page.evaluate(() => {
      const root = document.querySelector('bert-scope')?.shadowRoot;
      const buttons =
        root?.querySelectorAll('.group button, .segment span, .inspector button, .check') ?? [];
      const others = document.querySelectorAll('#viewer button, header select');
      return [...buttons, ...others]
        .filter((each) => each.checkVisibility())
        .map((each) => ({name: each.textContent?.trim(), ...each.getBoundingClientRect().toJSON()}))
        .filter(({height}) => height < 44)
        .map(({name, height}) => `${name}: ${height}`);
    });
    assert.deepEqual(low, []);
    // The picture begins on the first screen, above the sheet.
    const first = await token(page, 'query', 1).boundingBox();
    const sheet = await page.locator('.inspector').boundingBox();
    assert.ok(first && sheet && first.y + first.height < sheet.y, 'the picture is in sight');
  },
);

researcherTest(
  'chosen heads and layers can be told apart in forced colours, and the map stays accessible',
  {hash: '#text=the+cat+sat&heads=1&layer=1&token=q2', forcedColors: 'active'},
  async (page) => {
    const chosen = await page.evaluate(() => {
      const root = document.querySelector('bert-scope')?.shadowRoot;
      const outlines = ['.square[aria-pressed=true]', '.segment input:checked + span'].map((name) =>
        getComputedStyle(/** @type {Element} */ (root?.querySelector(name))),
      );
      const others = ['.square[aria-pressed=false]', '.segment input:not(:checked) + span'].map(
        (name) => getComputedStyle(/** @type {Element} */ (root?.querySelector(name))),
      );
      return outlines.map(({backgroundColor}, i) => [backgroundColor, others[i].backgroundColor]);
    });
    for (const [on, off] of chosen) assert.notEqual(on, off, 'the chosen one differs');
    await page.getByRole('radio', {name: 'Matrix'}).check();
    await page.locator('.map').focus();
    await assertAccessible(page);
  },
);

userTest(
  'axe finds nothing while a failure is shown',
  {open: false, errors: /404/},
  async (page) => {
    server.faults.missingModel = true;
    try {
      await page.goto(server.url);
      await page.getByRole('alert').waitFor();
      await assertAccessible(page);
    } finally {
      server.faults.missingModel = false;
    }
  },
);

/** Finds what has the focus, also inside the element's shadow. @param {Page} page */
const focused = (page) =>
  page.evaluate(() => {
    const outer = document.activeElement;
    const inner = outer?.shadowRoot?.activeElement ?? outer;
    const beside = inner?.matches('input') ? inner.nextElementSibling : null;
    const boxes = [inner, beside].filter((box) => box !== null && box !== undefined);
    const label = inner instanceof HTMLInputElement ? inner.labels?.[0] : inner;
    return {
      name: inner?.getAttribute('aria-label') ?? label?.textContent?.trim() ?? '',
      id: inner?.id ?? '',
      isOutlined: boxes.some((box) => getComputedStyle(box).outlineStyle !== 'none'),
    };
  });

researcherTest(
  'every action can be done with the keyboard alone',
  {hash: '#text=the+cat+sat&layer=0'},
  async (page) => {
    const {keyboard} = page;
    /** Presses Tab until something with this name has the focus. @param {RegExp} name */
    const tabTo = async (name) => {
      for (let i = 0; i < 30; i++) {
        await keyboard.press('Tab');
        const now = await focused(page);
        assert.ok(now.isOutlined, `the focus on “${now.name}” is visible`);
        if (name.test(now.name)) return;
      }
      assert.fail(`the Tab key does not reach ${name}`);
    };
    const selection = () =>
      page.evaluate(() => /** @type {any} */ (document.querySelector('bert-scope')).selection);

    assert.equal((await focused(page)).id, 'text');
    await keyboard.press('End');
    await keyboard.type(' on');
    await waitForTokens(page, ['[CLS]', 'the', 'cat', 'sat', 'on', '[SEP]']);

    await tabTo(/^0$/);
    await keyboard.press('ArrowRight');
    await keyboard.press('ArrowRight');
    assert.equal((await selection()).layer, 2);

    await tabTo(/Layer 2, head 0/);
    await keyboard.press('Space');
    const others = Array.from({length: embedded.heads - 1}, (_, other) => other + 1);
    assert.deepEqual((await selection()).heads, others);
    await tabTo(/Layer 2, head 3/);
    await keyboard.press('3');
    assert.deepEqual((await selection()).heads, [3]);

    const heads = await engineAttention(page, 2);
    await tabTo(/^\[CLS\]/);
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowDown');
    await page
      .locator('.key .value', {hasText: heads[3][2][0].toFixed(3)})
      .first()
      .waitFor();
    await keyboard.press('Enter');
    assert.deepEqual((await selection()).token, {side: 'query', index: 2});
    assert.match((await page.locator('.reading').textContent()) ?? '', /^cat gives \d+/);

    await keyboard.press('ArrowRight');
    await page.locator('.tooltip .number', {hasText: heads[3][2][2].toFixed(3)}).waitFor();
    await keyboard.press('Escape');
    assert.equal((await selection()).token, null);
    assert.equal(await token(page, 'query', 2).getAttribute('aria-pressed'), 'false');
  },
);
