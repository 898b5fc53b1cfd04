/** @import {Page} from 'playwright-core' */

/** Opens the menu behind the “+”. In the researcher view its content stands in the page. @param {Page} page */
async function openMore(page) {
  const summary = page.locator('#more:not([open]) > summary');
  if (await summary.isVisible()) await summary.click();
}

/** Presses a button of this menu. @param {Page} page @param {string} name */
export async function pressInMore(page, name) {
  await openMore(page);
  await page.getByRole('button', {name}).click();
}
