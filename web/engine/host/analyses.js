/** Computes what a reader asks about an answer, and writes texts. A model does not wait for this part. */

export {copyingHeads} from './copying-heads.js';
export {deletionCurve} from './deletion-curve.js';
export {
  checkMethod,
  contrastOf,
  explanationOf,
  requireOther,
  requireSigned,
  requireTextsOf,
} from './explanations.js';
export {generate} from './generation.js';
export {headEffects} from './head-effects.js';
export {LinkSearch, TokenLinkSearch} from './strongest-links.js';
export {patch, requireSameLength} from './patch-map.js';
export {similarityGrid} from './similarity-grid.js';
export {Translator} from './translator.js';
export {checkWords, linkWords} from './word-links.js';
