import {pressInMore} from './more-menu.js';
/** Sets up tests of attention from files: small files, and the ways in which a reader opens them. */

/** @import {Page} from 'playwright-core' */

export const tokens = ['le', 'chat', '##on', 'dort'];
export const matrix = [
  [0.25, 0.25, 0.25, 0.25],
  [0.75, 0.25, 0, 0],
  [0, 0.5, 0.5, 0],
  [0.125, 0.125, 0.25, 0.5],
];
export const identity = matrix.map((_, i) => matrix.map((_, j) => Number(i === j)));
/** Attention of two layers of two heads. */
export const layers = [
  [matrix, identity],
  [identity, matrix],
];

/** @param {string} name @param {unknown} json */
export const jsonFile = (name, json) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(json)),
});

/** Opens a file with the dialog. @param {Page} page @param {any} file */
export async function openFile(page, file) {
  await pressInMore(page, 'Open attention from a file…');
  await page.locator('#import-file').setInputFiles(file);
  await page.getByRole('button', {name: 'Show', exact: true}).click();
}

/** Drops a file on the page. @param {Page} page @param {string} name @param {Uint8Array} bytes */
export async function dropFile(page, name, bytes) {
  await page.evaluate(
    ([name, bytes]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(bytes)], name));
      document.body.dispatchEvent(
        new DragEvent('drop', {dataTransfer: transfer, bubbles: true, cancelable: true}),
      );
    },
    /** @type {const} */ ([name, [...bytes]]),
  );
}
