/** Reads and writes what `generate` and `translate` have in common: a search with several beams. */

import {numberOf} from './numbers.mjs';

/** @import {BeamOptions} from '../../web/engine/host/beam-search.js' */
/** @import {FoundBeam} from '../../web/engine/host/generation.js' */

export const beamOptions = /** @type {const} */ ({
  beams: {type: 'string'},
  'length-penalty': {type: 'string'},
  'early-stopping': {type: 'boolean'},
});

/** @typedef {{beams?: string, 'length-penalty'?: string, 'early-stopping'?: boolean}} BeamValues */

/** @param {BeamValues} values @returns {BeamOptions} */
export function readBeams(values) {
  return {
    beams: numberOf('--beams', values.beams),
    lengthPenalty: numberOf('--length-penalty', values['length-penalty']),
    earlyStopping: values['early-stopping'],
  };
}

/** Chooses what is written of the continuations, best first. @param {FoundBeam[] | undefined} beams */
export function foundBeams(beams) {
  const written = beams?.map(({text, tokens, score, ended}) => ({text, tokens, score, ended}));
  return written && {beams: written};
}
