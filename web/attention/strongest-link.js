import {faintest} from '../engine/link-kinds.js';
import {shownTokens} from './selection.js';
import {textTokens} from './text-tokens.js';
import {meanOfMatrices, shownWeights} from './weights.js';

/** @import {Selection, TokenRef} from './selection.js' */
/** @import {Snapshot} from './snapshot.js' */
/** @import {TextToken} from './text-tokens.js' */

/** @typedef {{query: number, key: number, weight: number}} Link */

/**
 * Finds the link that says most about a picture: the largest share of the token in focus, also if a special token has
 * it, or without a token in focus the largest share of one of its rows. A headline tells it, and a view of a single token
 * shows the token that looks.
 *
 * @param {Snapshot} snapshot  with the special tokens, which are part of what a token gives
 * @param {Selection} selection
 * @param {TokenRef | null} [focus]  the token in focus, unless it is the pinned one
 * @param {TokenRef | null} [across]  a token on the other side: then the link between the two is told
 * @returns {Link | null}  null while the weights are not there
 */
export function strongestLink(snapshot, selection, focus = selection.token, across = null) {
  const shown = shownWeights(snapshot, selection);
  if (!shown.matrices.length) return null;
  const weights = meanOfMatrices(shown);
  const {query, key, focus: at} = shownTokens(snapshot, {...selection, token: focus});
  const isSelf = snapshot.queryTokens === snapshot.keyTokens;
  const tokens = isSelf && !at ? textTokens(snapshot) : null;
  const isFree = (/** @type {TokenRef['side']} */ side, /** @type {number} */ index) =>
    ![at, across].some((token) => token?.side === side && token.index !== index);
  /** @type {(Link & {rank: number}) | null} */
  let found = null;
  for (let i = query.start; i < query.end; i++) {
    if (!isFree('query', i)) continue;
    /** The largest share of the row. @type {Link | null} */
    let link = null;
    for (let j = key.start; j < key.end; j++) {
      const weight = weights[i * shown.stride + j];
      if (isFree('key', j) && isLarger(weight, link)) link = {query: i, key: j, weight};
    }
    if (!link) continue;
    const rank = at ? 0 : rankOf(snapshot, link, tokens);
    if (!found || rank > found.rank || (rank === found.rank && isLarger(link.weight, found)))
      found = {...link, rank};
  }
  return found;
}

/** Whether a weight, or a change of one, is larger than that of a link. @param {number} weight @param {Link | null} link */
const isLarger = (weight, link) => !link || Math.abs(weight) > Math.abs(link.weight);

/**
 * Ranks the largest share of a row where no token is in focus: one between two whole words tells most, one of a token
 * with itself less, one to a special token still less, and what a special token looks at least.
 *
 * @param {Snapshot} snapshot
 * @param {Link} link
 * @param {readonly TextToken[] | null} tokens  null if the two sides are different texts
 */
function rankOf({special}, {query, key, weight}, tokens) {
  if (Math.abs(weight) < faintest || special.query[query]) return 0;
  if (special.key[key]) return 1;
  if (!tokens) return 3;
  if (query === key) return 2;
  return tokens[query].isWord && tokens[key].isWord ? 4 : 3;
}
