import {html, nothing} from 'lit';
import {namedToken, namingOfModel} from '../attention/byte-level-tokens.js';
import {indicesIn} from '../attention/range.js';
import {holds} from '../attention/shape.js';
import {isOfDecoder, tokensOf} from '../attention/selection.js';
import {strings} from '../strings/index.js';
import {resultOfText} from '../session/pass.js';
import {liveStrings} from '../strings/live.js';
import {
  changesOf,
  hasPlace,
  isOff,
  noReaderChanges,
  partShown,
  shapeOfPart,
  withHead,
  withItem,
} from '../attention/reader-changes.js';

/** @import {ScopeActions, ScopeState} from './layout.js' */
/** @import {ScopeProperties} from './scope-properties.js' */
/** @import {ReaderChanges} from '../attention/reader-changes.js' */
/** @import {Shape} from '../attention/shape.js' */
/** @import {ViewData} from '../views/view-kinds.js' */

const {actions: words} = liveStrings;

/**
 * The buttons that change the model at the head and the token in the picture, or undo all changes.
 *
 * @param {ScopeProperties} scope
 * @param {ScopeState} state
 * @param {ScopeActions} actions
 */
export function workbenchActions(
  {interventions: now},
  {session, availableSelection, drawn},
  {choose},
) {
  if (!session.pass?.model) return nothing;
  const change = (/** @type {ReaderChanges} */ interventions) => choose({interventions});
  const {model} = session.pass;
  const {layer, filter} = availableSelection;
  const part = partShown(filter);
  const shape = /** @type {Shape} */ (shapeOfPart(model, part.part));
  // A head that only the baseline has cannot be switched off in this model.
  const heads = availableSelection.heads.filter((each) => holds(shape, layer, each));
  const [head] = heads;
  const offInLayer = !part.part && now.layersOff.includes(layer);
  const isHeadOff = heads.length === 1 && isOff(now, {layer, head, ...part});
  // What a decoder wrote cannot be hidden from it.
  const token = drawn?.selection.token ?? null;
  const pinned = drawn && !isOfDecoder({filter, token}) ? pinnedTokens(drawn) : null;
  const isUnseen = pinned?.indices.every((index) => now.maskedTokens.includes(index));
  return html`${
    heads.length === 1 && !offInLayer
      ? action(isHeadOff ? words.headOn : words.headOff, () =>
          change(withHead(now, {layer, head, scale: isHeadOff ? 1 : 0, ...part})),
        )
      : nothing
  }
  ${
    pinned
      ? action((isUnseen ? words.seen : words.unseen)(pinned.name), () =>
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
    changesOf(now).some((each) => hasPlace(each, model))
      ? action(words.undoAll, () => change(noReaderChanges))
      : nothing
  }`;
}

/**
 * A notice above the picture that says which of its heads are off, with a button that switches them on. The
 * picture itself does not show this.
 *
 * @param {ScopeProperties} scope
 * @param {ScopeState} state
 * @param {ScopeActions} actions
 */
export function offNotice({interventions: now}, {session, chosen, availableSelection}, {choose}) {
  if (!session.pass?.model) return nothing;
  const part = partShown(availableSelection.filter);
  const {model} = session.pass;
  const shape = /** @type {Shape} */ (shapeOfPart(model, part.part));
  const [layer, ...others] = chosen.layers.filter((each) => each < shape.layers);
  if (layer === undefined || others.length) return nothing;
  const off = chosen.heads.filter(
    (head) => head < shape.heads && isOff(now, {layer, head, ...part}),
  );
  if (!off.length) return nothing;
  const layersOff = part.part ? now.layersOff : withItem(now.layersOff, layer, false);
  const before = off.reduce((left, head) => withHead(left, {layer, head, scale: 1, ...part}), {
    ...now,
    layersOff,
  });
  return html`<p class="notice off" role="status">
    <span>${strings.text.sentences([words.off(layer, off), words.offNote])}</span>
    <button type="button" @click=${() => choose({interventions: before})}>${words.undo}</button>
  </p>`;
}

/**
 * A notice above the picture that says which tokens are hidden from all heads, with a button that shows them again.
 *
 * @param {ScopeProperties} scope
 * @param {ScopeState} state
 * @param {ScopeActions} actions
 */
export function hiddenNotice({interventions: now}, {session}, {choose}) {
  const {tokens = [], dropped = []} = resultOfText(session.pass) ?? {};
  const hidden = now.maskedTokens.filter((index) => index < tokens.length);
  const name = namingOfModel(session.model);
  const isHeld = dropped.some(({code}) => code === 'no-keys-left');
  if (!hidden.length || isHeld) return nothing;
  const shown = {...now, maskedTokens: []};
  return html`<p class="notice off" role="status">
    <span>${words.hidden(hidden.map((index) => name(tokens[index])))}</span>
    <button type="button" @click=${() => choose({interventions: shown})}>${words.undo}</button>
  </p>`;
}

/**
 * The name and the indices of the pinned token. A merged word has the indices of all its pieces.
 *
 * @param {ViewData} drawn
 */
function pinnedTokens({snapshot, selection: {token}}) {
  if (!token) return null;
  const run = snapshot.runs?.[token.side][token.index];
  return {
    name: namedToken(tokensOf(snapshot, token.side)[token.index]),
    indices: run ? indicesIn(run) : [token.index],
  };
}

/** @param {string} label @param {() => void} act */
function action(label, act) {
  return html`<button type="button" @click=${act}>${label}</button>`;
}
