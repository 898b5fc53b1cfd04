/**
 * Compares what each view draws with the pictures stored in `drawings`. `RENEW_DRAWINGS=1 node --test
 * tests/views/drawings.test.js` replaces the stored pictures.
 */

import assert from 'node:assert/strict';
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {differenceOf} from '../../web/attention/difference.js';
import {shownTokens} from '../../web/attention/selection.js';
import {shapeHead} from '../../web/export/head-svg-lines.js';
import {svgElement} from '../../web/export/svg-markup.js';
import {drawScene} from '../../web/views/head/canvas.js';
import {headScene} from '../../web/views/head/scene.js';
import {drawMatrix, matrixImage} from '../../web/views/matrix/canvas.js';
import {matrixScene, sizeOf} from '../../web/views/matrix/scene.js';
import {ModelGrid} from '../../web/views/model/thumbnail-grid.js';
import {drawNeuron} from '../../web/views/neuron/canvas.js';
import {neuronScene, queryScene} from '../../web/views/neuron/scene.js';
import {coloursOfNumbers, headColour} from '../../web/views/parts/head-colours.js';
import {matrixColours} from '../../web/views/parts/weight-colours.js';
import {screenCanvas} from '../support/svg-screen.js';
import {exampleSnapshot} from './snapshots.js';

/** @import {Selection} from '../../web/attention/selection.js' */
/** @import {Snapshot} from '../../web/attention/snapshot.js' */
/** @import {ModelViewData} from '../../web/views/model/model-view.js' */

/** @typedef {{width: number, height: number, content: string}} Drawing */

const folder = new URL('drawings/', import.meta.url);
const isRenewed = Boolean(process.env.RENEW_DRAWINGS);

const snapshot = exampleSnapshot(0);
const difference = differenceOf(exampleSnapshot(1), snapshot);
/** Its letters are as wide as those of the screen that draws here. */
const font = 'monospace';

/** @param {boolean} dark */
const inkOf = (dark) => ({
  text: dark ? '#e6e8eb' : '#1c1f24',
  muted: dark ? '#9aa0a8' : '#5d646d',
  surface: dark ? '#16181c' : '#ffffff',
  accent: dark ? '#6fabff' : '#1b62c4',
});

/** @param {Partial<Selection>} [selection] @returns {Selection} */
const chosen = (selection) => ({layer: 0, heads: [0], filter: 'all', token: null, ...selection});

/**
 * @param {Snapshot} drawn
 * @param {Partial<Selection>} selection
 * @param {boolean} [dark]
 * @returns {Drawing}
 */
function headDrawing(drawn, selection, dark = false) {
  const scene = headScene({snapshot: drawn, selection: chosen(selection), dark});
  Object.assign(scene, {focus: selection.token ?? null, rowHeight: 24, width: 200});
  const height = scene.rowHeight * (scene.query.end - scene.query.start);
  const {context, content} = screenCanvas();
  const {text, surface} = inkOf(dark);
  const values = {text, halo: surface, font, size: 11};
  drawScene(context, scene, {top: 0, height, ratio: 1}, values);
  return {width: scene.width, height, content: content()};
}

/**
 * @param {Snapshot} drawn
 * @param {Partial<Selection>} selection
 * @param {{cell: number, dark?: boolean, at?: {query: number, key: number} | null}} options
 * @returns {Drawing}
 */
function matrixDrawing(drawn, selection, {cell, dark = false, at = null}) {
  const scene = matrixScene({snapshot: drawn, selection: chosen(selection)});
  Object.assign(scene, {cell, left: 60, top: 60, right: 56});
  const colours = matrixColours(scene.isDifference, dark);
  const look = {colours, ink: inkOf(dark), font, size: 12};
  const picture = {
    image: matrixImage(scene, colours),
    snapshot: drawn,
    at,
    pinned: selection.token ?? null,
  };
  const {context, content} = screenCanvas();
  const size = sizeOf(scene);
  drawMatrix(context, scene, picture, look, {x: 0, y: 0, ...size, ratio: 1});
  return {...size, content: content()};
}

/**
 * @param {Snapshot} drawn
 * @param {Partial<Selection>} selection
 * @param {number} clientWidth
 * @param {Partial<ModelViewData>} [options]
 * @returns {Drawing}
 */
function modelDrawing(drawn, selection, clientWidth, options) {
  const grid = new ModelGrid({onPoint() {}, onOpen() {}});
  const element = /** @type {any} */ (grid.element);
  element.clientWidth = clientWidth;
  const data = {snapshot: drawn, selection: chosen(selection), dark: false, ...options};
  const block = {layers: [0, 1], heads: [0, 1]};
  grid.update(data, shownTokens(drawn, data.selection), block);
  const [, {children: [canvas]}] = element.children; // prettier-ignore
  const {width, height} = canvas;
  return {width, height, content: screenCanvas(canvas).content()};
}

/**
 * @param {Snapshot} drawn
 * @param {Partial<Selection>} selection
 * @param {{query: number, top?: number, dark?: boolean}} options
 * @returns {Drawing}
 */
function neuronDrawing(drawn, selection, {query, top = 0, dark = false}) {
  const head = neuronScene(drawn, chosen(selection));
  assert.ok(head);
  const names = ['query', 'links', 'key', 'product', 'score', 'softmax', 'value', 'weighted'];
  const columns = Object.fromEntries(
    names.map((name, at) => [name, {left: 10 + 60 * at, width: 50}]),
  );
  const size = {width: 490, height: 144};
  const layout = {columns: /** @type {any} */ (columns), rowHeight: 24, top, height: size.height, ratio: 1}; // prettier-ignore
  const ink = {
    ...inkOf(dark),
    numbers: coloursOfNumbers(dark),
    head: headColour(head.head, dark),
    font: `11px ${font}`,
  };
  const {context, content} = screenCanvas();
  drawNeuron(context, head, queryScene(head, query), {key: 2, dimension: 1}, layout, ink);
  return {...size, content: content()};
}

/** @type {Record<string, () => Drawing>} */
const drawings = {
  'head-of-one-head': () => headDrawing(snapshot, {}),
  'head-of-two-heads-dark': () => headDrawing(snapshot, {heads: [0, 1]}, true),
  'head-of-a-pinned-query': () => headDrawing(snapshot, {heads: [0, 1], token: {side: 'query', index: 1}}), // prettier-ignore
  'head-of-a-difference': () => headDrawing(difference, {token: {side: 'key', index: 2}}),
  'matrix-with-numbers': () => matrixDrawing(snapshot, {token: {side: 'query', index: 1}}, {cell: 38, at: {query: 2, key: 3}}), // prettier-ignore
  'matrix-of-small-cells-dark': () => matrixDrawing(snapshot, {filter: 'ab'}, {cell: 8, dark: true}), // prettier-ignore
  'matrix-of-a-difference': () => matrixDrawing(difference, {heads: [0, 1]}, {cell: 34}),
  'model-as-shapes': () => modelDrawing(snapshot, {}, 148, {paintHead: shapeHead}),
  'model-of-a-filter': () => modelDrawing(snapshot, {filter: 'ba'}, 148, {paintHead: shapeHead}),
  'model-of-a-difference': () => modelDrawing(difference, {}, 84),
  'neuron-of-one-query': () => neuronDrawing(snapshot, {}, {query: 1}),
  'neuron-scrolled-dark': () => neuronDrawing(snapshot, {heads: [1], filter: 'ab'}, {query: 3, top: 24, dark: true}), // prettier-ignore
  'neuron-of-a-difference': () => neuronDrawing(difference, {}, {query: 5}),
};

for (const [name, draw] of Object.entries(drawings)) {
  test(`a view draws the stored picture ${name}.svg`, () => {
    const file = new URL(`${name}.svg`, folder);
    const svg = svgOf(draw(), name.endsWith('dark'));
    if (isRenewed) writeFileSync(file, svg);
    assert.equal(svg, readFileSync(file, 'utf8'));
  });
}

test('every stored picture is of a drawing that is tested', () => {
  const names = Object.keys(drawings).map((name) => `${name}.svg`);
  assert.deepEqual(readdirSync(folder).sort(), names.sort());
});

/** Makes a file of a drawing, with one element in a line. @param {Drawing} drawing @param {boolean} dark */
function svgOf({width, height, content}, dark) {
  const size = {width, height};
  const ground = svgElement('rect', {...size, fill: inkOf(dark).surface});
  const frame = {xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, ...size};
  return `${svgElement('svg', frame, ground + content).replaceAll('><', '>\n<')}\n`;
}
