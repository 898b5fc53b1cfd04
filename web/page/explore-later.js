import {PartLoader} from '../scope/part-loader.js';

/** @import {BertScope} from '../scope/bert-scope.js' */

/** This file gathers what the first screen shows around the picture. The page loads it when the picture is painted. */

export {drawer} from './explore-panels.js';
export {GuessStrip} from './guess-strip.js';
export {headNames} from './head-names.js';
export {inItsWords} from './headline-wording.js';
export {followRelations, mapColour} from './map-colour.js';
export {mapEnds} from './map-ends.js';
export {answerPin} from './pinned-word.js';

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
