import assert from 'node:assert/strict';
import {pressInMore} from './more-menu.js';
import {researcherTest, userTest} from './support.js';

/** @import {Page} from 'playwright-core' */

/** What has the focus, inside the element's shadow too. @param {Page} page */
const focused = (page) =>
  page.evaluate(() => {
    const outer = document.activeElement;
    return (outer?.shadowRoot?.activeElement ?? outer)?.textContent?.trim();
  });

/** The buttons that open the dialogs, with the name of each dialog and of the button that closes it. */
const dialogs = [
  ['Models…', 'Models', 'Close'],
  ['Open attention from a file…', 'Attention of any model', 'Cancel'],
  ['Export', 'Export', 'Close'],
  ['Shortcuts ?', 'Shortcuts', 'Close'],
];

for (const [opener, title, close] of dialogs) {
  researcherTest(
    `the dialog “${title}” closes in three ways, and gives the focus back`,
    {hash: '#text=the+cat+sat&layer=0'},
    async (page) => {
      const dialog = page.getByRole('dialog', {name: title, exact: true});
      const ways = [
        () => page.keyboard.press('Escape'),
        () => dialog.getByRole('button', {name: close, exact: true}).click(),
        () => page.mouse.click(5, 450),
      ];
      for (const way of ways) {
        await page.getByRole('button', {name: opener, exact: true}).click();
        await dialog.getByRole('heading', {name: title, exact: true}).waitFor();
        await way();
        await dialog.waitFor({state: 'detached'});
        assert.equal(await focused(page), opener);
      }
    },
  );
}

userTest(
  'a dialog that opens from the menu behind “+” gives the focus back to it',
  {hash: '#text=the+cat+sat&layer=0'},
  async (page) => {
    await pressInMore(page, 'Models…');
    await page.getByRole('dialog', {name: 'Models', exact: true}).waitFor();
    assert.equal(await page.locator('#more').getAttribute('open'), null);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({state: 'detached'});
    const summary = page.locator('#more > summary');
    assert.ok(await summary.evaluate((one) => one === document.activeElement));
    await summary.press('Enter');
    await page.getByRole('button', {name: 'Models…'}).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', {name: 'Models…'}).waitFor({state: 'hidden'});
  },
);

userTest(
  'a selection of text that ends beside the dialog does not close it',
  {hash: '#text=the+cat+sat&layer=0'},
  async (page) => {
    await pressInMore(page, 'Models…');
    const field = await page.locator('#models-name').boundingBox();
    assert.ok(field);
    await page.locator('#models-name').fill('https://mirror.test/bert.safetensors');
    await page.mouse.move(field.x + 100, field.y + field.height / 2);
    await page.mouse.down();
    await page.mouse.move(5, field.y);
    await page.mouse.up();
    assert.ok(await page.locator('#models-name').isVisible());
    await page.mouse.click(5, field.y);
    await page.locator('dialog').waitFor({state: 'detached'});
    await pressInMore(page, 'Models…');
    assert.equal(
      await page.locator('#models-name').inputValue(),
      'https://mirror.test/bert.safetensors',
    );
  },
);
