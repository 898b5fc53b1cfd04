import {readable} from '../attention/display.js';

/** @import {Display, Grouping} from '../attention/display.js' */
/** @import {Snapshot} from '../attention/snapshot.js' */

/** @type {WeakMap<Snapshot, {name: string, reading: Snapshot}>} */
const known = new WeakMap();

/**
 * Makes a snapshot readable. The result is kept until the display changes, because it keeps the matrices that it
 * has computed.
 *
 * @param {Snapshot} snapshot
 * @param {Display} display
 * @param {Grouping} [grouping]
 */
export function readingOf(snapshot, display, grouping) {
  const name = JSON.stringify([display, grouping]);
  const last = known.get(snapshot);
  if (last?.name === name) return last.reading;
  const reading = readable(snapshot, display, grouping);
  known.set(snapshot, {name, reading});
  return reading;
}
