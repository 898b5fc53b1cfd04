/** What is computed only when a reader asks why a model answers so. Pages that never ask do not load it. */

export {deletionCurve} from './deletion-curve.js';
export {checkMethod, explanationOf} from './explanations.js';
export {headEffects} from './head-effects.js';
export {patch, requireSameLength} from './patch-map.js';
export {similarityGrid} from './similarity-grid.js';
