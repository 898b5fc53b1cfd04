import {drawnSlices, shownTokens} from './selection.js';
import {meanOfMatrices, shownWeights} from './weights.js';

/** @import {Findings} from './findings.js' */
/** @import {Selection, TokenRef} from './selection.js' */
/** @import {Snapshot} from './snapshot.js' */

/** A head looks clearly from a token to another one if it gives it at least this share. */
export const clearShare = 0.15;

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

/**
 * Lists the other words that a token looks at most in some head, or that look at it most, the strongest link first. Each
 * word has the head where its link is strongest, and each head is named once.
 *
 * @param {Findings} findings
 * @param {TokenRef} token
 */
export function clearPartners(findings, {side, index: own}) {
  const links = findings.tokens.flatMap(({isSpecial, isPunctuation}, index) => {
    const link = side === 'query' ? findings.linkAt(own, index) : findings.linkAt(index, own);
    const isWord = !isSpecial && !isPunctuation && index !== own;
    return isWord && link.weight >= clearShare ? [{index, ...link}] : [];
  });
  links.sort((a, b) => b.weight - a.weight);
  return links.filter(
    ({layer, head}, at) =>
      links.findIndex((each) => each.layer === layer && each.head === head) === at,
  );
}
