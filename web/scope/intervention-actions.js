import {html, nothing} from 'lit';
import {strings} from '../strings/index.js';
import {
  changesOf,
  hasPlace,
  isOff,
  noInterventions,
  withHead,
  withItem,
} from '../attention/interventions.js';

/** @import {Interventions} from '../attention/interventions.js' */
/** @import {ViewData} from '../views/view-kinds.js' */
/** @import {Selection} from '../attention/selection.js' */
/** @import {Block, Shape} from '../attention/shape.js' */

/**
 * The buttons that change the model at the head and the token in the picture, or undo all changes.
 *
 * @param {{interventions: Interventions, selection: Selection, drawn: ViewData | null, shape: Shape}} state
 * @param {(interventions: Interventions) => void} change
 */
export function workbenchActions({interventions: now, selection, drawn, shape}, change) {
  const {layer, heads} = selection;
  const {actions} = strings.workbench;
  const [head] = heads;
  const offInLayer = now.layersOff.includes(layer);
  const isHeadOff = heads.length === 1 && isOff(now, layer, head);
  const pinned = drawn && pinnedTokens(drawn);
  const isUnseen = pinned?.indices.every((index) => now.maskedTokens.includes(index));
  return html`${
    heads.length === 1 && !offInLayer
      ? action(isHeadOff ? actions.headOn : actions.headOff, () =>
          change(withHead(now, {layer, head, scale: isHeadOff ? 1 : 0})),
        )
      : nothing
  }
  ${
    pinned
      ? action((isUnseen ? actions.seen : actions.unseen)(pinned.name), () =>
          change({
            ...now,
            maskedTokens: pinned.indices.reduce(
              (list, index) => withItem(list, index, !isUnseen),
              now.maskedTokens,
            ),
          }),
        )
      : nothing
  }
  ${
    changesOf(now).some((each) => hasPlace(each, shape))
      ? action(actions.undoAll, () => change(noInterventions))
      : nothing
  }`;
}

/**
 * A notice above the picture that says which of its heads are off, with a button that switches them on. The
 * picture itself does not show this.
 *
 * @param {Interventions} now
 * @param {Block} shown
 * @param {(interventions: Interventions) => void} change
 */
export function offNotice(now, {layers, heads}, change) {
  if (layers.length !== 1) return nothing;
  const [layer] = layers;
  const off = heads.filter((head) => isOff(now, layer, head));
  if (!off.length) return nothing;
  const {actions} = strings.workbench;
  const layersOff = withItem(now.layersOff, layer, false);
  const before = off.reduce((left, head) => withHead(left, {layer, head, scale: 1}), {
    ...now,
    layersOff,
  });
  return html`<p class="notice off" role="status">
    <span>${strings.text.sentences([actions.off(layer, off), actions.offNote])}</span>
    <button type="button" class="all" @click=${() => change(before)}>${actions.undo}</button>
  </p>`;
}

/**
 * The name and the indices of the pinned token. A merged word has the indices of all its pieces.
 *
 * @param {ViewData} drawn
 */
function pinnedTokens({snapshot, selection: {token}}) {
  if (!token) return null;
  const {start, end} = snapshot.runs?.[token.side][token.index] ?? {
    start: token.index,
    end: token.index + 1,
  };
  const names = token.side === 'query' ? snapshot.queryTokens : snapshot.keyTokens;
  return {
    name: names[token.index],
    indices: Array.from({length: end - start}, (_, i) => start + i),
  };
}

/** @param {string} label @param {() => void} act */
function action(label, act) {
  return html`<button type="button" class="all" @click=${act}>${label}</button>`;
}
