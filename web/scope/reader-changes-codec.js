import {formatChanges, parseChanges, readChanges} from '../attention/reader-change-fields.js';

/** @import {Codec} from './codecs.js' */
/** @import {ReaderChanges} from '../attention/reader-changes.js' */

/** @type {Codec<ReaderChanges>} */
export const readerChangesCodec = {
  parse: (text) => parseChanges(new URLSearchParams(text)),
  format: (interventions) => new URLSearchParams(formatChanges(interventions)).toString() || null,
  expected: 'off=3.1&causal=1',
  unread: (text) => readChanges(new URLSearchParams(text)).unread.join(', '),
};
