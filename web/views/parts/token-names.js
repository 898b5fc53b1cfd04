import {strings} from '../../strings/index.js';
import {namedToken} from '../../attention/byte-level-tokens.js';
import {create} from './create-element.js';
import {tokensOf} from '../../attention/selection.js';

/** @import {Side} from '../../attention/selection.js' */
/** @import {Snapshot} from '../../attention/snapshot.js' */

/**
 * Names a token for a sentence. A token that occurs several times also has its sentence if that is enough to tell it
 * from the others, or its position if not.
 *
 * @param {Pick<Snapshot, 'queryTokens' | 'keyTokens' | 'sentenceB'>} snapshot
 * @param {Side} side
 * @param {number} index
 */
export function tokenName(snapshot, side, index) {
  const {sentenceB} = snapshot;
  const tokens = tokensOf(snapshot, side).map(namedToken);
  const name = create('bdi', 'name', tokens[index]);
  const alike = tokens.flatMap((token, at) => (token === tokens[index] ? [at] : []));
  if (alike.length === 1) return [name];
  const isB = (/** @type {number} */ at) => sentenceB !== null && at >= sentenceB;
  const isOnly = alike.every((at) => at === index || isB(at) !== isB(index));
  return [name, ` (${isOnly ? (isB(index) ? 'B' : 'A') : index})`];
}

/**
 * Names the partner of a token, which may be the token itself.
 *
 * @param {Pick<Snapshot, 'queryTokens' | 'keyTokens' | 'sentenceB'>} snapshot
 * @param {{side: Side, index: number}} token
 * @param {number} partner  the index on the other side
 */
export function partnerName(snapshot, {side, index}, partner) {
  const {queryTokens, keyTokens} = snapshot;
  const isSame =
    queryTokens.length === keyTokens.length &&
    queryTokens.every((token, at) => token === keyTokens[at]);
  if (isSame && partner === index) return [create('bdi', 'name', strings.view.itself)];
  return tokenName(snapshot, side === 'query' ? 'key' : 'query', partner);
}
