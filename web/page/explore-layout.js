import {html, nothing} from 'lit';
import {tokenAt} from '../scope/headline.js';
import {pictureOrMessage} from '../scope/picture-or-message.js';
import {inspectedChoice} from '../scope/head-overview-panels.js';
import {viewSwitch} from '../scope/selection-controls.js';
import {filtersOf} from '../scope/view-data.js';
import {segment} from '../controls/fields.js';
import {strings} from '../strings/index.js';
import {exploreStrings} from '../strings/explore.js';
import {pageStrings} from '../strings/page.js';

/** @import {ScopeActions, ScopeState} from '../scope/layout.js' */
/** @import {ScopeProperties} from '../scope/scope-properties.js' */
/** @import {TokenRef} from '../attention/selection.js' */
/** @import {ExploreActions} from './explore.js' */

const {panels: words, map, special, pieces, headline: told} = exploreStrings;

/** @typedef {keyof typeof words.names} PanelName */

/** The panels that can stand beside the picture. */
const panelNames = /** @type {PanelName[]} */ (Object.keys(words.names));

/**
 * Everything inside the page's element: the headline over the map of heads, the picture, and the panel that the reader
 * has opened.
 *
 * @param {ScopeProperties} scope
 * @param {ScopeState} state
 * @param {ScopeActions} actions
 * @param {ExploreActions} explore
 */
export function exploreLayout(scope, state, actions, explore) {
  const {text, shownView: view, present} = scope;
  const panel = present ? undefined : shownPanel(scope);
  const {pass, failure} = state.session;
  const isAwaited = text.trim() && !pass && !failure && !state.hasDrawn;
  const drawer = panel ? explore.panel(panel, scope, state, actions) : nothing;
  const hasGuess = !present && explore.guess !== null;
  // A browser that would look for these parts after every change, by `:has()`, would compute all styles anew.
  const parts = [
    present && 'presented',
    hasGuess && 'guessing',
    drawer !== nothing && 'beside',
    state.comparison && 'compared',
  ];
  return html`<div
    class="scope explore filled ${parts.filter(Boolean).join(' ')}"
    role="region"
    aria-label=${strings.scope.region(text)}
    tabindex="-1"
    data-view=${view}
    data-panel=${panel ?? ''}
  >
    <div class="headline">
      <div>${written(state)}${explore.headline}</div>
      ${present ? nothing : nextButton(explore)}
      ${hasGuess ? html`<div class="guess">${explore.guess}</div>` : nothing}
    </div>
    ${
      present
        ? nothing
        : html`<div class="heads ${isAwaited ? 'below' : ''}">
              ${mapOf(state, actions, explore)}
            </div>
            ${toolbar(scope, state, actions, explore)}`
    }
    <div
      class="content"
      @pointerover=${(/** @type {PointerEvent} */ {target, pointerType}) => {
        // A headline that changed under a finger would move the word away before the finger is lifted.
        if (pointerType !== 'touch') explore.hover(tokenAt(target));
      }}
      @pointerleave=${() => explore.hover(null)}
      @focusin=${(/** @type {Event} */ {target}) => {
        if (/** @type {Element} */ (target).matches(':focus-visible'))
          explore.hover(tokenAt(target));
      }}
      @focusout=${() => explore.hover(null)}
    >
      ${state.notices.map((notice) => html`<p class="notice" role="alert">${notice}</p>`)}
      ${state.live?.notices(scope, state, actions)} ${pictureOrMessage(scope, state, actions)}
      ${present ? nothing : readingHelp(view, state)}
    </div>
    ${present ? explore.bar : nothing} ${drawer}
  </div>`;
}

/** It takes its room before something is found, so that the picture does not move when it comes. @param {ExploreActions} explore */
const nextButton = ({hasNext, next}) =>
  html`<button type="button" class=${hasNext ? 'next' : 'next absent'} @click=${next}>
    ${told.next}
  </button>`;

/** Says what an encoder-decoder makes of the text. @param {ScopeState} state */
function written({session}) {
  const {translation} = session.pass ?? {};
  return translation
    ? html`<p class="writes">
        ${told.writes} <b><bdi>${translation.text}</bdi></b>
      </p>`
    : nothing;
}

/**
 * The panel that is open. An address that opens the workbench opens the panel that holds it.
 *
 * @param {ScopeProperties} scope
 * @returns {PanelName | undefined}
 */
export function shownPanel({panel, workbench}) {
  const wanted = panel || (workbench && 'whatif');
  return panelNames.find((name) => name === wanted);
}

/** @param {ScopeState} state @param {ScopeActions} actions @param {ExploreActions} explore */
function mapOf(
  {overview, comparison, chosen, availableShape, session},
  {inspect, choose},
  {colour, ends: [into, out], names},
) {
  return html`<h2>${map.title}</h2>
    ${comparison ? inspectedChoice(comparison, inspect) : nothing}
    <div class=${out === null ? 'whole guessless' : 'whole'}>${into}${overview.map}${out}</div>
    ${colour}
    ${overview.habits && session.pass ? names?.(overview.habits, availableShape, chosen, choose) : nothing}`;
}

/** @param {ScopeProperties['view']} view @param {ScopeState} state */
function readingHelp(view, {kind, drawn, comparison, chosen}) {
  const {subtraction} = comparison ?? {};
  const isDifference = subtraction && !subtraction.problem;
  return html`<p class="reading-help">
    ${strings.text.sentences([
      pageStrings.page.explanation,
      pageStrings.readings[isDifference ? 'difference' : view],
      ...(!kind.hasGrid && chosen.layers.length * chosen.heads.length > 1
        ? [pageStrings.readings.average]
        : []),
      ...(hasPieces(drawn) ? [pieces] : []),
    ])}
  </p>`;
}

/**
 * @param {ScopeProperties} scope
 * @param {ScopeState} state
 * @param {ScopeActions} actions
 * @param {ExploreActions} explore
 */
function toolbar(scope, state, actions, explore) {
  return html`<div class="toolbar ${state.session.pass?.parts ? 'of-parts' : ''}">
    ${viewSwitch(scope, state, actions, nothing)} ${partSwitch(state, actions)}
    ${state.kind.isPlain ? nothing : specialSwitch(scope, state, actions)}
    ${state.live?.exportButton(scope, state, actions)}
    <button type="button" class="bare keys present" @click=${explore.present}>
      ${pageStrings.present.start}
    </button>
    <div
      class="joined panels"
      role="radiogroup"
      aria-label=${words.label}
      @pointerenter=${explore.approach}
      @focusin=${explore.approach}
    >
      ${panelNames.map((name) =>
        segment('panel', words.names[name], name === shownPanel(scope), () =>
          actions.choose({panel: name}),
        ),
      )}
    </div>
  </div>`;
}

/** Chooses the part of an encoder-decoder. @param {ScopeState} state @param {ScopeActions} actions */
function partSwitch({session: {pass}, availableSelection: {filter}}, {choose}) {
  if (!pass?.parts) return nothing;
  const {filter: label, filters: names, filterHelp: help} = strings.controls;
  return html`<div class="joined parts" role="radiogroup" aria-label=${label}>
    ${filtersOf(pass).map((part) =>
      segment('part', names[part], part === filter, () => choose({filter: part}), help[part]),
    )}
  </div>`;
}

/** The tokens around a text are called so while their names are not known. */
const usualNames = ['[CLS]', '[SEP]'];

/**
 * One click shows or hides the tokens that the tokenizer puts around the text. Some tokenizers put none there.
 *
 * @param {ScopeProperties} scope
 * @param {ScopeState} state
 * @param {ScopeActions} actions
 */
function specialSwitch({special: now, noSpecialTokens}, {session}, {choose}) {
  if (session.pass?.parts) return nothing; // their choice needs the room
  const {specialTokens, tokens = []} = session.pass?.result ?? {};
  if (specialTokens && !noSpecialTokens && !specialTokens.includes(true)) return nothing;
  const own = new Set(tokens.filter((_, at) => specialTokens?.[at]));
  const names = [...(own.size > 0 ? own : usualNames)].join(strings.text.numbers.comma);
  const isShown = now === 'show' && !noSpecialTokens;
  return html`<button
    type="button"
    class="bare special-switch"
    @click=${() => choose({special: isShown ? 'hide' : 'show', noSpecialTokens: false})}
  >
    ${isShown ? special.hide(names) : special.show(names)}
  </button>`;
}

/** Whether a word of the text is cut into pieces. @param {ScopeState['drawn']} drawn */
const hasPieces = (drawn) =>
  drawn?.snapshot.queryTokens.some((token) => /^##./.test(token)) ?? false;
