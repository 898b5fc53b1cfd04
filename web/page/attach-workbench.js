import {pageStrings} from '../strings/page.js';
import {find} from './find-element.js';

/** @import {BertWorkbench} from '../workbench/bert-workbench.js' */
/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {State} from '../scope/state-fields.js' */

/**
 * Connects the workbench below the picture. Nobody sees it before the first picture, so it is loaded after that.
 *
 * @param {BertScope} scope
 * @param {(changed: Partial<State>) => void} change
 */
export function attachWorkbench(scope, change) {
  const workbench = /** @type {BertWorkbench} */ (find('workbench', HTMLElement));
  const load = async () => {
    try {
      await import('../workbench/bert-workbench.js');
      workbench.scope = scope;
    } catch {
      scope.notice = pageStrings.workbench.notLoaded;
    }
  };
  scope.addEventListener('result', () => void load(), {once: true});
  workbench.addEventListener('edit', (event) => {
    change(/** @type {CustomEvent<Partial<State>>} */ (event).detail);
  });
}
