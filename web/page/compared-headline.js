import {readableTokens} from '../attention/byte-level-tokens.js';
import {changedWords} from '../attention/changed-words.js';
import {describeChange} from '../attention/describe-change.js';
import {changesOf, withoutUnknownPlaces} from '../attention/reader-changes.js';
import {meanOfMatrices, shownWeights} from '../attention/weights.js';
import {modelOf} from '../scope/comparison.js';
import {differenceDrawingOf, sideDrawingsOf, tokenIn} from '../scope/view-data.js';
import {exploreStrings} from '../strings/explore.js';
import {panelStrings} from '../strings/panels.js';
import {formatNumber, formatPercent} from '../views/parts/number-format.js';

/** @import {ComparedPass, Comparison} from '../scope/comparison.js' */
/** @import {Drawn, Subject} from '../scope/headline.js' */
/** @import {Pass} from '../session/pass.js' */
/** @import {ScopeProperties} from '../scope/scope-properties.js' */
/** @import {Choice} from '../scope/view-data.js' */
/** @import {ToldLink} from '../attention/findings.js' */
/** @import {PhrasePart} from '../strings/en/explore.js' */

const words = panelStrings.headlines;

/** The most changes of the model that a headline names. */
const mostChanges = 2;

/**
 * Says what has changed from one pass to another: words of the text, or the model.
 *
 * @param {ComparedPass} before
 * @param {ComparedPass} after
 * @returns {{parts: readonly PhrasePart[], isOther: boolean}}  the beginning of a headline, empty if there is nothing to name;
 *   `isOther`: whether the two have different sentences
 */
function changeOf({pass: before}, {pass: after}) {
  const none = {parts: [], isOther: false};
  if (!before.model || !after.model || modelOf(before) !== modelOf(after)) return none;
  if (before.text !== after.text) {
    const changed = changedWords(before.text, after.text);
    return {
      parts: changed ? words.changed(changed.from, changed.to) : [words.other],
      isOther: !changed,
    };
  }
  const told = (/** @type {Pass} */ {model, origin, parts, snapshot}) =>
    model
      ? changesOf(withoutUnknownPlaces(origin.interventions, model)).map((change) =>
          describeChange(change, (side, part = 'encoder') =>
            readableTokens(parts?.[part] ?? snapshot, side),
          ),
        )
      : [];
  const known = told(before);
  const made = told(after).filter((change) => !known.includes(change));
  if (!made.length) return none;
  const named = [...made.slice(0, mostChanges), ...(made.length > mostChanges ? ['…'] : [])];
  return {parts: [words.settings(named)], isOther: false};
}

/** @param {readonly PhrasePart[]} parts  the beginning of a sentence @param {string} rest */
const withRest = (parts, rest) =>
  parts.length
    ? parts.map((part) => (typeof part === 'string' ? part : part.token)).join('') +
      rest[0].toLowerCase() +
      rest.slice(1)
    : rest;

/** @param {Choice} choice @returns {Choice}  with the special tokens */
const ofAllTokens = (choice) => ({...choice, display: {...choice.display, special: 'show'}});

/**
 * @param {Subject} subject
 * @param {ScopeProperties['shownView']} view
 * @param {Comparison} comparison
 * @returns {Subject | null}
 */
export function ofDifference(subject, view, {passes: [before, after], subtraction, pictureName}) {
  if (!subtraction || subtraction.problem || subtraction.lacksChosen) return null;
  const {choice} = subtraction;
  const {parts, isOther} = changeOf(before, after);
  const draw = (/** @type {Choice} */ as) => differenceDrawingOf(before.pass, after.pass, view, as);
  const whole = draw(ofAllTokens(choice));
  return {
    ...subject,
    drawn: draw(choice),
    whole,
    wording: {
      isDifference: true,
      none: withRest(parts, words.same),
      looks: ({from, to, kind}, weight) => [
        ...parts,
        {token: from},
        ...words.change(weight > 0, kind === 'itself' ? null : {token: to}),
        words.points(`${weight > 0 ? '+' : ''}${formatNumber(weight * 100, 0)}`),
      ],
      facts: () => (parts.length && !isOther ? [] : [pictureName]),
    },
  };
}

/**
 * Says of which pass the headline is, and how much the other one has there.
 *
 * @param {Subject & {wording: NonNullable<Subject['wording']>}} subject
 * @param {ScopeProperties['shownView']} view
 * @param {Comparison} comparison
 * @returns {Subject | null}
 */
export function besideAnother(subject, view, {passes}) {
  const [before, after] = passes;
  if (after.isEmpty || after.lacksChosen) return null;
  const whole = (/** @type {ComparedPass} */ each) => ({...each, choice: ofAllTokens(each.choice)});
  const heads = [...subject.chosen.heads];
  const [there] = sideDrawingsOf([whole(before), whole(after)], view);
  const isThere =
    !before.lacksChosen &&
    shownWeights(there.snapshot, {...there.selection, heads}).matrices.length === heads.length;
  const {parts, isOther} = changeOf(before, after);
  const {wording} = subject;
  const shareBefore = (/** @type {ToldLink} */ told) => {
    const isKnown = isThere && !isOther && (parts.length || isOfSameTokens(there, subject.whole));
    const share = isKnown ? shareIn(there, subject.whole, heads, told) : null;
    return share === null ? null : formatPercent(share);
  };
  const facts = (/** @type {ToldLink} */ told) => {
    if (parts.length && !isOther) return [];
    const share = shareBefore(told);
    return [share === null ? after.name : words.beside(after.name, before.name, share)];
  };
  return {
    ...subject,
    hovered: hereOf(subject, passes, view),
    wording: {
      ...wording,
      looks: (link, weight, told) => {
        const share = parts.length ? shareBefore(told) : null;
        const shares = share === null ? link.share : `${share} → ${link.share}`;
        return [...parts, ...wording.looks({...link, share: shares}, weight, told)];
      },
      none: parts.length ? withRest(parts, exploreStrings.headline.none) : undefined,
      facts,
      isThere,
    },
  };
}

/**
 * Finds the token of the own picture in the place of one that is pointed at in the picture before.
 *
 * @param {Subject} subject
 * @param {Comparison['passes']} passes
 * @param {ScopeProperties['shownView']} view
 * @returns {Subject['hovered']}
 */
function hereOf({hovered, drawn}, passes, view) {
  if (!hovered?.isBefore) return hovered;
  const [before] = sideDrawingsOf(passes, view);
  return tokenIn(drawn.snapshot, before.snapshot, hovered);
}

/** @param {Drawn} there @param {Drawn} here */
const isOfSameTokens = (there, here) =>
  /** @type {const} */ (['queryTokens', 'keyTokens']).every(
    (side) => String(there.snapshot[side]) === String(here.snapshot[side]),
  );

/**
 * Reads the share of a link in another picture, between the tokens in the same places.
 *
 * @param {Drawn} there
 * @param {Drawn} here
 * @param {number[]} heads
 * @param {ToldLink} told
 * @returns {number | null}  null if the other text lacks one of the tokens
 */
function shareIn({snapshot, selection}, here, heads, {query, key}) {
  const row = tokenIn(snapshot, here.snapshot, {side: 'query', index: query});
  const column = tokenIn(snapshot, here.snapshot, {side: 'key', index: key});
  if (!row || !column) return null;
  const shown = shownWeights(snapshot, {...selection, heads});
  return meanOfMatrices(shown)[row.index * shown.stride + column.index];
}
