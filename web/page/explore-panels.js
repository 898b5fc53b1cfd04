import {html, nothing} from 'lit';
import {readingControls} from '../scope/layout.js';
import {liveParts} from '../scope/live-parts.js';
import {filterControl} from '../scope/selection-controls.js';
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

  settings(scope, state, actions) {
    const {session, availableSelection} = state;
    const {choose, help} = actions;
    const isOfParts = Boolean(session.pass?.parts); // the toolbar has the choice of them
    return html`${isOfParts ? nothing : filterControl(availableSelection.filter, filtersOf(session.pass), choose)}
      ${readingControls(scope, state, actions, true)}
      <button type="button" @click=${help}>${strings.shortcuts.title}</button>
      ${checkbox(words.researcher, false, () => choose({panel: 'all'}))}`;
  },
};
