import {meanOfMatrices, shownWeights} from '../attention/weights.js';
import {differenceDrawingOf, sideDrawingsOf} from '../scope/view-data.js';
import {exploreStrings} from '../strings/explore.js';
import {panelStrings} from '../strings/panels.js';
import {formatNumber, formatPercent} from '../views/parts/number-format.js';

/** @import {ComparedPass, Comparison} from '../scope/comparison.js' */
/** @import {Drawn, Subject} from '../scope/headline.js' */
/** @import {ScopeState} from '../scope/layout.js' */
/** @import {ScopeProperties} from '../scope/scope-properties.js' */
/** @import {Choice} from '../scope/view-data.js' */
/** @import {ToldLink} from '../attention/findings.js' */

const {looks} = exploreStrings.headline;
const words = panelStrings.headlines;

/**
 * Has the headline say what it is about where this is not one head of one text: a difference of two, one of two side by
 * side, or an average.
 *
 * @param {Subject | null} subject
 * @param {ScopeProperties} scope
 * @param {ScopeState} state
 * @returns {Subject | null}  null if the picture shows nothing that a headline could be about
 */
export function inItsWords(subject, {shownView: view}, {comparison}) {
  if (!subject) return null;
  const {layers, heads} = subject.chosen;
  const isMean = layers.length * heads.length > 1;
  /** @type {NonNullable<Subject['wording']>} */
  const own = {
    looks: (link) => (isMean ? [...looks(link), words.onAverage] : looks(link)),
    facts: () => [],
  };
  if (comparison?.subtraction) return ofDifference(subject, view, comparison);
  if (comparison) return besideAnother({...subject, wording: own}, view, comparison);
  return isMean ? {...subject, wording: own} : subject;
}

/** @param {Choice} choice @returns {Choice}  with the special tokens */
const ofAllTokens = (choice) => ({...choice, display: {...choice.display, special: 'show'}});

/**
 * @param {Subject} subject
 * @param {ScopeProperties['shownView']} view
 * @param {Comparison} comparison
 * @returns {Subject | null}
 */
function ofDifference(subject, view, {passes: [before, after], subtraction, pictureName}) {
  if (!subtraction || subtraction.problem || subtraction.lacksChosen) return null;
  const {choice} = subtraction;
  const draw = (/** @type {Choice} */ as) => differenceDrawingOf(before.pass, after.pass, view, as);
  const whole = draw(ofAllTokens(choice));
  return {
    ...subject,
    drawn: draw(choice),
    whole,
    wording: {
      isDifference: true,
      none: words.same,
      looks: ({from, to, kind}, weight) => [
        {token: from},
        ...words.change(weight > 0, kind === 'itself' ? null : {token: to}),
        words.points(`${weight > 0 ? '+' : ''}${formatNumber(weight * 100, 0)}`),
      ],
      facts: () => [pictureName],
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
function besideAnother(subject, view, {passes}) {
  const [before, after] = passes;
  if (after.isEmpty || after.lacksChosen) return null;
  const whole = (/** @type {ComparedPass} */ each) => ({...each, choice: ofAllTokens(each.choice)});
  const heads = [...subject.chosen.heads];
  const [there] = sideDrawingsOf([whole(before), whole(after)], view);
  const isThere =
    !before.lacksChosen &&
    shownWeights(there.snapshot, {...there.selection, heads}).matrices.length === heads.length;
  const facts = (/** @type {ToldLink} */ told) => {
    const share = isThere ? shareIn(there, subject.whole, heads, told) : null;
    return [
      share === null ? after.name : words.beside(after.name, before.name, formatPercent(share)),
    ];
  };
  return {...subject, wording: {...subject.wording, facts, isThere}};
}

/**
 * Reads the share of a link in another picture of the same tokens.
 *
 * @param {Drawn} there
 * @param {Drawn} here
 * @param {number[]} heads
 * @param {ToldLink} told
 * @returns {number | null}  null if the texts differ
 */
function shareIn({snapshot, selection}, here, heads, {query, key}) {
  const {queryTokens, keyTokens} = snapshot;
  const isSame =
    String(queryTokens) === String(here.snapshot.queryTokens) &&
    String(keyTokens) === String(here.snapshot.keyTokens);
  const shown = shownWeights(snapshot, {...selection, heads});
  return isSame ? meanOfMatrices(shown)[query * shown.stride + key] : null;
}
