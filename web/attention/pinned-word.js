import {clearShare} from '../engine/link-kinds.js';
import {drawnSlices, shownTokens} from './selection.js';
import {meanOfMatrices, shownWeights} from './weights.js';

/** @import {Selection} from './selection.js' */
/** @import {Snapshot} from './snapshot.js' */

/**
 * Finds the strongest link of the pinned token with a token of the text, and the strongest with a special token.
 *
 * @param {Snapshot} snapshot  with its special tokens
 * @param {Selection} selection
 * @returns {{text: number, special: number} | null}  null if no token is pinned, or while the weights are not there
 */
export function linksOfPin(snapshot, selection) {
  const shown = shownWeights(snapshot, selection);
  const tokens = shownTokens(snapshot, selection);
  const {focus} = tokens;
  if (!focus || !shown.matrices.length) return null;
  const weights = meanOfMatrices(shown);
  const {query, key} = drawnSlices(tokens);
  const {special} = snapshot;
  const strongest = {text: 0, special: 0};
  for (let i = query.start; i < query.end; i++) {
    for (let j = key.start; j < key.end; j++) {
      const isSpecial = focus.side === 'query' ? special.key[j] : special.query[i];
      const kind = isSpecial ? 'special' : 'text';
      strongest[kind] = Math.max(strongest[kind], weights[i * shown.stride + j]);
    }
  }
  return strongest;
}

/**
 * Whether a picture must show the special tokens: without them, it would have almost no line.
 *
 * @param {{text: number, special: number}} links
 */
export const needsSpecialTokens = ({text, special}) => text < clearShare && special > text;
