import {strings} from '../strings/index.js';
import {find} from './find-element.js';

/** @import {BertWorkbench} from '../workbench/bert-workbench.js' */
/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {AddressHistory} from './address-history.js' */
/** @import {State} from './address.js' */

/**
 * The workbench below the picture. Nobody sees it before the first picture, so it loads after that.
 *
 * @param {BertScope} scope
 * @param {AddressHistory} history
 * @param {(kind: string, changed: Partial<State>) => void} change
 * @returns {{show: (state: State) => void}}
 */
export function attachWorkbench(scope, history, change) {
  const workbench = /** @type {BertWorkbench} */ (find('workbench', HTMLElement));
  const load = async () => {
    try {
      await import('../workbench/bert-workbench.js');
      Object.assign(workbench, {scope, tab: history.state.workbench});
    } catch {
      scope.notice = strings.workbench.notLoaded;
    }
  };
  scope.addEventListener('result', () => void load(), {once: true});
  workbench.addEventListener('tab', (event) => {
    history.amend({workbench: /** @type {CustomEvent<string>} */ (event).detail});
  });
  workbench.addEventListener('edit', (event) => {
    change('mask', /** @type {CustomEvent<Partial<State>>} */ (event).detail);
  });
  return {
    show({workbench: tab}) {
      // Before it has loaded, a property would hide the element's own.
      if (!workbench.matches(':defined')) return;
      Object.assign(workbench, {tab});
      // The text of the picture may be another, too.
      workbench.requestUpdate();
    },
  };
}
