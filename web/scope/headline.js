import {html, nothing} from 'lit';
import {namedToken} from '../attention/byte-level-tokens.js';
import {faintest, strongestSpecial, toldLink} from '../attention/findings.js';
import {shownWeights} from '../attention/weights.js';
import {exploreStrings} from '../strings/explore.js';
import {liveStrings} from '../strings/live.js';
import {formatPercent} from '../views/parts/number-format.js';
import {displayIn} from '../views/view-kinds.js';
import {displayOf} from './state-fields.js';
import {baseOf} from './view-data.js';

/** @import {Measure} from '../attention/display.js' */
/** @import {ToldLink} from '../attention/findings.js' */
/** @import {TokenRef} from '../attention/selection.js' */
/** @import {Block} from '../attention/shape.js' */
/** @import {Snapshot} from '../attention/snapshot.js' */
/** @import {LinkReason} from '../strings/en/explore.js' */
/** @import {Habit} from '../views/parts/inspector.js' */
/** @import {ScopeState} from './layout.js' */
/** @import {ScopeProperties} from './scope-properties.js' */

/**
 * Everything that the headline is made from.
 *
 * @typedef {object} Subject
 * @property {NonNullable<ScopeState['drawn']>} drawn
 * @property {Block} chosen  the heads that the picture shows
 * @property {Measure} measure
 * @property {TokenRef | null} hovered  the token under the pointer or the focus
 * @property {Snapshot | null} whole  the weights with the special tokens that the picture leaves out; null if it does not
 * @property {Habit | null} habit  what the only head of the picture does on average; null if not known
 */

const {headline: words} = exploreStrings;

/**
 * Everything that the headline of an element is made from.
 *
 * @param {ScopeProperties} scope
 * @param {ScopeState} state
 * @param {TokenRef | null} hovered
 * @returns {Subject | null}  null: there is no picture
 */
export function subjectOf(scope, state, hovered) {
  const {session, drawn, chosen, overview, availableShape} = state;
  const {special, measure: chosenMeasure} = displayIn(scope.shownView, displayOf(scope));
  const {pass} = session;
  // Only an engine's result has other measures; saved attention and translations show their weights.
  const measure = pass?.result ? chosenMeasure : 'weight';
  const whole = pass && special === 'hide' ? baseOf(pass, scope.filter, measure) : null;
  const isOne = chosen.layers.length * chosen.heads.length === 1;
  const habit =
    isOne && overview.habits?.[chosen.layers[0] * availableShape.heads + chosen.heads[0]];
  return pass && drawn && {drawn, chosen, measure, hovered, whole, habit: habit || null};
}

/** Finds the token of a column under the pointer or the focus. @param {EventTarget | null} target @returns {TokenRef | null} */
export function tokenAt(target) {
  const row = target instanceof Element ? target.closest('.tokens > .token') : null;
  if (!(row instanceof HTMLElement)) return null;
  const side = row.parentElement?.classList.contains('query') ? 'query' : 'key';
  return {side, index: Number(row.dataset.index)};
}

/**
 * The sentence that says in large type what the picture shows of the token in focus, and where: the headline and the
 * picture speak of the same token and the same number.
 */
export class Headline {
  /** @type {unknown} */
  #drawn = nothing;
  /** @type {Snapshot | null} */
  #snapshot = null;
  /** What the headline was made from, besides the snapshot. */
  #made = '';

  /** @param {Subject | null} subject  null: there is no picture */
  draw(subject) {
    if (!subject) {
      this.#snapshot = null;
      this.#drawn = nothing;
      return this.#drawn;
    }
    const {drawn, whole, ...others} = subject;
    const {snapshot, selection} = drawn;
    const {length} = shownWeights(snapshot, selection).matrices;
    const made = JSON.stringify([others, selection, length, whole !== null]);
    if (snapshot === this.#snapshot && made === this.#made) return this.#drawn;
    this.#snapshot = snapshot;
    this.#made = made;
    // While the weights are not there, the headline before stays.
    this.#drawn = sentenceOn(subject) ?? this.#drawn;
    return this.#drawn;
  }
}

/** @param {Subject} subject @returns {unknown}  null while the weights are not there */
function sentenceOn({drawn: {snapshot, selection}, chosen, measure, hovered, whole, habit}) {
  const {token: pinned} = selection;
  // While a token is pinned, the pointer on the other side reads the link between the two.
  const across = pinned && hovered && hovered.side !== pinned.side ? hovered : null;
  const focus = across ? pinned : (hovered ?? pinned);
  const told = toldLink(snapshot, {...selection, heads: [...chosen.heads]}, focus, across);
  if (!told) return null;
  const {query, key, kind, weight} = told;
  const unshown = whole && unshownShare(whole, snapshot, chosen, query);
  if (!across && Math.abs(weight) < faintest) {
    return html`<p class="told">${words.none}</p>
      ${shows(chosen, focus && unshown ? [unshown] : [])}`;
  }
  const link = {
    from: namedToken(snapshot.queryTokens[query]),
    to: namedToken(snapshot.keyTokens[key]),
    share: formatPercent(weight),
    kind,
    isBefore: key < query,
    isMark: kind === 'punctuation',
  };
  const reason = reasonOf(told, habit);
  const facts = [
    ...(measure === 'weight' ? [] : [liveStrings.analysis.measures[measure].name]),
    ...(reason ? [words.shows[reason](link)] : []),
    ...(unshown ? [unshown] : []),
  ];
  return html`<p class="told">
      ${words
        .looks(link)
        .map((part) =>
          typeof part === 'string' ? part : html`<bdi class="word">${part.token}</bdi>`,
        )}
    </p>
    ${shows(chosen, facts)}`;
}

/** @param {Block} chosen @param {readonly string[]} facts */
const shows = (chosen, facts) =>
  html`<p class="shows">
    <span class="where">${placeOf(chosen)}</span>${facts.map((fact) => ` · ${fact}`)}
  </p>`;

/** A share of special tokens that are left out is told from here on. */
const leastUnshown = 0.1;

/**
 * Says how much of the told token's attention goes to a special token that the picture leaves out.
 *
 * @param {Snapshot} whole
 * @param {Snapshot} drawn
 * @param {Block} chosen
 * @param {number} query  among the tokens that are drawn
 */
function unshownShare(whole, {runs}, chosen, query) {
  const found = runs && strongestSpecial(whole, chosen, runs.query[query]);
  if (!found || found.share < leastUnshown) return '';
  return words.unshown(found.token, formatPercent(found.share));
}

/**
 * Tells why a headline names a link. That a head rests on punctuation is said only of one that does so on average: to
 * others, a mark is what happens to stand there.
 *
 * @param {ToldLink} told
 * @param {Habit | null} habit
 * @returns {LinkReason | null}
 */
function reasonOf({kind, isNextTo}, habit) {
  if (kind !== 'punctuation' || habit === liveStrings.analysis.heads.punctuation) return kind;
  return isNextTo ? 'neighbour' : 'mark';
}

/** Names the heads of the picture. @param {Block} chosen */
function placeOf({layers, heads}) {
  if (layers.length === 1 && heads.length === 1) return words.place(layers[0], heads[0]);
  const mean = words.mean(layers.length, heads.length);
  return layers.length === 1 ? `${mean}, ${words.ofLayer(layers[0])}` : mean;
}
