/** @import {State} from './state.js' */
/** @import {Block} from '../attention/shape.js' */

/**
 * What squares of the map mean: in the model view one is the head to show large and several are those
 * to show at all; elsewhere they are the heads drawn, several layers by their mean.
 *
 * @param {Block} block
 * @param {string} view
 * @returns {Partial<State>}
 */
export function choiceOnMap({layers, heads}, view) {
  if (view !== 'model') {
    return {layer: layers[0], heads: [...heads], meanLayers: layers.length > 1 ? layers : []};
  }
  return layers.length * heads.length === 1
    ? {layer: layers[0], heads: [...heads], open: true}
    : {onlyLayers: [...layers], onlyHeads: [...heads], open: false};
}

/**
 * What the rows of layers and heads mean: a layer is no mean of others any more, and in the model
 * view a single head is one to show.
 *
 * @param {Partial<State>} choice
 * @param {string} view
 * @returns {Partial<State>}
 */
export function choiceInControls(choice, view) {
  if (choice.layer !== undefined) return {...choice, meanLayers: []};
  return view === 'model' && choice.heads?.length === 1 ? {...choice, open: true} : choice;
}
