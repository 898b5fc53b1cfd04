/** What is computed of an answer, and of texts that a model writes. Pages that only look at attention do not load it. */

export {deletionCurve} from './deletion-curve.js';
export {checkMethod, explanationOf} from './explanations.js';
export {generate} from './generation.js';
export {headEffects} from './head-effects.js';
export {patch, requireSameLength} from './patch-map.js';
export {similarityGrid} from './similarity-grid.js';
export {Translator} from './translator.js';
