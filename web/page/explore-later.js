/** This file gathers what the first screen shows around the picture. The page loads it when the picture is painted. */

export {drawer} from './explore-panels.js';
export {GuessStrip} from './guess-strip.js';
export {headNames} from './head-names.js';
export {inItsWords} from './headline-wording.js';
export {followRelations, mapColour} from './map-colour.js';
export {answerPin} from './pinned-word.js';
