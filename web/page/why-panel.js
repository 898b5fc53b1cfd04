import {html, nothing} from 'lit';
import {until} from 'lit/directives/until.js';
import {storyOfPass} from '../scope/neuron-story.js';
import {strings} from '../strings/index.js';
import {panelStrings as words} from '../strings/panels.js';

/** @import {Pass} from '../session/pass.js' */
/** @import {ScopeActions, ScopeState} from '../scope/layout.js' */
/** @import {ScopeProperties} from '../scope/scope-properties.js' */
/** @import {Selection} from '../attention/selection.js' */

/** The stories of each pass, by head and token. @type {WeakMap<Pass, Map<string, Promise<unknown>>>} */
const stories = new WeakMap();

/**
 * Tells why the picture looks as it does: what the head does on average, and how it came to the numbers of the pinned
 * token. A button asks whether what it looks at matters to the model's answer.
 *
 * @param {ScopeProperties} _scope
 * @param {ScopeState} state
 * @param {ScopeActions} actions
 */
export function whyPanel(_scope, state, actions) {
  const {chosen, session} = state;
  const isOne = chosen.layers.length * chosen.heads.length === 1;
  return html`${isOne ? headStory(state, actions) : html`<p>${words.oneHead}</p>`}
  ${
    session.pass?.result
      ? html`<button
          type="button"
          @click=${() => actions.choose({panel: 'whatif', workbench: 'why'})}
        >
          ${words.matters}
        </button>`
      : nothing
  }`;
}

/** @param {ScopeState} state @param {ScopeActions} actions */
function headStory(state, {choose}) {
  const {session, kind, overview, chosen, availableSelection, availableShape} = state;
  const habit = overview.habits?.[chosen.layers[0] * availableShape.heads + chosen.heads[0]];
  return html`<p>${habit?.told ?? reasonOfNoHabit(state)}</p>
    ${session.pass ? until(storyIn(session.pass, availableSelection), nothing) : nothing}
    ${
      kind.hasVectors
        ? nothing
        : html`<button type="button" class="primary" @click=${() => choose({view: 'neuron'})}>
            ${words.arithmetic}
          </button>`
    }`;
}

/** Says why a head has no name. That of a result of the engine is on its way. @param {ScopeState} state */
function reasonOfNoHabit({session, comparison, drawn}) {
  const pass = comparison?.inspected.pass ?? session.pass;
  if (!pass || !drawn || pass.result) return nothing;
  const {queryTokens, keyTokens} = drawn.snapshot;
  return queryTokens === keyTokens ? words.noHabit : words.noHabitAcross;
}

/** @param {Pass} pass @param {Selection} selection */
function storyIn(pass, selection) {
  const {layer, heads, token} = selection;
  const query = token?.side === 'query' ? token.index : null;
  if (query === null) return Promise.resolve(html`<p class="muted">${words.pin}</p>`);
  const known = stories.get(pass) ?? new Map();
  stories.set(pass, known);
  const key = `${layer}.${heads[0]}.${query}`;
  if (!known.has(key)) known.set(key, tell(pass, selection, query));
  return known.get(key);
}

/** @param {Pass} pass @param {Selection} selection @param {number} query */
async function tell(pass, selection, query) {
  // The session reports it if the engine fails.
  const story = await storyOfPass(pass, selection, query).catch(() => null);
  if (!story) return nothing;
  return html`<h3>${words.story}</h3>
    <ol class="reasons">
      ${strings.neuron.steps.map(
        (step) =>
          html`<li>
            ${step(story).map((part) =>
              typeof part === 'string' ? part : html`<bdi class="word">${part.token}</bdi>`,
            )}
          </li>`,
      )}
    </ol>`;
}
