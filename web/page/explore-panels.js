import {html, nothing} from 'lit';
import {ref} from 'lit/directives/ref.js';
import {readingControls} from '../scope/layout.js';
import {filterControl} from '../scope/selection-controls.js';
import {filtersOf} from '../scope/view-data.js';
import {checkbox} from '../controls/fields.js';
import {exploreStrings} from '../strings/explore.js';
import {strings} from '../strings/index.js';
import {panelStrings as words} from '../strings/panels.js';
import {whyPanel} from './why-panel.js';

/** @import {ScopeActions, ScopeState} from '../scope/layout.js' */
/** @import {ScopeProperties} from '../scope/scope-properties.js' */
/** @import {PanelName} from './explore-layout.js' */

/** @typedef {(scope: ScopeProperties, state: ScopeState, actions: ScopeActions) => unknown} Panel */

const {panels: frame} = exploreStrings;

/** What each panel beside the picture holds. @type {Record<PanelName, Panel>} */
const panels = {
  why: whyPanel,

  whatif: (scope, state, actions) =>
    html`<div class="actions">${state.live?.workbenchActions(scope, state, actions)}</div>
      <slot name="workbench"></slot>`,

  numbers: (_, {overview, session}) => html`${session.pass && overview.inspector}`,

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

/**
 * Draws a panel beside the picture.
 *
 * @param {PanelName} panel
 * @param {ScopeProperties} scope
 * @param {ScopeState} state
 * @param {ScopeActions} actions
 */
export function drawer(panel, scope, state, actions) {
  return html`<aside
    class="drawer"
    tabindex="-1"
    aria-labelledby="drawer-title"
    ${ref(state.drawn ? showPictureAbove : undefined)}
  >
    <div class="drawer-head">
      <h2 id="drawer-title">${frame.names[panel]}</h2>
      <button
        type="button"
        class="quiet"
        @click=${() => actions.choose({panel: '', workbench: ''})}
      >
        ${frame.close}
      </button>
    </div>
    ${panels[panel](scope, state, actions)}
  </aside>`;
}

/**
 * A sheet at the lower edge of a phone leaves little of the window: the picture goes there. Where an address opens the
 * sheet, it goes there when it has come: before, the page is too short to be scrolled.
 * @param {Element | undefined} sheet  a panel that was opened
 */
function showPictureAbove(sheet) {
  if (!sheet) return;
  // Neither has a place in the document yet.
  requestAnimationFrame(() => {
    if (getComputedStyle(sheet).bottom !== '0px') return;
    sheet.parentElement?.querySelector('.panels')?.scrollIntoView({block: 'start'});
  });
}
