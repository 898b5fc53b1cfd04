import {find} from './find.js';

/** @import {BertLab} from '../elements/bert-lab.js' */
/** @import {BertScope} from '../elements/bert-scope.js' */
/** @import {AddressHistory} from './history.js' */
/** @import {State} from './address.js' */

/**
 * The lab below the picture. Nobody sees it before the first picture, so it loads after that.
 *
 * @param {BertScope} scope
 * @param {AddressHistory} history
 * @param {(kind: string, changed: Partial<State>) => void} change
 * @returns {{show: (state: State) => void}}
 */
export function attachLab(scope, history, change) {
  const lab = /** @type {BertLab} */ (find('lab', HTMLElement));
  scope.addEventListener(
    'result',
    async () => {
      await import('../elements/bert-lab.js');
      Object.assign(lab, {scope, tab: history.state.lab});
    },
    {once: true},
  );
  lab.addEventListener('tab', (event) => {
    history.amend({lab: /** @type {CustomEvent<string>} */ (event).detail});
  });
  lab.addEventListener('edit', (event) => {
    change('mask', /** @type {CustomEvent<Partial<State>>} */ (event).detail);
  });
  return {
    show({lab: tab}) {
      // Before it has loaded, a property would hide the element's own.
      if (lab.matches(':defined')) Object.assign(lab, {tab});
    },
  };
}
