import {importAttention} from '../attention/import-attention.js';
import {parseSnapshot, savedPass} from '../session/saved-pass.js';

/** @import {SnapshotError} from '../attention/snapshot.js' */
/** @import {Pass} from '../session/pass.js' */
/** @import {SnapshotParts} from '../attention/import-attention.js' */

/**
 * Reads the snapshot that an element holds: its property `saved`, or a child `<script type="application/json">`.
 *
 * @param {Element & {saved?: SnapshotParts | null}} element
 * @returns {Pass | null}  null if there is none
 * @throws {SnapshotError} if it is not a snapshot
 */
export function savedContent(element) {
  if (element.saved) return savedPass('', element.saved);
  const script = element.querySelector(':scope > script[type="application/json"]');
  if (!script) return null;
  const json = parseSnapshot(script.textContent ?? '', 'this element');
  return savedPass(typeof json?.text === 'string' ? json.text : '', importAttention(json));
}
