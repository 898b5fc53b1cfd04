import {yieldIfDue} from '../engine/event-loop.js';
import {leastWeight, linkKinds} from '../engine/link-kinds.js';
import {canStandFor, persons, standIns, wordSet} from './pronouns.js';
import {remembered} from './remembered.js';
import {strongestLink} from './strongest-link.js';
import {textTokens} from './text-tokens.js';

/** @import {Link} from './strongest-link.js' */
/** @import {TextToken} from './text-tokens.js' */
/** @import {LinkKind} from '../strings/en/explore.js' */

/**
 * @typedef {Link & {kind: LinkKind | null}} FoundLink
 * @typedef {FoundLink & {isNextTo: boolean}} ToldLink  `isNextTo`: whether the two stand side by side in a sentence
 */

/** Words that hold a sentence together and name nothing. */
const functionWords = wordSet(
  'a an the this that these those and or but nor so yet if then than as at by for from in into of off on onto out over ' +
    'to up with about after before because since until while although though unless whether upon along across around ' +
    'through between among against behind beside beneath near under above below within without during toward towards ' +
    'except am is are was were been being have has had do does did will would can cannot could shall should may might ' +
    'must not no t s d ll re ve m too very just also there here what which when where why how all both each every any ' +
    'some such more most 的 了 在 是 和 与 也 都 就 不 没 有 这 那 把 被 给 对 从 到 吗 呢 吧 啊 着 过 地 得 个 很 又 还 ' +
    'el la los las un una unos unas de del al y o ni que en con por para sobre entre desde hasta como pero porque cuando ' +
    'si es fue ser ha han muy más ya también este esta esto ese esa eso lo su sus se le les',
);

/**
 * Names what a link shows; null for a link of a token that says nothing, such as a piece of a word.
 *
 * @param {readonly TextToken[]} tokens
 * @param {number} query
 * @param {number} key
 * @param {number} [weight]  of the link; unless given, that of a strong one
 * @returns {LinkKind | null}
 */
export function kindOfLink(tokens, query, key, weight = 1) {
  const [from, to] = [tokens[query], tokens[key]];
  if (!from || !to || from.isSpecial) return null;
  if (to.isSpecial) return 'special';
  if (query === key) return 'itself';
  if (!from.isWord || !(to.isWord || to.isPunctuation)) return null;
  if (to.isPunctuation) return 'punctuation';
  if (areNeighbours(tokens, query, key)) return 'neighbour';
  if (!isContent(to)) return null;
  if (from.text === to.text) return 'sameWord';
  if (standIns.has(from.text))
    return Math.abs(weight) >= leastWeight && canStandFor(tokens, query, key) ? 'pronoun' : null;
  return isContent(from) ? 'phrase' : null;
}

/** @param {readonly TextToken[]} tokens @param {number} query @param {number} key */
const areNeighbours = (tokens, query, key) =>
  Math.abs(query - key) === 1 && tokens[query].sentence === tokens[key].sentence;

/** Whether tokens name something, which is asked of each token for all links of a text. @type {WeakMap<TextToken, boolean>} */
const contents = new WeakMap();

/** Whether a word names something. @param {TextToken} token */
const isContent = (token) =>
  remembered(
    contents,
    token,
    () =>
      token.isWord &&
      /\p{L}/u.test(token.text) &&
      ![standIns, persons, functionWords].some((list) => list.has(token.text)),
  );

/**
 * Tells what every link of a text would show, for the engine, which searches all heads for the strongest ones. A long
 * text has millions of links, so the page goes on between its rows.
 *
 * @param {readonly TextToken[]} tokens
 * @param {AbortSignal} signal
 * @returns {Promise<Uint8Array>}  `[tokens * tokens]`, the places of the kinds in `linkKinds`, counted from 1; 0: nothing
 */
export async function kindsOfLinks(tokens, signal) {
  const kinds = new Uint8Array(tokens.length ** 2);
  for (let query = 0, at = 0; query < tokens.length; query++) {
    await yieldIfDue(signal);
    for (let key = 0; key < tokens.length; key++, at++) {
      const kind = kindOfLink(tokens, query, key);
      kinds[at] = kind && kind !== 'itself' ? 1 + linkKinds.indexOf(kind) : 0;
    }
  }
  return kinds;
}

/**
 * Finds the link that says most about a picture, and what it shows.
 *
 * @param {Parameters<typeof strongestLink>} of
 * @returns {ToldLink | null}  null while the weights are not there
 */
export function toldLink(...of) {
  const [snapshot] = of;
  const link = strongestLink(...of);
  if (!link) return null;
  const {query, key} = link;
  const tokens = snapshot.queryTokens === snapshot.keyTokens ? textTokens(snapshot) : null;
  const kind = tokens && kindOfLink(tokens, query, key, link.weight);
  return {...link, kind, isNextTo: tokens !== null && areNeighbours(tokens, query, key)};
}
