import {html} from 'lit';
import {panelStrings} from '../strings/panels.js';
import {canGuess, lastWord, usualPlace} from '../workbench/guess.js';
import {shownPanel} from './explore-layout.js';
import {find} from './find-element.js';

/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {ScopeState} from '../scope/layout.js' */

const {ends: words} = panelStrings;

/**
 * The ways into the model and out of it, which make the map of heads a picture of the whole: above it one to the words,
 * below it one to what the model makes of them.
 *
 * @param {BertScope} scope
 * @param {ScopeState} state
 */
export function mapEnds(scope, state) {
  const name = nameOfGuess(state);
  return [
    end('in', words.words, words.toWords, false, () => goToWords(scope)),
    name && end('out', name, words.toGuess, isAtGuess(scope), () => void openGuess(scope)),
  ];
}

/** @param {BertScope} scope */
function goToWords({isSaved}) {
  // Those of a saved picture stand in no field.
  if (isSaved) find('skip', HTMLElement).click();
  else find('text', HTMLElement).focus();
}

/**
 * @param {'in' | 'out'} side
 * @param {string} name
 * @param {string} help
 * @param {boolean} isHere  whether the reader is there
 * @param {() => void} go
 */
const end = (side, name, help, isHere, go) =>
  html`<button
    type="button"
    class="bare end ${side}"
    title=${help}
    aria-current=${isHere}
    @click=${go}
  >
    ${name}
  </button>`;

/** @param {ScopeState} state @returns {string | null}  null: nothing is guessed */
function nameOfGuess({session}) {
  const {pass} = session;
  if (pass?.translation) return words.writes;
  const model = pass ? pass.model : session.model;
  if (!model || !canGuess(model)) return null;
  return model.predictionHeads.nextToken ? words.next : words.guess;
}

/**
 * Finds the word that must be pinned, so that the panel guesses it.
 *
 * @param {BertScope} scope
 * @returns {number}  -1: it guesses without a pin
 */
function placeOfGuess({model, result}) {
  if (!model || !result || usualPlace(model, result) >= 0) return -1;
  return lastWord(model, result);
}

/** Whether the panel that begins with the guess shows nothing else. @param {BertScope} scope */
const isAtGuess = (scope) => shownPanel(scope) === 'whatif' && !scope.workbench;

/** Opens the panel that begins with the guess, and goes there. @param {BertScope} scope */
async function openGuess(scope) {
  const {token} = scope.selection;
  const index = token ? -1 : placeOfGuess(scope);
  const pin = index < 0 ? {} : {token: {side: /** @type {const} */ ('query'), index}};
  scope.choose({panel: 'whatif', workbench: '', ...pin});
  await scope.updateComplete;
  const panel = scope.renderRoot.querySelector('.drawer');
  if (panel instanceof HTMLElement) panel.focus({preventScroll: true});
}
