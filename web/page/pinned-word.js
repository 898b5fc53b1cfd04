import {html, nothing} from 'lit';
import {linksOfPin, needsSpecialTokens} from '../attention/pinned-word.js';
import {namingOfModel} from '../attention/byte-level-tokens.js';
import {originalToken} from '../attention/display.js';
import {toldLink} from '../attention/findings.js';
import {tokensOf} from '../attention/selection.js';
import {adoptStyles} from '../controls/adopt-styles.js';
import {clearShare} from '../engine/link-kinds.js';
import {subjectOf} from '../scope/headline.js';
import {choiceOf, drawingOf} from '../scope/view-data.js';
import {exploreStrings} from '../strings/explore.js';
import {formatPercent} from '../views/parts/number-format.js';
import {offerWord, showOffer} from './map-colour.js';
import style from './explore-panels.css?inline';

/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {ScopeState} from '../scope/layout.js' */
/** @import {Pass} from '../session/pass.js' */
/** @import {FindingGuide, TokenLinks} from './finding-guide.js' */
/** @import {Statistic} from '../attention/head-statistics.js' */
/** @import {TokenRef} from '../attention/selection.js' */

/**
 * An answer is about the pinned word, or about the one that the headline names while none is pinned.
 *
 * @typedef {object} Answer
 * @property {TokenLinks} links
 * @property {TokenRef} token  as the model counts them
 * @property {(token: TokenRef) => string} nameOf  names a token in a sentence
 */

const {headline: words, map} = exploreStrings;

/** How a picture is read while special tokens must be shown, and while nothing is changed. */
const withSpecialTokens = {special: /** @type {const} */ ('show')};
const unchanged = undefined;

/** The shadow roots that are prepared for answers. @type {WeakSet<ShadowRoot>} */
const prepared = new WeakSet();

/**
 * Answers where the pinned word looks. The map is coloured by its strongest link in each head, and by that of the word of
 * the headline while none is pinned. If the chosen heads look at no word clearly from the pinned one, the picture shows the special tokens if most goes there, and buttons beside the headline name
 * the heads in which the word looks at another one.
 *
 * @param {BertScope} scope
 * @param {ScopeState} state
 * @param {FindingGuide} guide
 */
export function answerPinned(scope, state, guide) {
  showOffer(scope);
  const {session, kind} = state;
  const {pass} = session;
  const isReader = scope.panel !== 'all' || scope.present;
  const links = pass && isReader && !scope.compare ? linksIn(scope, pass) : null;
  rootOf(scope);
  // While the weights are not there, the picture before stays, and so does the way to read it.
  if (links === undefined) return nothing;
  // The grid of all heads has room for words alone, and what one head looks at does not change the others.
  const isHidden = scope.special === 'hide' && !kind.hasGrid;
  const isNeeded = isHidden && links && needsSpecialTokens(links);
  const reading = isNeeded ? withSpecialTokens : unchanged;
  if (scope.reading !== reading) {
    scope.reading = reading;
    void followRows(scope);
  }
  // The heads were searched for weights of single tokens, in another pass perhaps: those of a changed model differ.
  const {words: areMerged, filter, measure, result} = scope;
  const isAnswered =
    isReader && !scope.compare && filter === 'all' && measure === 'weight' && !areMerged;
  const isSearched = isAnswered && result !== null && guide.searched === result;
  const token = isSearched ? (scope.token ?? toldToken(scope, state)) : null;
  // The picture of a file stays for a while when the text comes back.
  const isThere = token && pass && token.index < pass.snapshot.queryTokens.length;
  const name = namingOfModel(scope.model);
  const nameOf = (/** @type {TokenRef} */ {side, index}) =>
    pass ? name(tokensOf(pass.snapshot, side)[index]) : '';
  const found = isThere ? guide.linksOf(token) : null;
  const answer = isThere && found ? {links: found, token, nameOf} : null;
  // What the map shows stays until the word is searched for, in another text perhaps.
  const isPending =
    found === undefined || (isAnswered && result && guide.searched?.text !== result.text);
  if (!isPending) offerWord(scope, answer ? linksByHead(answer) : undefined);
  return answer && links && links.text < clearShare ? otherHeads(scope, answer) : nothing;
}

/** The word that the headline is about while none is pinned. @param {BertScope} scope @param {ScopeState} state @returns {TokenRef | null} */
function toldToken(scope, state) {
  const subject = subjectOf(scope, state, null);
  if (!subject) return null;
  const {whole, chosen} = subject;
  const told = toldLink(whole.snapshot, {...whole.selection, heads: [...chosen.heads]});
  return told && originalToken(whole.snapshot, {side: 'query', index: told.query});
}

/**
 * Finds the strongest link of a word with another one in each head, to colour the map.
 *
 * @param {Answer} answer
 * @returns {Statistic}
 */
function linksByHead({links: {weights, others}, token, nameOf}) {
  const arrow = token.side === 'query' ? '→' : '←';
  return {
    name: map.ofWord(nameOf(token)),
    help: '',
    values: weights,
    range: {least: 0, most: 1},
    format: formatPercent,
    tell: (at) =>
      weights[at]
        ? `${arrow} ${nameOf(partnerOf(token, others[at]))} ${formatPercent(weights[at])}`
        : formatPercent(0),
  };
}

/** The word at the other end of a link. @param {TokenRef} token @param {number} index @returns {TokenRef} */
const partnerOf = ({side}, index) => ({side: side === 'query' ? 'key' : 'query', index});

/**
 * Rows move when special tokens come and go: the focus stays with the pinned word, and a pointer that has not moved
 * points at no other word.
 *
 * @param {BertScope} scope
 */
async function followRows(scope) {
  await scope.updateComplete;
  // An update that is under way takes no request for another one.
  scope.requestUpdate();
  const root = rootOf(scope);
  for (const part of root.querySelectorAll('.content, .tokens'))
    part.dispatchEvent(new PointerEvent('pointerleave'));
  if (!root.activeElement?.matches('.token')) return;
  /** @type {HTMLElement | null} */ (root.querySelector('.token[aria-pressed="true"]'))?.focus();
}

/** Prepares the shadow root for answers, once. @param {BertScope} scope */
function rootOf(scope) {
  const root = /** @type {ShadowRoot} */ (scope.renderRoot);
  if (prepared.has(root)) return root;
  prepared.add(root);
  adoptStyles(root, style);
  let place = '';
  // A click has whole pixels, also where the pixels of the screen are smaller and a pointer has fractions of them.
  const placeOf = (/** @type {Event} */ event) => {
    const {clientX, clientY} = /** @type {MouseEvent} */ (event);
    return `${Math.floor(clientX)} ${Math.floor(clientY)}`;
  };
  const note = (/** @type {Event} */ event) => (place = placeOf(event));
  const forget = () => (place = '');
  for (const type of ['click', 'pointermove']) root.addEventListener(type, note, true);
  for (const scroller of [root, window]) scroller.addEventListener('scroll', forget, true);
  // A headline of more lines moves the rows. If that changed what is pointed at, the headline would change again.
  const ignoreResting = (/** @type {Event} */ event) => {
    const {target} = event;
    const isToken = target instanceof Element && target.closest('.tokens');
    if (isToken && placeOf(event) === place) event.stopPropagation();
  };
  root.addEventListener('pointerover', ignoreResting, true);
  return root;
}

/** @param {BertScope} scope @param {Pass} pass  @returns what `linksOfPin` does; undefined while the weights are not there */
function linksIn(scope, pass) {
  const choice = choiceOf(scope);
  const display = {...choice.display, ...withSpecialTokens};
  const {snapshot, selection} = drawingOf(pass, scope.shownView, {...choice, display});
  return selection.token ? (linksOfPin(snapshot, selection) ?? undefined) : null;
}

/** @param {BertScope} scope @param {Answer} answer */
function otherHeads(scope, {links: {clearest}, token, nameOf}) {
  if (!clearest.length) return nothing;
  return html`<p class="other-heads">
    ${words.otherHeads}
    ${clearest.map(
      ({layer, head, weight, other}) =>
        html`<button
          type="button"
          @click=${() => scope.choose({layer, heads: [head], meanLayers: []})}
        >
          <bdi>${nameOf(partnerOf(token, other))}</bdi>
          ${formatPercent(weight)} (${layer}.${head})
        </button>`,
    )}
  </p>`;
}
