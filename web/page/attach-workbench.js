import {PartLoader} from '../scope/part-loader.js';
import {exploreStrings} from '../strings/explore.js';
import {shownPanel} from './explore-layout.js';
import {find} from './find-element.js';

/** @import {BertWorkbench} from '../workbench/bert-workbench.js' */
/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {State} from '../scope/state-fields.js' */

export const workbenchPart = new PartLoader(() => import('../workbench/bert-workbench.js'));

/**
 * Connects the workbench to the picture. It is loaded for a reader who opens it, and not before the first picture.
 *
 * @param {BertScope} scope
 * @param {(changed: Partial<State>) => void} change
 * @returns {(treebank: File) => void}  measures the model on annotated sentences
 */
export function attachWorkbench(scope, change) {
  const workbench = /** @type {BertWorkbench} */ (find('workbench', HTMLElement));
  let wasOpen = false;
  const follow = async () => {
    const isOpen = scope.panel === 'all' || shownPanel(scope) === 'whatif';
    const isOpened = isOpen && !wasOpen;
    wasOpen = isOpen;
    if (!isOpened) return;
    if (await workbenchPart.loadFor(scope, exploreStrings.panels.names.whatif))
      workbench.scope = scope;
  };
  scope.addEventListener('change', () => void follow());
  scope.addEventListener('result', () => void follow(), {once: true});
  workbench.addEventListener('edit', (event) => {
    change(/** @type {CustomEvent<Partial<State>>} */ (event).detail);
  });
  return (treebank) => {
    workbench.treebank = treebank;
    change({workbench: 'grammar', panel: scope.panel === 'all' ? 'all' : 'whatif'});
  };
}
