import assert from 'node:assert/strict';
import {assertAccessible} from './axe.js';
import {engineAttention, server, token, userTest, waitForTokens} from './support.js';

/** @import {Page} from 'playwright-core' */

const phone = {viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true};

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

/** What has the keyboard, inside the element's shadow too. @param {Page} page */
const focused = (page) =>
  page.evaluate(() => {
    const outer = document.activeElement;
    const inner = outer?.shadowRoot?.activeElement ?? outer;
    const boxes = [inner, inner?.matches('input') && inner.nextElementSibling].filter(Boolean);
    const label = inner instanceof HTMLInputElement ? inner.labels?.[0] : inner;
    return {
      name: inner?.getAttribute('aria-label') ?? label?.textContent?.trim() ?? '',
      id: inner?.id ?? '',
      isOutlined: boxes.some((box) => getComputedStyle(box).outlineStyle !== 'none'),
    };
  });

userTest(
  'every action can be done with the keyboard alone',
  {hash: '#text=the+cat+sat'},
  async (page) => {
    const {keyboard} = page;
    /** Tabs on until something answers to a name. @param {RegExp} name */
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
    assert.deepEqual((await selection()).heads, [1, 2, 3, 4, 5, 6, 7]);
    await tabTo(/Layer 2, head 3/);
    await keyboard.press('Shift+Enter');
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
    assert.match((await page.locator('.reading').textContent()) ?? '', /^cat attends \d+/);

    await keyboard.press('ArrowRight');
    await page.locator('.tooltip .number', {hasText: heads[3][2][2].toFixed(3)}).waitFor();
    await keyboard.press('Escape');
    assert.equal((await selection()).token, null);
    assert.equal(await token(page, 'query', 2).getAttribute('aria-pressed'), 'false');
  },
);
