import {importAttention} from '../attention/import-attention.js';
import {SnapshotError} from '../attention/snapshot.js';
import {savedPass} from './saved-pass.js';

/** @import {Pass} from './pass.js' */

/**
 * Reads the snapshot inside an element, from a child `<script type="application/json">`.
 *
 * @param {Element} element
 * @returns {Pass | null}  null if there is none
 * @throws {SnapshotError} if it is not a snapshot
 */
export function savedContent(element) {
  const script = element.querySelector(':scope > script[type="application/json"]');
  if (!script) return null;
  let json;
  try {
    json = JSON.parse(script.textContent ?? '');
  } catch (error) {
    const {message} = /** @type {Error} */ (error);
    throw new SnapshotError(`Expected a snapshot as JSON in this element; ${message}`);
  }
  return savedPass(typeof json?.text === 'string' ? json.text : '', importAttention(json));
}
