import {html, nothing} from 'lit';
import {faintest} from '../engine/link-kinds.js';
import {namedToken} from '../attention/byte-level-tokens.js';
import {drawnToken, originalToken} from '../attention/display.js';
import {toldLink} from '../attention/findings.js';
import {shownWeights} from '../attention/weights.js';
import {exploreStrings} from '../strings/explore.js';
import {liveStrings} from '../strings/live.js';
import {formatPercent} from '../views/parts/number-format.js';
import {displayIn} from '../views/view-kinds.js';
import {ownHabit} from './head-overview-data.js';
import {choiceOf, drawingOf} from './view-data.js';

/** @import {Measure} from '../attention/display.js' */
/** @import {ToldLink} from '../attention/findings.js' */
/** @import {TokenRef} from '../attention/selection.js' */
/** @import {Block} from '../attention/shape.js' */
/** @import {Snapshot} from '../attention/snapshot.js' */
/** @import {LinkReason, NamedLink, PhrasePart} from '../strings/en/explore.js' */
/** @import {Habit} from '../views/parts/inspector.js' */
/** @import {ScopeState} from './layout.js' */
/** @import {ScopeProperties} from './scope-properties.js' */

/**
 * Everything that the headline is made from.
 *
 * @typedef {object} Subject
 * @property {Drawn} drawn  what the picture shows
 * @property {Drawn} whole  the same with the special tokens that the picture leaves out
 * @property {Block} chosen  the heads that the picture shows
 * @property {Measure} measure
 * @property {Pointed | null} hovered  the token under the pointer or the focus
 * @property {Habit | null} habit  what the only head of the picture does on average; null if not known
 * @property {Wording} [wording]  says it in another way, as of a difference
 */

/**
 * @typedef {NonNullable<ScopeState['drawn']>} Drawn
 * @typedef {TokenRef & {isBefore?: boolean}} Pointed  `isBefore`: whether it is one of the picture before another one
 * @typedef {object} Wording
 * @property {(link: NamedLink, weight: number, told: ToldLink) => readonly PhrasePart[]} looks
 * @property {(told: ToldLink) => string[]} facts  what is said besides
 * @property {string} [none]  what is said where no link stands out
 * @property {boolean} [isThere]  whether the weights of the picture beside this one are there
 * @property {boolean} [isDifference]  whether what is told is a change, of which no reason is known
 */

const {headline: words} = exploreStrings;

/**
 * Everything that the headline of an element is made from.
 *
 * @param {ScopeProperties} scope
 * @param {ScopeState} state
 * @param {Pointed | null} hovered
 * @returns {Subject | null}  null: there is no picture
 */
export function subjectOf(scope, state, hovered) {
  const {session, drawn, chosen, overview, availableShape} = state;
  const choice = choiceOf(scope);
  const {special, measure: chosenMeasure} = displayIn(scope.shownView, choice.display);
  const {pass} = session;
  // Only an engine's result has other measures; saved attention and translations show their weights.
  const measure = pass?.result ? chosenMeasure : 'weight';
  const habit = overview.habits && ownHabit(overview.habits, availableShape, chosen);
  if (!pass || !drawn) return null;
  const display = {...choice.display, special: /** @type {const} */ ('show')};
  const whole = special === 'hide' ? drawingOf(pass, scope.shownView, {...choice, display}) : drawn;
  return {drawn, whole, chosen, measure, hovered, habit};
}

/** Finds the token of a column under the pointer or the focus. @param {EventTarget | null} target @returns {Pointed | null} */
export function tokenAt(target) {
  const row = target instanceof Element ? target.closest('.tokens > .token') : null;
  if (!(row instanceof HTMLElement)) return null;
  const side = row.parentElement?.classList.contains('query') ? 'query' : 'key';
  return {side, index: Number(row.dataset.index), isBefore: row.matches('figure:first-child *')};
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
    const {snapshot, selection} = whole;
    const {length} = shownWeights(snapshot, selection).matrices;
    const made = JSON.stringify([others, selection, length, whole === drawn]);
    if (snapshot === this.#snapshot && made === this.#made) return this.#drawn;
    this.#snapshot = snapshot;
    this.#made = made;
    // While the weights are not there, the headline before stays.
    this.#drawn = sentenceOn(subject) ?? this.#drawn;
    return this.#drawn;
  }
}

/** @param {Subject} subject @returns {unknown}  null while the weights are not there */
function sentenceOn({drawn, whole, chosen, measure, hovered: pointed, habit, wording}) {
  const {snapshot, selection} = whole;
  const {token: pinned} = selection;
  const hovered = drawnToken(snapshot, originalToken(drawn.snapshot, pointed));
  // While a token is pinned, the pointer on the other side reads the link between the two.
  const across = pinned && hovered && hovered.side !== pinned.side ? hovered : null;
  const focus = across ? pinned : (hovered ?? pinned);
  const told = toldLink(snapshot, {...selection, heads: [...chosen.heads]}, focus, across);
  if (!told) return null;
  const {query, key, kind, weight} = told;
  if (!across && Math.abs(weight) < faintest)
    return html`<p class="told">${wording?.none ?? words.none}</p>
      ${shows(chosen, [])}`;
  const link = {
    from: namedToken(snapshot.queryTokens[query]),
    to: namedToken(snapshot.keyTokens[key]),
    share: formatPercent(weight),
    kind,
    isBefore: key < query,
    isMark: kind === 'punctuation',
  };
  const isMean = chosen.layers.length * chosen.heads.length > 1;
  const reason = wording?.isDifference ? null : reasonOf(told, habit, isMean);
  const token = originalToken(snapshot, {side: 'key', index: key});
  const facts = [
    ...(measure === 'weight' ? [] : [liveStrings.analysis.measures[measure].name]),
    ...(wording?.facts(told) ?? []),
    // What brings two words together is said of a head that does nothing else.
    ...(reason === 'phrase' && habit?.isPattern
      ? [habit.told]
      : reason
        ? [words.shows[reason](link)]
        : []),
    ...(drawnToken(drawn.snapshot, token) ? [] : [words.unshown(link.to)]),
  ];
  return html`<p class="told">
      ${(wording?.looks(link, weight, told) ?? words.looks(link)).map((part) =>
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

/**
 * Tells why a headline names a link. That a head rests on punctuation is said only of one that does so on average: to
 * others, a mark is what happens to stand there. What a head brings together is not said of a mean of several.
 *
 * @param {ToldLink} told
 * @param {Habit | null} habit
 * @param {boolean} isMean
 * @returns {LinkReason | null}
 */
function reasonOf({kind, isNextTo}, habit, isMean) {
  if (kind === 'phrase' && isMean) return null;
  if (kind !== 'punctuation' || habit?.name === liveStrings.analysis.heads.punctuation.name)
    return kind;
  return isNextTo ? 'neighbour' : 'mark';
}

/** Names the heads of the picture. @param {Block} chosen */
function placeOf({layers, heads}) {
  if (layers.length === 1 && heads.length === 1) return words.place(layers[0], heads[0]);
  const mean = words.mean(layers.length, heads.length);
  return layers.length === 1 ? `${mean}, ${words.ofLayer(layers[0])}` : mean;
}
