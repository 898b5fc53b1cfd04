/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {State} from './address.js' */

/**
 * Has an element show what an address says, whichever page it is on.
 *
 * @param {BertScope} scope
 * @param {State} state
 */
export function showState(scope, state) {
  const {theme, text, view, statistic, open, onlyLayers, onlyHeads} = state;
  const {interventions, contrast, compare} = state;
  Object.assign(scope, {theme, text, view, statistic, open, onlyLayers, onlyHeads});
  Object.assign(scope, {src: state.model, textPair: state.pair, interventions, contrast, compare});
  scope.selection = state;
  scope.display = state;
  document.documentElement.dataset.theme = theme;
}
