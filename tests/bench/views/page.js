/** Draws views of random attention, and measures the time until they are painted. */

import {headView} from '../../../web/views/head/head-view.js';
import {matrixView} from '../../../web/views/matrix/matrix-view.js';
import {modelView} from '../../../web/views/model/model-view.js';
import {neuronView} from '../../../web/views/neuron/neuron-view.js';
import {createSnapshot} from '../../../web/attention/snapshot.js';

/** @import {Selection} from '../../../web/attention/selection.js' */
/** @import {Drawing, DrawingTimes} from './types.d.ts' */

const views = {head: headView, model: modelView, neuron: neuronView, matrix: matrixView};
/** The elements that the pointer moves over, by view. */
const hovered = {head: '.token', model: '.thumbnail', neuron: '.token', matrix: '.token'};
const headDim = 64;

/**
 * @param {Drawing} drawing
 * @returns {Promise<DrawingTimes>}
 */
async function measureView({view: name, tokens, layers, heads}) {
  const snapshot = randomSnapshot(tokens, layers, heads);
  const all = Array.from({length: heads}, (_, i) => i);
  /** @type {Selection} */
  const selection = {layer: 0, heads: all, filter: 'all', token: null};
  const main = document.querySelector('main');
  let view = document.createElement('div');
  const painted = await timeToPaint(() => {
    view = views[name]({snapshot, selection, dark: false});
    main?.append(view);
  });
  const hovers = [];
  for (const target of [...view.querySelectorAll(hovered[name])].slice(0, 24)) {
    const event = new PointerEvent('pointerover', {bubbles: true, pointerType: 'mouse'});
    hovers.push(await timeToPaint(() => target.dispatchEvent(event)));
  }
  return {painted, hovers, nodes: view.querySelectorAll('*').length};
}

/**
 * Makes a change at the start of a frame, and measures the time until that frame is ready to be shown.
 *
 * @param {() => void} change
 * @returns {Promise<number>} ms
 */
function timeToPaint(change) {
  return new Promise((resolve) =>
    requestAnimationFrame(() => {
      const begin = performance.now();
      change();
      setTimeout(() => resolve(performance.now() - begin));
    }),
  );
}

/**
 * @param {number} count
 * @param {number} layers
 * @param {number} heads
 */
function randomSnapshot(count, layers, heads) {
  const random = randomNumbers();
  const matrices = Array.from({length: layers * heads}, () => {
    const matrix = Float32Array.from({length: count * count}, () => Math.exp(6 * random()));
    for (let i = 0; i < count; i++) {
      const row = matrix.subarray(i * count, (i + 1) * count);
      const sum = row.reduce((a, b) => a + b);
      row.forEach((weight, j) => (row[j] = weight / sum));
    }
    return matrix;
  });
  const vectors = Float32Array.from({length: count * headDim}, () => random() - 0.5);
  return createSnapshot({
    tokens: Array.from({length: count}, (_, i) => `token${i}`),
    layers,
    heads,
    attention: (layer, head) => matrices[layer * heads + head],
    headDim,
    vectors: () => vectors,
  });
}

/** Generates the same numbers from 0 to 1 in every run, with a linear congruential generator. */
function randomNumbers() {
  let state = 1;
  return () => (state = (state * 1664525 + 1013904223) >>> 0) / 2 ** 32;
}

Object.assign(window, {measureView});
