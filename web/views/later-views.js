import {views} from './loaded-views.js';

/** @import {ViewName} from './view-kinds.js' */

/**
 * Loads each view that few first pictures have, so that it can be drawn.
 *
 * @type {Record<Exclude<ViewName, 'head'>, () => Promise<void>>}
 */
export const laterViews = {
  async model() {
    views.model = (await import('./model/model-view.js')).modelView;
  },
  async neuron() {
    views.neuron = (await import('./neuron/styled-neuron-view.js')).neuronView;
  },
  async matrix() {
    views.matrix = (await import('./matrix/matrix-view.js')).matrixView;
  },
};
