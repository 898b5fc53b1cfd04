import {
  formatInterventions,
  parseInterventions,
  readInterventions,
} from '../attention/intervention-fields.js';

/** @import {Codec} from './codecs.js' */
/** @import {Interventions} from '../attention/interventions.js' */

/** @type {Codec<Interventions>} */
export const interventionCodec = {
  parse: (text) => parseInterventions(new URLSearchParams(text)),
  format: (interventions) =>
    new URLSearchParams(formatInterventions(interventions)).toString() || null,
  expected: 'off=3.1&causal=1',
  unread: (text) => readInterventions(new URLSearchParams(text)).unread.join(', '),
};
