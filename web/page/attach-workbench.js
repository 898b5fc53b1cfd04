import {find} from './find-element.js';

/** @import {BertWorkbench} from '../workbench/bert-workbench.js' */
/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {State} from '../scope/state.js' */

/**
 * The workbench below the picture. Nobody sees it before the first picture, so it loads after that.
 *
 * @param {BertScope} scope
 * @param {(changed: Partial<State>) => void} change
 */
export function attachWorkbench(scope, change) {
  const workbench = /** @type {BertWorkbench} */ (find('workbench', HTMLElement));
  scope.addEventListener(
    'result',
    async () => {
      await import('../workbench/bert-workbench.js');
      workbench.scope = scope;
    },
    {once: true},
  );
  workbench.addEventListener('edit', (event) => {
    change(/** @type {CustomEvent<Partial<State>>} */ (event).detail);
  });
}
