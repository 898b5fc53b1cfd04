/**
 * Measures how long views take to be painted, in headless Chromium without a GPU, from random attention. Each sample is
 * taken in a new page.
 */

import {chromium} from 'playwright-core';
import {createServer} from 'vite';
import {ARGS, EXECUTABLE} from './browsers/chromium.mjs';
import {median} from './page/sampling.js';
import {fromRoot} from './process.mjs';
import {table} from './table.mjs';

/** @import {Browser} from 'playwright-core' */
/** @import {Drawing, DrawingTimes} from './views/types.d.ts' */

const samples = 7;
const whole = {layers: 12, heads: 12};
const oneLayer = {layers: 1, heads: 12};

/** @type {Drawing[]} */
const drawings = [
  {view: 'model', ...whole, tokens: 32},
  {view: 'model', ...whole, tokens: 64},
  {view: 'model', ...whole, tokens: 128},
  {view: 'head', ...oneLayer, tokens: 64},
  {view: 'head', ...oneLayer, tokens: 128},
  {view: 'head', ...oneLayer, tokens: 512},
  {view: 'neuron', layers: 1, heads: 1, tokens: 64},
  {view: 'neuron', layers: 1, heads: 1, tokens: 256},
  {view: 'matrix', layers: 1, heads: 1, tokens: 128},
  {view: 'matrix', layers: 1, heads: 1, tokens: 512},
];

/**
 * @typedef {Drawing & {painted_ms: number, hover_ms: number | null, nodes: number}} ViewRow
 *
 * @returns {Promise<ViewRow[]>}
 */
export async function measureViews() {
  const server = await createServer({
    configFile: false,
    root: fromRoot('.'),
    logLevel: 'error',
    server: {host: 'localhost', port: 0},
    // Without this, Vite reads every page of the repository for dependencies, and some do not follow its rules.
    optimizeDeps: {entries: ['tests/bench/views/index.html']},
  });
  await server.listen();
  const url = `${server.resolvedUrls?.local[0]}tests/bench/views/index.html`;
  const browser = await chromium.launch({executablePath: EXECUTABLE, args: ARGS});
  const rows = [];
  for (const drawing of drawings) {
    const times = [];
    for (let i = 0; i < samples; i++) times.push(await sample(browser, url, drawing));
    const hovers = times.flatMap(({hovers}) => hovers);
    rows.push({
      ...drawing,
      painted_ms: median(times.map(({painted}) => painted)),
      hover_ms: hovers.length ? median(hovers) : null,
      nodes: times[0].nodes,
    });
  }
  await browser.close();
  await server.close();
  return rows;
}

/**
 * @param {Browser} browser
 * @param {string} url
 * @param {Drawing} drawing
 * @returns {Promise<DrawingTimes>}
 */
async function sample(browser, url, drawing) {
  const page = await browser.newPage({viewport: {width: 1152, height: 900}});
  await page.goto(url);
  await page.waitForFunction(() => 'measureView' in window);
  const times = await page.evaluate(
    (drawing) => /** @type {any} */ (window).measureView(drawing),
    drawing,
  );
  await page.close();
  return times;
}

/** @param {ViewRow[]} rows */
export function viewTable(rows) {
  const ms = (/** @type {number | null} */ time) => (time === null ? '' : time.toFixed(1));
  return table(
    'Views, random attention, median ms until painted',
    ['view', 'layers', 'heads', 'tokens', 'painted', 'hover', 'elements'],
    rows.map((row) => [
      ...[row.view, row.layers, row.heads, row.tokens, ms(row.painted_ms)],
      ...[ms(row.hover_ms), row.nodes],
    ]),
  );
}
