import {PartLoader} from '../scope/part-loader.js';
import {exploreStrings} from '../strings/explore.js';
import {panelStrings} from '../strings/panels.js';

/** @import {Subject} from '../scope/headline.js' */
/** @import {ScopeState} from '../scope/layout.js' */
/** @import {ScopeProperties} from '../scope/scope-properties.js' */

const {looks} = exploreStrings.headline;
const words = panelStrings.headlines;

const compared = new PartLoader(() => import('./compared-headline.js'));

/**
 * Has the headline say what it is about where this is not one head of one text: a difference of two, one of two side by
 * side, or an average.
 *
 * @param {Subject | null} subject
 * @param {ScopeProperties} scope
 * @param {ScopeState} state
 * @returns {Subject | null}  null if the picture shows nothing that a headline could be about
 */
export function inItsWords(subject, scope, {comparison}) {
  if (!subject) return null;
  const {layers, heads} = subject.chosen;
  const isMean = layers.length * heads.length > 1;
  /** @type {NonNullable<Subject['wording']>} */
  const own = {
    looks: (link) => (isMean ? [...looks(link), words.onAverage] : looks(link)),
    facts: () => [],
  };
  if (comparison) {
    const {loaded} = compared;
    if (!loaded) void compared.loadAhead().then((part) => part && scope.requestUpdate());
    const view = scope.shownView;
    if (comparison.subtraction) return loaded?.ofDifference(subject, view, comparison) ?? null;
    return loaded?.besideAnother({...subject, wording: own}, view, comparison) ?? null;
  }
  return isMean ? {...subject, wording: own} : subject;
}
