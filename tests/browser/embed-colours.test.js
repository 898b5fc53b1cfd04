import assert from 'node:assert/strict';
import {test} from 'node:test';
import {inline, snapshot} from './blog.js';
import {post} from './posts.js';

test('colours are as the page around the element is, whatever the system asks for', async () => {
  const picture = (/** @type {string} */ attributes) =>
    `<bert-scope ${attributes}>${inline(snapshot)}</bert-scope>`;
  const light = [false, 'rgb(255, 255, 255)'];
  const dark = [true, 'rgb(22, 24, 28)'];
  for (const [name, head, theme, expected] of /** @type {const} */ ([
    ['silent', '', '', light],
    ['both', '<style>:root { color-scheme: light dark }</style>', '', dark],
    ['dark', '<style>:root { color-scheme: dark }</style>', '', dark],
    ['light', '<style>:root { color-scheme: light }</style>', '', light],
    ['meta', '<meta name="color-scheme" content="light dark">', '', dark],
    ['chosen', '', 'theme="dark"', dark],
  ])) {
    await post(
      `scheme-${name}.html`,
      head + picture(theme),
      async (page) => {
        await page.locator('.query .piece', {hasText: 'chat'}).waitFor();
        const found = await page
          .locator('bert-scope')
          .evaluate((/** @type {any} */ scope) => [
            scope.isDark,
            getComputedStyle(scope).backgroundColor,
          ]);
        assert.deepEqual(found, expected, name);
      },
      {colorScheme: 'dark'},
    );
  }
});
