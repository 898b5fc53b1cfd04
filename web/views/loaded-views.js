import {headView} from './head/head-view.js';

/** @import {CreateView, ViewActions, ViewData, ViewName} from './view-kinds.js' */

/** What creates each view that is loaded. Others are put here when they are. @type {Partial<Record<ViewName, CreateView>>} */
export const views = {head: headView};

/**
 * Creates a view that is loaded.
 *
 * @param {ViewName} name
 * @param {ViewData} data
 * @param {ViewActions} actions
 */
export function createView(name, data, actions) {
  return /** @type {CreateView} */ (views[name])(data, actions);
}
