import {readable} from '../attention/display.js';
import {remembered} from '../attention/remembered.js';

/** @import {Display, Grouping} from '../attention/display.js' */
/** @import {LazySnapshot, Snapshot} from '../attention/snapshot.js' */

/** A difference of texts of unequal lengths tries three readings of each before it finds the one to show. */
const mostKept = 4;

/** The latest readings of each snapshot, the oldest first. @type {WeakMap<Snapshot, Map<string, LazySnapshot>>} */
const known = new WeakMap();

/**
 * Makes a snapshot readable. The latest results are kept, because they keep the matrices that they have computed.
 *
 * @param {Snapshot} snapshot
 * @param {Display} display
 * @param {Grouping} [grouping]
 */
export function readingOf(snapshot, display, grouping) {
  const readings = remembered(known, snapshot, () => new Map());
  const name = JSON.stringify([display, grouping]);
  const reading = remembered(readings, name, () => readable(snapshot, display, grouping));
  readings.delete(name);
  readings.set(name, reading);
  if (readings.size > mostKept) readings.delete([...readings.keys()][0]);
  return reading;
}
