import {html, nothing} from 'lit';
import {strings} from '../strings/index.js';
import {compareControls} from './compare-controls.js';
import {displayControls} from './display-controls.js';
import {filtersOf} from './view-data.js';
import {inspectorPanel, mapControls} from './head-overview-panels.js';
import {choiceInControls} from './reader-choice.js';
import {pictureOrMessage} from './picture-or-message.js';
import {scopeControls, viewSwitch} from './selection-controls.js';
import {hasControls} from './scope-properties.js';
import {displayOf} from './state-fields.js';
import {isWideScreen} from './wide-screen.js';

/** @import {BaselineSession} from '../session/baseline-session.js' */
/** @import {Comparison} from './comparison.js' */
/** @import {CompareMode} from '../session/pass-origin.js' */
/** @import {Overview} from './head-overview.js' */
/** @import {LiveParts} from './live-parts.js' */
/** @import {Pass} from '../session/pass.js' */
/** @import {ScopeProperties} from './scope-properties.js' */
/** @import {ViewData, ViewKind} from '../views/view-kinds.js' */
/** @import {State} from './state-fields.js' */
/** @import {Session} from '../session/session.js' */
/** @import {Selection} from '../attention/selection.js' */
/** @import {Block, Shape} from '../attention/shape.js' */

/**
 * Everything that the layout shows, except for the properties.
 *
 * @typedef {object} ScopeState
 * @property {LiveParts | null} live  null in an element for saved pictures alone
 * @property {Session} session
 * @property {ViewKind} kind  what the shown view can show
 * @property {Overview} overview
 * @property {BaselineSession} baselineSession
 * @property {Shape} availableShape  the heads to choose from: in a comparison, those of either pass
 * @property {Selection} availableSelection  the selection among these heads
 * @property {Block} chosen  the heads that the picture shows
 * @property {ViewData | null} drawn  the data of the pass as the view draws it
 * @property {(layer: number, head: number) => boolean} isOff  whether a head was switched off
 * @property {Comparison | null} comparison  null if the picture stands alone
 * @property {string[]} notices  the problems to report above the picture
 * @property {unknown} picture  null if there is none
 * @property {boolean} hasDrawn  whether any picture has been drawn, be it one that is gone
 * @property {unknown} [mapChoice]  what a page has in place of the choice of what colours the map
 *
 * @typedef {object} ScopeActions
 * @property {(choice: Partial<State>) => void} choose
 * @property {(mode: CompareMode) => void} compareBy
 * @property {(pass: Pass) => void} keep  keeps a pass to compare with
 * @property {(isBaseline: boolean) => void} inspect  chooses which pass of a comparison is inspected
 * @property {() => void} retry
 * @property {() => void} help
 * @property {() => Promise<void>} publish  opens the export
 */

/** The layers of the embedded model. They give the map its place while no model is known. */
const usualLayers = 6;

/**
 * Everything inside the element: the picture and, if the element has controls, the controls on one side of it and
 * the inspector on the other.
 *
 * @param {ScopeProperties} scope
 * @param {ScopeState} state
 * @param {ScopeActions} actions
 */
export function scopeLayout(scope, state, actions) {
  const {text, height} = scope;
  const {live} = state;
  const {pass} = state.session;
  const whole = hasControls(scope);
  return html`<div
    class="scope ${height ? 'filled' : ''}"
    role="region"
    aria-label=${strings.scope.region(text)}
    tabindex="-1"
    style=${height ? `--view-height: ${height}px` : nothing}
  >
    ${whole ? controlPanel(scope, state, actions) : nothing}
    <div class="content">
      ${
        whole
          ? viewSwitch(scope, state, actions, live?.exportButton(scope, state, actions))
          : nothing
      }
      ${state.notices.map((notice) => html`<p class="notice" role="alert">${notice}</p>`)}
      ${whole ? live?.notices(scope, state, actions) : nothing}
      ${scope.editable && !whole ? live?.editor(scope, state, actions) : nothing}
      ${pictureOrMessage(scope, state, actions)}
    </div>
    ${
      whole
        ? inspectorPanel(
            pass && state.overview.inspector,
            live?.workbenchActions(scope, state, actions),
          )
        : nothing
    }
  </div>`;
}

/** @param {ScopeProperties} scope @param {ScopeState} state @param {ScopeActions} actions */
function controlPanel(scope, state, actions) {
  const {choose, inspect} = actions;
  const {statistic, onlyLayers, onlyHeads} = scope;
  const {session, kind, overview, availableShape, chosen, comparison, isOff, mapChoice} = state;
  const {model, pass} = session;
  if (!model && !pass) {
    const room = html`<div class="map-controls" style="--layers: ${usualLayers}"></div>`;
    return html`<div class="controls">${room}</div>`;
  }
  const {isSingle, hasGrid} = kind;
  const {layers} = availableShape;
  const map = {hasGrid, statistic, onlyLayers, onlyHeads, layers, comparison, choice: mapChoice};
  const heads = {
    selection: state.availableSelection,
    shape: availableShape,
    filters: filtersOf(pass),
    dark: scope.isDark,
    isSingle,
    isPick: isSingle || hasGrid,
    isMean: chosen.layers.length > 1,
    isOff,
  };
  return html`<div class="controls">
    ${mapControls(overview, map, {choose, inspect})}
    ${scopeControls(heads, (choice) => choose(choiceInControls(choice, kind)))}
    ${readingControls(scope, state, actions, isWideScreen())}
  </div>`;
}

/**
 * The controls of how a picture is read and what it is compared with.
 *
 * @param {ScopeProperties} scope
 * @param {ScopeState} state
 * @param {ScopeActions} actions
 * @param {boolean} isOpen  whether all of them are in sight
 */
export function readingControls(
  scope,
  {live, session, kind, baselineSession},
  {choose, compareBy, keep},
  isOpen,
) {
  const {large, compare} = scope;
  const {pass, model} = session;
  const isLive = pass ? pass.result !== null : model !== null;
  const kept = scope.contrast ? null : compare;
  const name = baselineSession.baseline?.pass.name ?? kept?.file;
  const comparing =
    pass &&
    compareControls(kept, name || kept?.text || '', {
      keep: () => keep(pass),
      choose: compareBy,
      end: () => choose({compare: null}),
    });
  const reading = {...displayOf(scope), large, kind, isOpen};
  const measure = isLive ? live?.measureChoice(reading, choose) : nothing;
  return displayControls(reading, choose, measure, comparing ?? nothing);
}
