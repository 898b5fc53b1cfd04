import {strings} from '../strings/index.js';
import {provideViews, views} from '../views/view-kinds.js';
import {PartLoader} from './part-loader.js';

/** @import {ScopeProperties} from './scope-properties.js' */
/** @import {ViewName} from '../views/view-kinds.js' */

/** The views that few first pictures have. @type {Partial<Record<ViewName, PartLoader<void>>>} */
const loaders = {
  model: new PartLoader(async () => {
    const {modelView} = await import('../views/model/model-view.js');
    provideViews({model: modelView});
  }),
  neuron: new PartLoader(async () => {
    const {neuronView} = await import('../views/neuron/neuron-view.js');
    provideViews({neuron: neuronView});
  }),
  matrix: new PartLoader(async () => {
    const {matrixView} = await import('../views/matrix/matrix-view.js');
    provideViews({matrix: matrixView});
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
