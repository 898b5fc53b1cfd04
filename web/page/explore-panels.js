import {html, nothing} from 'lit';
import {compareControls} from '../scope/compare-controls.js';
import {displayControls} from '../scope/display-controls.js';
import {liveParts} from '../scope/live-parts.js';
import {filterControl} from '../scope/selection-controls.js';
import {displayOf} from '../scope/state-fields.js';
import {filtersOf} from '../scope/view-data.js';
import {checkbox, select} from '../controls/fields.js';
import {strings} from '../strings/index.js';
import {exploreStrings} from '../strings/explore.js';
import {whyPanel} from './why-panel.js';

/** @import {ScopeActions, ScopeState} from '../scope/layout.js' */
/** @import {ScopeProperties} from '../scope/scope-properties.js' */
/** @import {PanelName} from './explore-layout.js' */

const {panels: words} = exploreStrings;

/** @typedef {(scope: ScopeProperties, state: ScopeState, actions: ScopeActions) => unknown} Panel */

/** What each panel beside the picture holds. @type {Record<PanelName, Panel>} */
export const panels = {
  why: whyPanel,

  whatif: (scope, state, actions) =>
    html`<div class="actions">${liveParts?.workbenchActions(scope, state, actions)}</div>
      <slot name="workbench"></slot>`,

  numbers(scope, {overview, session}, {choose}) {
    const names = Object.fromEntries(
      overview.known.map((name) => [name, strings.statistics[name].name]),
    );
    const colour = select(words.colour, names, scope.statistic, (statistic) => choose({statistic}));
    return html`${session.pass && overview.inspector} ${colour}`;
  },

  settings(scope, {session, availableSelection, baselineSession}, {choose, compareBy, keep, help}) {
    const {shownView: view, large, compare} = scope;
    const {pass, model} = session;
    const isLive = pass ? pass.result !== null : model !== null;
    const reading = {...displayOf(scope), large, view, isOpen: true, isLive};
    const kept = scope.contrast ? null : compare;
    const name = baselineSession.baseline?.pass.name ?? kept?.file;
    const comparing =
      pass &&
      compareControls(kept, name || kept?.text || '', {
        keep: () => keep(pass),
        choose: compareBy,
        end: () => choose({compare: null}),
      });
    return html`${filterControl(availableSelection.filter, filtersOf(pass), choose)}
      ${displayControls(reading, choose, comparing ?? nothing)}
      <button type="button" @click=${help}>${strings.shortcuts.title}</button>
      ${checkbox(words.researcher, false, () => choose({panel: 'all'}))}`;
  },
};
