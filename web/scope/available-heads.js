import {activeHeads} from '../attention/selection.js';
import {range} from '../attention/range.js';
import {ofAllHeads} from '../attention/display.js';
import {blockOf, holds} from '../attention/shape.js';
import {strings} from '../strings/index.js';
import {numberList} from '../strings/number-list.js';
import {displayIn, kindsOf, showsOneHead} from '../views/view-kinds.js';

/** @import {Choice} from './view-data.js' */
/** @import {ViewName} from '../views/view-kinds.js' */
/** @import {Shape} from '../attention/shape.js' */

/**
 * How much of a choice a pass has.
 *
 * @typedef {object} Coverage
 * @property {Choice} choice  the choice as it is shown
 * @property {boolean} lacksChosen  whether the pass has none of the chosen heads
 * @property {boolean} isEmpty  whether there is nothing to show
 * @property {string[]} missing  sentences about what is missing
 */

/**
 * Returns the chosen heads that exist and are among those that the model view shows. If there are none, it returns
 * the other heads of the chosen layer, or of the first layer that has any.
 *
 * @param {Shape} shape
 * @param {Pick<Choice, 'layer' | 'heads' | 'grid'>} choice
 * @returns {{layer: number, heads: number[]}}
 */
export function placeIn(shape, {layer: wantedLayer, heads: wantedHeads, grid}) {
  const {layers, heads: count} = shape;
  const block = grid.isOpen ? null : blockOf(shape, grid);
  const isThere = (/** @type {number} */ layer, /** @type {number} */ head) =>
    holds(shape, layer, head) &&
    (!block || (block.layers.includes(layer) && block.heads.includes(head)));
  const wanted = Math.max(0, Math.min(Math.trunc(wantedLayer) || 0, layers - 1));
  const all = activeHeads([], count);
  const layer = [wanted, ...range(layers)].find((each) => all.some((head) => isThere(each, head)));
  const there = all.filter((head) => isThere(layer ?? wanted, head));
  const chosen = activeHeads(wantedHeads, count).filter((head) => there.includes(head));
  return {layer: layer ?? wanted, heads: chosen.length ? chosen : there};
}

/**
 * Returns the choice for both passes of a comparison. They show the same layer, and the same head in a view that
 * shows only one.
 *
 * @param {ViewName} view
 * @param {Choice} choice
 * @param {Shape} available  the heads that at least one pass has
 * @returns {Choice}
 */
export function sharedChoice(view, choice, available) {
  const {layer, heads} = placeIn(available, choice);
  if (showsOneHead(view, choice.grid)) return {...choice, layer, heads: heads.slice(0, 1)};
  return {...choice, layer, heads: choice.heads.length ? heads : []};
}

/**
 * Returns how much of a choice one pass has. If it lacks the head that the model view shows large, that view shows
 * all heads instead.
 *
 * @param {ViewName} view
 * @param {Choice} choice  the choice for both passes
 * @param {Shape} shape  the shape of this pass
 * @param {string} name  the name of this pass
 * @returns {Coverage}
 */
export function coverageOf(view, choice, shape, name) {
  const {isWhole: isEmpty, missing} = lackOf(view, choice, shape, name);
  if (!kindsOf[view].hasGrid) return {choice, lacksChosen: isEmpty, isEmpty, missing};
  const {layer, heads, grid} = choice;
  const chosen = heads.length ? heads : range(shape.heads);
  const lacksChosen = !chosen.some((head) => holds(shape, layer, head));
  if (!isEmpty || !grid.isOpen) return {choice, lacksChosen, isEmpty, missing};
  const all = {...choice, grid: {...grid, isOpen: false}};
  return {choice: all, lacksChosen, isEmpty: lackOf(view, all, shape, name).isWhole, missing};
}

/**
 * @param {ViewName} view
 * @param {Choice} choice
 * @param {Shape} shape
 * @param {string} name
 * @returns {{isWhole: boolean, missing: string[]}}  `isWhole`: whether everything is missing
 */
function lackOf(view, choice, shape, name) {
  const {layers, heads} = wantedOf(view, choice, shape);
  const all = range(shape.heads);
  const layersThere = layers.filter((layer) => all.some((head) => holds(shape, layer, head)));
  const headsThere = heads.filter((head) => layersThere.some((layer) => holds(shape, layer, head)));
  const isWhole = !layersThere.length || !headsThere.length;
  const beyond = {
    layers: layers.filter((layer) => layer >= shape.layers),
    heads: heads.filter((head) => head >= shape.heads),
  };
  const {lack} = strings.compare;
  const listed = (/** @type {readonly number[]} */ numbers) =>
    numberList(numbers, strings.text.numbers);
  const missing = [
    beyond.layers.length ? lack.layers(name, shape.layers, listed(beyond.layers)) : '',
    beyond.heads.length ? lack.heads(name, shape.heads, listed(beyond.heads)) : '',
  ].filter(Boolean);
  const isGap = layersThere.length < layers.length || headsThere.length < heads.length;
  if (isGap && !missing.length) missing.push(lack.gaps(name, listed(layers), listed(heads)));
  return {isWhole, missing};
}

/** @param {ViewName} view @param {Choice} choice @param {Shape} shape */
function wantedOf(view, {layer, heads, grid, display}, shape) {
  const all = {layers: range(shape.layers), heads: range(shape.heads)};
  const some = (/** @type {readonly number[]} */ wanted, /** @type {number[]} */ others) =>
    wanted.length ? [...wanted] : others;
  if (kindsOf[view].hasGrid && !grid.isOpen) {
    return {layers: some(grid.layers, all.layers), heads: some(grid.heads, all.heads)};
  }
  const {meanLayers, measure} = displayIn(view, display);
  return {
    layers: some(meanLayers === 'all' ? all.layers : meanLayers, [layer]),
    heads: some(ofAllHeads.includes(measure) ? [] : heads, all.heads),
  };
}
