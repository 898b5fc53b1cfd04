import {noInterventions} from '../attention/interventions.js';

/** @import {Codec} from './codecs.js' */
/** @import {Interventions} from '../attention/interventions.js' */

/**
 * What the frozen build has in place of `intervention-codec.js`. Without an engine no model can be changed, so any text
 * means no changes.
 *
 * @type {Codec<Interventions>}
 */
export const interventionCodec = {
  parse: () => noInterventions,
  format: () => null,
};
