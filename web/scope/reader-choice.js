/** @import {State} from './state-fields.js' */
/** @import {ViewKind} from '../views/view-kinds.js' */
/** @import {Block} from '../attention/shape.js' */

/**
 * Translates a choice of squares on the map. In a grid, one square is the head to show large, and several are the
 * heads to show at all. In other views, they are the heads to draw; several layers are drawn as their mean.
 *
 * @param {Block} block
 * @param {ViewKind} kind
 * @returns {Partial<State>}
 */
export function choiceOnMap({layers, heads}, {hasGrid}) {
  if (!hasGrid) {
    return {layer: layers[0], heads: [...heads], meanLayers: layers.length > 1 ? layers : []};
  }
  return layers.length * heads.length === 1
    ? {layer: layers[0], heads: [...heads], open: true}
    : {onlyLayers: [...layers], onlyHeads: [...heads], open: false};
}

/**
 * Translates a choice in the rows of layers and heads. A chosen layer replaces a mean of layers, and a single head
 * is shown large where there is a grid.
 *
 * @param {Partial<State>} choice
 * @param {ViewKind} kind
 * @returns {Partial<State>}
 */
export function choiceInControls(choice, {hasGrid}) {
  if (choice.layer !== undefined) return {...choice, meanLayers: []};
  return hasGrid && choice.heads?.length === 1 ? {...choice, open: true} : choice;
}
