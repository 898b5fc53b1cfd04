import {strings} from '../strings/index.js';
import {laterViews} from '../views/later-views.js';
import {views} from '../views/loaded-views.js';
import {PartLoader} from './part-loader.js';

/** @import {BertScope} from './bert-scope.js' */
/** @import {ViewName} from '../views/view-kinds.js' */

/** Loads each view that the element does not start with. @type {Partial<Record<ViewName, PartLoader<void>>>} */
export const viewLoaders = Object.fromEntries(
  Object.entries(laterViews).map(([name, load]) => [name, new PartLoader(load)]),
);

/**
 * Loads the view that is chosen, and draws it as soon as it is there. Until then the view before is drawn, which is
 * chosen again if the new one does not arrive.
 *
 * @param {BertScope} scope
 */
export async function loadView(scope) {
  const {view: name} = scope;
  await viewLoaders[name]?.loadFor(scope, strings.views.names[name]);
  if (views[name]) scope.requestUpdate();
  else if (scope.view === name) {
    const {shownView} = scope;
    scope.change({view: views[shownView] ? shownView : 'head'}, false);
  }
}

export function loadViewsAhead() {
  for (const loader of Object.values(viewLoaders)) void loader.loadAhead();
}
