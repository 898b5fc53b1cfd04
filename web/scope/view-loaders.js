import {strings} from '../strings/index.js';
import {views} from '../views/view-kinds.js';
import {PartLoader} from './part-loader.js';

/** @import {ScopeProperties} from './scope-properties.js' */
/** @import {ViewName} from '../views/view-kinds.js' */

/** The views that few first pictures have. @type {Partial<Record<ViewName, PartLoader<void>>>} */
const loaders = {
  model: new PartLoader(async () => {
    views.model = (await import('../views/model/model-view.js')).modelView;
  }),
  neuron: new PartLoader(async () => {
    views.neuron = (await import('../views/neuron/neuron-view.js')).neuronView;
  }),
  matrix: new PartLoader(async () => {
    views.matrix = (await import('../views/matrix/matrix-view.js')).matrixView;
  }),
};

/**
 * Loads the view that is chosen, and draws it as soon as it is there. Until then the picture before stays.
 *
 * @param {ScopeProperties} scope
 */
export async function loadView(scope) {
  const {shownView: name} = scope;
  await loaders[name]?.loadFor(scope, strings.views.names[name]);
  if (views[name]) scope.requestUpdate();
}
