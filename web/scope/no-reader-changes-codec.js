import {noReaderChanges} from '../attention/reader-changes.js';

/** @import {Codec} from './codecs.js' */
/** @import {ReaderChanges} from '../attention/reader-changes.js' */

/**
 * What the frozen build has in place of `reader-changes-codec.js`. Without an engine no model can be changed, so any text
 * means no changes.
 *
 * @type {Codec<ReaderChanges>}
 */
export const readerChangesCodec = {
  parse: () => noReaderChanges,
  format: () => null,
};
