/** Saves files with the export dialog, and reads them. */

import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {inflateSync} from 'node:zlib';
import {eventually} from '../support/eventually.js';
import {pressInMore} from './more-menu.js';

/** @import {Page} from 'playwright-core' */
/** @import {Scope} from './support.js' */

export const hash = '#text=the+cat+sat&pair=the+mat&layer=2&heads=1.2';
export const drawn = ['[CLS]', 'the', 'cat', 'sat', '[SEP]', 'the', 'mat', '[SEP]'];

/** Opens the dialog unless it is open, and saves a file. @param {Page} page @param {string} name */
export async function download(page, name) {
  const dialog = page.locator('dialog.export');
  if (!(await dialog.count())) await page.getByRole('button', {name: 'Export'}).click();
  const waiting = page.waitForEvent('download');
  await dialog.getByRole('button', {name, exact: true}).click();
  const file = await waiting;
  await dialog.getByText('Saved.').waitFor();
  return {
    name: file.suggestedFilename(),
    path: await file.path(),
    bytes: await readFile(await file.path()),
  };
}

/** Copies a tag, without its script: the posts of the tests have the one beside them. @param {Page} page @param {string} name */
export async function copiedTag(page, name) {
  if (!(await page.locator('dialog.export').count()))
    await page.getByRole('button', {name: 'Export'}).click();
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.getByRole('button', {name, exact: true}).click();
  return eventually('the clipboard to be filled', async () => {
    const text = await page.evaluate(() => navigator.clipboard.readText());
    assert(text, 'it is empty');
    return text.replace(/<script type="module".*<\/script>/, '');
  });
}

/**
 * Reads everything that is drawn of a pinned token: the pixels of lines, and each word and number with its place.
 *
 * @param {Page} page
 * @param {string} [part]  of the picture
 */
export async function drawingOf(page, part = '.view-stage') {
  await page.locator('.query .token[aria-pressed="true"]').waitFor();
  return page.locator(`bert-scope ${part}`).evaluate((stage) => {
    const {x, y} = stage.getBoundingClientRect();
    const texts = [...stage.querySelectorAll('*')].filter(
      (each) => each.childElementCount === 0 && each.clientWidth > 0,
    );
    return {
      lines: [...stage.querySelectorAll('canvas')].map((canvas) => canvas.toDataURL()),
      texts: texts.map((each) => {
        const place = each.getBoundingClientRect();
        return [each.textContent, Math.round(place.x - x), Math.round(place.y - y)];
      }),
    };
  });
}

/** Measures how far the pages that are opened next move while they load. @param {Page} page */
export async function watchShift(page) {
  await page.addInitScript(() => {
    /** @type {any} */ (window).shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        /** @type {any} */ (window).shift += /** @type {any} */ (entry).value;
    }).observe({type: 'layout-shift', buffered: true});
  });
  return () => page.evaluate(() => /** @type {any} */ (window).shift);
}

/** The page inside a copied frame. @param {Page} page */
export function frameIn(page) {
  const [frame] = page.mainFrame().childFrames(); // a locator finds only those of an iframe
  if (!frame) throw new Error('expected a page inside the frame, found none');
  return frame;
}

/**
 * Reads an SVG file as a browser does, in a page of its own: the policy of bertscope's page lets it parse none.
 *
 * @param {Page} page
 * @param {string} svg
 */
export async function readSvg(page, svg) {
  const blank = await page.context().newPage();
  const read = await blank.evaluate((svg) => {
    const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
    // Outlines say what they are outlines of.
    const texts = [...root.querySelectorAll('[aria-label], :not([aria-label]) > text')].map(
      (text) => text.getAttribute('aria-label') ?? text.textContent ?? '',
    );
    const lines = [...root.querySelectorAll('path[d^=M]')].filter(
      (path) => path.getAttribute('stroke-width') === '2',
    );
    return {
      name: root.localName,
      texts,
      letters: root.querySelectorAll('text').length,
      lines: lines.map((line) => Number(line.getAttribute('stroke-opacity'))),
      drawings: root.querySelectorAll('svg > g[transform]:not([aria-label]):not(:empty)').length,
      images: root.querySelectorAll('image').length,
      cells: root.querySelectorAll('rect[shape-rendering]').length,
      ground: root.querySelector('rect')?.getAttribute('fill'),
      others: [...root.querySelectorAll('script, foreignObject, style, a')].length,
    };
  }, svg);
  await blank.close();
  return read;
}

/** Reads the width and height of a PNG file, and how many byte values its pixels have. @param {Buffer} bytes */
export function readPng(bytes) {
  assert.equal(bytes.toString('latin1', 1, 4), 'PNG');
  /** @type {Buffer[]} */
  const data = [];
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const length = bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(bytes.subarray(at + 8, at + 8 + length));
  }
  const values = new Set(inflateSync(Buffer.concat(data)));
  return {width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), values: values.size};
}

/** Measures how far two SVG files are from each other as a browser draws them, from 0 to 255. @param {Page} page @param {string[]} files */
export function distanceBetween(page, files) {
  return page.evaluate(async (files) => {
    const drawn = files.map(async (svg) => {
      const image = new Image();
      image.src = URL.createObjectURL(new Blob([svg], {type: 'image/svg+xml'}));
      await image.decode();
      const canvas = new OffscreenCanvas(2 * image.width, 2 * image.height);
      const context = canvas.getContext('2d');
      context?.drawImage(image, 0, 0, canvas.width, canvas.height);
      if (!context) throw new Error('expected a canvas to draw on, found none');
      return context.getImageData(0, 0, canvas.width, canvas.height).data;
    });
    const [first, second] = await Promise.all(drawn);
    return first.reduce((sum, value, i) => sum + Math.abs(value - second[i]), 0) / first.length;
  }, files);
}

/**
 * Shows six layers of eight heads whose weights no training changes.
 *
 * @param {Page} page
 */
export async function importFixed(page) {
  const at = (/** @type {number} */ length) => [...Array(length).keys()];
  const attention = at(6).map((layer) => [
    at(8).map((head) =>
      drawn.map((_, query) => {
        const scores = drawn.map((_, key) => Math.exp(3 * Math.sin(1 + layer + 2 * head + 5 * query + 3 * key * key))); // prettier-ignore
        const sum = scores.reduce((a, b) => a + b);
        return scores.map((score) => score / sum);
      }),
    ),
  ]);
  await importJson(page, 'fixed.json', {tokens: drawn, attention});
  await page.waitForFunction(
    () => /** @type {Scope} */ (document.querySelector('bert-scope')).isSaved,
  );
}

/** @param {Page} page @param {string} name @param {object} content */
export async function importJson(page, name, content) {
  await pressInMore(page, 'Open attention from a file…');
  const buffer = Buffer.from(JSON.stringify(content));
  await page.locator('#import-file').setInputFiles({name, mimeType: 'application/json', buffer});
  await page.getByRole('button', {name: 'Show', exact: true}).click();
}
