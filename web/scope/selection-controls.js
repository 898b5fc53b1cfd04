import {html, nothing} from 'lit';
import {segment} from '../controls/fields.js';
import {headColour, inkOn} from '../views/parts/head-colours.js';
import {range} from '../attention/range.js';
import {holds} from '../attention/shape.js';
import {activeHeads, isolateHead, toggleHead} from '../attention/selection.js';
import {strings} from '../strings/index.js';
import {viewNames} from './state-fields.js';

/** @import {ScopeActions, ScopeState} from './layout.js' */
/** @import {ScopeProperties} from './scope-properties.js' */
/** @import {Filter, Selection} from '../attention/selection.js' */
/** @import {Shape} from '../attention/shape.js' */

/**
 * The controls for the layer, the heads and, if there is more than one, the filter.
 *
 * @param {object} state
 * @param {Selection} state.selection
 * @param {Shape} state.shape
 * @param {readonly Filter[]} state.filters
 * @param {boolean} state.dark
 * @param {boolean} [state.isSingle]  whether the view shows only one head, the first chosen one
 * @param {boolean} [state.isPick]  whether a click shows a head alone instead of adding it
 * @param {boolean} state.isMean  whether a mean of layers is shown
 * @param {(layer: number, head: number) => boolean} state.isOff  whether a head is crossed out
 * @param {(choice: Partial<Selection>) => void} choose
 */
export function scopeControls(state, choose) {
  const {selection, shape, filters, dark, isSingle, isPick, isMean, isOff} = state;
  const {layers, heads} = shape;
  const there = range(heads).filter((head) => holds(shape, selection.layer, head));
  const isLayer = (/** @type {number} */ layer) =>
    range(heads).some((head) => holds(shape, layer, head));
  const active = isSingle ? selection.heads.slice(0, 1) : selection.heads;
  const toggle = (/** @type {number} */ head) =>
    choose({heads: isPick ? [head] : toggleHead(selection.heads, head)});
  const isolate = (/** @type {number} */ head) =>
    choose({heads: isPick ? [head] : isolateHead(selection.heads, head, heads)});
  const upTo = (/** @type {number} */ head) => {
    const [first, last] = [selection.heads[0], selection.heads.at(-1) ?? head];
    const [from, to] = head > first ? [first, head] : [head, last];
    choose({heads: isPick ? [head] : there.filter((each) => each >= from && each <= to)});
  };
  return html`<div class="group" role="radiogroup" aria-labelledby="layer-label">
      <span id="layer-label">${strings.controls.layer}</span>
      <div class="cells">
        ${range(layers).map((layer) =>
          segment(
            'layer',
            String(layer),
            !isMean && layer === selection.layer,
            () => choose({layer}),
            isLayer(layer) ? undefined : strings.controls.absent,
            !isLayer(layer),
          ),
        )}
      </div>
    </div>
    <div class="group" role="group" aria-labelledby="heads-label">
      <span id="heads-label">${strings.controls.heads}</span>
      <div class="cells">
        ${range(heads).map((head) => headSquare(head, {...selection, heads: active}, {dark, isThere: there.includes(head), isOff: isOff(selection.layer, head)}, {toggle, isolate, upTo}))}
        <button
          type="button"
          class=${isSingle || active.length === there.length ? 'all off' : 'all'}
          @click=${() => choose({heads: activeHeads([], heads)})}
        >
          ${strings.controls.allHeads}
        </button>
      </div>
    </div>
    ${filterControl(selection.filter, filters, choose)}`;
}

/**
 * The control for the filter; nothing if there is only one.
 *
 * @param {Filter} current
 * @param {readonly Filter[]} filters
 * @param {(choice: Partial<Selection>) => void} choose
 */
export function filterControl(current, filters, choose) {
  return filters.length > 1
    ? html`<div class="group" role="radiogroup" aria-labelledby="filter-label">
        <span id="filter-label">${strings.controls.filter}</span>
        <div class="cells">
          ${filters.map((filter) =>
            segment(
              'filter',
              strings.controls.filters[filter],
              filter === current,
              () => choose({filter}),
              strings.controls.filterHelp[filter],
            ),
          )}
        </div>
      </div>`
    : nothing;
}

/**
 * @param {ScopeProperties} scope
 * @param {ScopeState} state
 * @param {ScopeActions} actions
 * @param {unknown} more  a button before the one for help
 */
export function viewSwitch(scope, {live}, {choose, help}, more) {
  const {label, names, help: about} = strings.views;
  return html`<div class="views" @pointerenter=${live?.preloadViews}>
    <div class="joined" role="radiogroup" aria-label=${label}>
      ${viewNames.map((view) =>
        segment('view', names[view], view === scope.view, () => choose({view}), about[view]),
      )}
    </div>
    ${more}
    <button type="button" class="bare keys help" @click=${help}>
      ${strings.shortcuts.title} <kbd>?</kbd>
    </button>
  </div>`;
}

/**
 * @param {number} head
 * @param {Selection} selection
 * @param {{dark: boolean, isThere: boolean, isOff: boolean}} look
 * @param {{toggle: (head: number) => void, isolate: (head: number) => void, upTo: (head: number) => void}} actions
 */
function headSquare(head, selection, {dark, isThere, isOff}, {toggle, isolate, upTo}) {
  const colour = headColour(head, dark);
  const place = strings.controls.head(selection.layer, head);
  const name = isOff ? strings.controls.headOff(place) : place;
  return html`<button
    type="button"
    class=${isOff ? 'square off' : 'square'}
    style="--head: ${colour}; --ink: ${inkOn(colour)}"
    title="${name}
${isThere ? strings.controls.headHelp : strings.controls.absent}"
    ?disabled=${!isThere}
    aria-label=${name}
    aria-pressed=${selection.heads.includes(head)}
    @click=${(/** @type {MouseEvent} */ event) => (event.shiftKey ? upTo : toggle)(head)}
    @dblclick=${() => isolate(head)}
  >
    ${head}
  </button>`;
}
