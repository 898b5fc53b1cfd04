import {largestAt} from './head-arithmetic.js';
import {canStandFor, persons, standIns, wordSet} from './pronouns.js';
import {faintest, strongestLink} from './strongest-link.js';
import {textTokens} from './text-tokens.js';

/** @import {TokenRef} from './selection.js' */
/** @import {Snapshot} from './snapshot.js' */
/** @import {Link} from './strongest-link.js' */
/** @import {TextToken} from './text-tokens.js' */
/** @import {LinkKind} from '../strings/en/explore.js' */

/**
 * @typedef {Link & {kind: LinkKind | null}} FoundLink
 * @typedef {FoundLink & {isNextTo: boolean}} ToldLink  `isNextTo`: whether the two stand side by side in a sentence
 * @typedef {FoundLink & {layer: number, head: number}} Finding
 * @typedef {{weights: Float32Array, indices: Uint16Array}} Partners  of each token, the word it has its largest weight with
 */

/** The kinds, the one that says most about a text first. @type {readonly LinkKind[]} */
const kinds = ['pronoun', 'sameWord', 'phrase', 'neighbour', 'punctuation'];

/**
 * A weaker link is not worth a headline, unless a text has no stronger one, and a weaker one of a pronoun is no reason to
 * ask what it stands for.
 */
const leastWeight = 0.3;

/** The largest number of findings, and of those of one kind. */
const most = 8;
const mostOfKind = 3;

/** The tokens of a text whose partners take less than a tenth of a second for each layer of bert-base. */
const mostWithPartners = 512;

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
 * @param {number} weight  of the link
 * @returns {LinkKind | null}
 */
export function kindOfLink(tokens, query, key, weight) {
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

/** Whether a word names something. @param {TextToken} token */
const isContent = ({text, isWord}) =>
  isWord &&
  /\p{L}/u.test(text) &&
  ![standIns, persons, functionWords].some((list) => list.has(text));

/** The strongest links of a text over all heads, which are added one after another. */
export class Findings {
  /** What each token is in the text. */
  tokens;
  /** The largest weight of each link in a head that looks nowhere more, `[tokens * tokens]`. */
  #weights;
  /** The head that has it. @type {{layer: number, head: number}[]} */
  #heads = [];
  /** The partners that `partnerIn` looks up, by head. @type {Map<string, Record<TokenRef['side'], Partners>>} */
  #partners = new Map();

  /** @param {Snapshot} snapshot  of self-attention; its matrices are not read */
  constructor(snapshot) {
    this.tokens = textTokens(snapshot);
    this.#weights = new Float32Array(this.tokens.length ** 2);
  }

  /**
   * @param {number} layer
   * @param {number} head
   * @param {Float32Array} weights  `[tokens * tokens]`
   */
  add(layer, head, weights) {
    const place = {layer, head};
    const {length} = this.tokens;
    // A long text has millions of weights, too many for a callback each.
    for (let start = 0; start < weights.length; start += length) {
      const at = start + largestAt(weights.subarray(start, start + length));
      if (!(weights[at] > this.#weights[at])) continue;
      this.#weights[at] = weights[at];
      this.#heads[at] = place;
    }
    if (this.knowsPartners)
      this.#partners.set(`${layer}.${head}`, wordPartners(this.tokens, weights));
  }

  /** Whether the text is short enough to find the partners of its tokens in every head. */
  get knowsPartners() {
    return this.tokens.length <= mostWithPartners;
  }

  /**
   * Finds the other word that a token looks at most in a head, or for a key that looks at it most.
   *
   * @param {number} layer
   * @param {number} head
   * @param {TokenRef} token
   * @returns {{index: number, weight: number} | null}  null if the head is not there or the text has no other word
   */
  partnerIn(layer, head, {side, index}) {
    const partners = this.#partners.get(`${layer}.${head}`)?.[side];
    const weight = partners?.weights[index] ?? 0;
    return partners && weight > 0 ? {index: partners.indices[index], weight} : null;
  }

  /**
   * Lists what is worth a headline: the strongest link of each kind, then the second strongest of each. A text without
   * any has one finding: its strongest link.
   *
   * @returns {Finding[]}
   */
  list() {
    const all = this.#strongestLinks().sort((a, b) => b.weight - a.weight);
    const ranked = kinds.map((kind) =>
      all.filter((each) => each.kind === kind && each.weight >= leastWeight),
    );
    const strong = Array.from({length: mostOfKind}, (_, round) =>
      ranked.flatMap((ofKind) => ofKind.slice(round, round + 1)),
    ).flat();
    if (strong.length) return strong.slice(0, most);
    const ofWords = all.filter(({kind}) => kind && kinds.includes(kind));
    return (ofWords.length ? ofWords : all.filter(({kind}) => kind === 'special')).slice(0, 1);
  }

  /** The largest weight of a link among the heads that look nowhere more, and that head. @param {number} query @param {number} key */
  linkAt(query, key) {
    const at = query * this.tokens.length + key;
    return {weight: this.#weights[at], ...this.#heads[at]};
  }

  /** Finds the strongest link of each kind for each token that looks. @returns {Finding[]} */
  #strongestLinks() {
    return this.tokens.flatMap((_, query) => {
      /** @type {Map<LinkKind, Finding>} */
      const ofKind = new Map();
      for (let key = 0; key < this.tokens.length; key++) {
        const at = query * this.tokens.length + key;
        const weight = this.#weights[at];
        const kind = weight >= faintest ? kindOfLink(this.tokens, query, key, weight) : null;
        if (!kind || weight <= (ofKind.get(kind)?.weight ?? 0)) continue;
        ofKind.set(kind, {kind, query, key, weight, ...this.#heads[at]});
      }
      return [...ofKind.values()];
    });
  }
}

/**
 * Finds for each token the other word that it looks at most in one head, and the one that looks at it most.
 *
 * @param {readonly TextToken[]} tokens
 * @param {Float32Array} weights  `[tokens * tokens]`
 * @returns {Record<TokenRef['side'], Partners>}
 */
function wordPartners(tokens, weights) {
  const {length} = tokens;
  const none = () => ({weights: new Float32Array(length), indices: new Uint16Array(length)});
  const partners = {query: none(), key: none()};
  const isWord = tokens.map(({isSpecial, isPunctuation}) => !isSpecial && !isPunctuation);
  const note = (
    /** @type {Partners} */ of,
    /** @type {number} */ token,
    /** @type {number} */ other,
    /** @type {number} */ weight,
  ) => {
    if (!isWord[other] || token === other || weight <= of.weights[token]) return;
    of.weights[token] = weight;
    of.indices[token] = other;
  };
  for (let query = 0, at = 0; query < length; query++) {
    for (let key = 0; key < length; key++, at++) {
      note(partners.query, query, key, weights[at]);
      note(partners.key, key, query, weights[at]);
    }
  }
  return partners;
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
