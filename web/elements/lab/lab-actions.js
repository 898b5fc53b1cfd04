import {html, nothing} from 'lit';
import {strings} from '../../strings/index.js';
import {noInterventions, isUntouched, scaleOf, withHead, withItem} from './interventions.js';

/** @import {Interventions} from './interventions.js' */
/** @import {Result} from '../passes.js' */
/** @import {Selection} from '../../views/selection.js' */

/**
 * What can be done at once to the head and the token that the picture shows.
 *
 * @param {{interventions: Interventions, selection: Selection, result: Result}} state
 * @param {(interventions: Interventions) => void} change
 */
export function labActions({interventions: now, selection, result}, change) {
  const {layer, heads, token} = selection;
  const {actions} = strings.lab;
  const [head] = heads;
  const isOff = scaleOf(now, layer, head) === 0;
  const name = token && result.tokens[token.index];
  const isUnseen = token !== null && now.maskedTokens.includes(token.index);
  return html`${
    heads.length === 1
      ? toggle(actions.headOff, isOff, () =>
          change(withHead(now, {layer, head, scale: isOff ? 1 : 0})),
        )
      : nothing
  }
  ${
    token && name
      ? toggle(actions.unseen(name), isUnseen, () =>
          change({...now, maskedTokens: withItem(now.maskedTokens, token.index, !isUnseen)}),
        )
      : nothing
  }
  ${
    isUntouched(now)
      ? nothing
      : html`<button type="button" class="all" @click=${() => change(noInterventions)}>
          ${actions.undoAll}
        </button>`
  }`;
}

/** @param {string} label @param {boolean} pressed @param {() => void} act */
function toggle(label, pressed, act) {
  return html`<button type="button" class="all" aria-pressed=${pressed} @click=${act}>
    ${label}
  </button>`;
}
