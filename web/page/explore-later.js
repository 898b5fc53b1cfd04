import {PartLoader} from '../scope/part-loader.js';
import {find} from './find-element.js';
import {headNames} from './head-names.js';
import {offerRelation} from './map-colour.js';
import {answerPinned} from './pinned-word.js';

/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {ScopeState} from '../scope/layout.js' */
/** @import {Model} from '../session/shared-models.js' */
/** @import {FindingGuide} from './finding-guide.js' */
/** @import {MeasuredNames} from './head-names.js' */

/** This file gathers what the first screen shows around the picture. The page loads it when the picture is painted. */

export {drawer} from './explore-panels.js';
export {GuessStrip} from './guess-strip.js';
export {inItsWords} from './headline-wording.js';
export {mapColour} from './map-colour.js';
export {mapEnds} from './map-ends.js';

/** @type {PartLoader<import('./compared-sentence.js').ComparedSentence> | null} */
let compared = null;

/** Shows the sentence of a comparison beside the other one. @param {BertScope} scope */
export function showCompared(scope) {
  compared ??= new PartLoader(async () => {
    const {ComparedSentence} = await import('./compared-sentence.js');
    const part = new ComparedSentence(scope);
    setTimeout(() => part.follow());
    return part;
  });
  if (scope.compare) void compared.loadAhead();
  compared.loaded?.follow();
}

/** @type {PartLoader<import('./annotated-links.js').AnnotatedLinks> | null} */
let annotated = null;

/** What the workbench has measured of each model. @type {WeakMap<Model, MeasuredNames>} */
const measured = new WeakMap();

/** Gives what draws the names of heads: what they look at, and what was measured of them. @param {BertScope} scope */
export const namesOf =
  ({model}) =>
  (/** @type {Parameters<typeof headNames>} */ ...[habits, shape, chosen, choose]) =>
    headNames(habits, shape, chosen, choose, model ? measured.get(model) : undefined);

/**
 * Shows what the workbench measures: the relation in the map, names of heads, and the links of a sentence.
 *
 * @param {BertScope} scope
 */
export function followRelations(scope) {
  const loader = (annotated ??= new PartLoader(async () => {
    const {AnnotatedLinks} = await import('./annotated-links.js');
    return new AnnotatedLinks(scope);
  }));
  const on = (/** @type {string} */ type, /** @type {(detail: any) => void} */ follow) =>
    find('workbench', HTMLElement).addEventListener(type, (event) =>
      follow(/** @type {CustomEvent} */ (event).detail),
    );
  on('relation', (statistic) => offerRelation(scope, statistic));
  on(
    'annotation',
    (annotation) => void loader.loadAhead().then((links) => links?.take(annotation)),
  );
  on('measured', (names) => {
    if (scope.model) measured.set(scope.model, names);
    scope.requestUpdate();
  });
}

/** Draws what answers the picture that is shown. @param {BertScope} scope @param {ScopeState} state @param {FindingGuide} guide */
export function answerPin(scope, state, guide) {
  annotated?.loaded?.follow(state);
  return answerPinned(scope, state, guide);
}
