/** Searches the attention of all heads for links between tokens, head by head. */

import {BertscopeError} from '../errors.js';
import {quote} from '../json.js';
import {clearShare, faintest, leastWeight, linkKinds} from '../link-kinds.js';

/**
 * @typedef {object} StrongestLink
 * @property {typeof linkKinds[number]} kind
 * @property {number} query
 * @property {number} key
 * @property {number} weight
 * @property {number} layer
 * @property {number} head The head that gives the link the most, among those that give no other key more.
 */

/**
 * @typedef {object} TokenLinks
 * @property {Float32Array} weights `[layers * heads]`: the largest weight between the token and another word in each head;
 *   0 if there is none.
 * @property {Int32Array} others `[layers * heads]`: that word.
 * @property {{other: number, weight: number, layer: number, head: number}[]} clearest The words that it looks at most in
 *   some head, or that look at it most: each in the head where its link is strongest, each head once, the strongest first.
 */

/** The largest number of links that are listed, and of those of one kind. */
const MOST = 8;
const MOST_OF_KIND = 3;

/** The largest number of other words that are listed for one token. */
const MOST_CLEAR = 3;

/** For each link, the largest weight among the heads that give no other key of the query more, and that head. */
class Largest {
  #weights;
  #heads;
  /** @type {{layer: number, head: number}[]} */
  #added = [];

  /** @param {number} tokens */
  constructor(tokens) {
    this.tokens = tokens;
    this.#weights = new Float32Array(tokens ** 2);
    this.#heads = new Int32Array(tokens ** 2);
  }

  /**
   * @param {number} layer
   * @param {number} head
   * @param {Float32Array} weights `[tokens * tokens]`
   */
  add(layer, head, weights) {
    const {tokens} = this;
    for (let start = 0; start < weights.length; start += tokens) {
      let most = start;
      for (let at = start + 1; at < start + tokens; at++)
        if (weights[at] > weights[most]) most = at;
      if (weights[most] <= this.#weights[most]) continue;
      this.#weights[most] = weights[most];
      this.#heads[most] = this.#added.length;
    }
    this.#added.push({layer, head});
  }

  /** @param {number} query @param {number} key */
  weightOf(query, key) {
    return this.#weights[query * this.tokens + key];
  }

  /** @param {number} query @param {number} key */
  of(query, key) {
    const at = query * this.tokens + key;
    return {weight: this.#weights[at], ...this.#added[this.#heads[at]]};
  }
}

/** Finds the links that say most about a text. */
export class LinkSearch {
  #largest;
  #kinds;

  /**
   * @param {unknown} kinds `[tokens * tokens]`: the place of each link's kind in `linkKinds`, counted from 1; 0 if it says
   *   nothing.
   * @param {number} tokens
   */
  constructor(kinds, tokens) {
    this.#kinds = checkedBytes('the kinds of links', kinds, tokens ** 2);
    this.#largest = new Largest(tokens);
  }

  /** @type {Largest['add']} */
  add(layer, head, weights) {
    this.#largest.add(layer, head, weights);
  }

  /**
   * Lists the strongest link of each kind, then the second strongest of each. A text without a strong link has one: its
   * strongest.
   * @returns {StrongestLink[]}
   */
  list() {
    const all = this.#strongest().sort((a, b) => b.weight - a.weight);
    const ranked = linkKinds
      .filter((kind) => kind !== 'special')
      .map((kind) => all.filter((each) => each.kind === kind && each.weight >= leastWeight));
    const strong = Array.from({length: MOST_OF_KIND}, (_, round) =>
      ranked.flatMap((ofKind) => ofKind.slice(round, round + 1)),
    ).flat();
    if (strong.length) return strong.slice(0, MOST);
    const weak = all.filter(({kind}) => kind !== 'pronoun');
    const ofWords = weak.filter(({kind}) => kind !== 'special');
    return (ofWords.length ? ofWords : weak).slice(0, 1);
  }

  /** Finds the strongest link of each kind for each token that looks. @returns {StrongestLink[]} */
  #strongest() {
    const {tokens} = this.#largest;
    return Array.from({length: tokens}, (_, query) => {
      /** The key of each kind. @type {(number | undefined)[]} */
      const keys = linkKinds.map(() => undefined);
      for (let key = 0; key < tokens; key++) {
        const weight = this.#largest.weightOf(query, key);
        const kind = weight >= faintest ? this.#kinds[query * tokens + key] - 1 : -1;
        if (kind < 0 || kind >= linkKinds.length) continue;
        const before = keys[kind];
        if (before === undefined || weight > this.#largest.weightOf(query, before))
          keys[kind] = key;
      }
      return keys.flatMap((key, kind) =>
        key === undefined
          ? []
          : {kind: linkKinds[kind], query, key, ...this.#largest.of(query, key)},
      );
    }).flat();
  }
}

/** Finds the links of one token with the words of its text. */
export class TokenLinkSearch {
  #largest;
  #words;
  #isQuery;
  #own;
  /** @type {number[]} */
  #weights = [];
  /** @type {number[]} */
  #others = [];

  /**
   * @param {unknown} token `{side, index}`: `query` for what it looks at, `key` for what looks at it.
   * @param {unknown} words `[tokens]`: 1 for each token that is a word or a piece of one, 0 for others.
   * @param {number} tokens
   */
  constructor(token, words, tokens) {
    const {side, index} = /** @type {{side?: unknown, index?: unknown}} */ (token ?? {});
    const isToken = Number.isInteger(index) && Number(index) >= 0 && Number(index) < tokens;
    if (!isToken || (side !== 'query' && side !== 'key')) {
      const message = `the token: expected a side and an index below ${tokens}, found ${quote(token)}`;
      throw new BertscopeError('bad-option', message);
    }
    this.#words = checkedBytes('the words', words, tokens);
    this.#largest = new Largest(tokens);
    this.#isQuery = side === 'query';
    this.#own = Number(index);
  }

  /** @type {Largest['add']} */
  add(layer, head, weights) {
    this.#largest.add(layer, head, weights);
    const {tokens} = this.#largest;
    let most = 0;
    let partner = 0;
    for (let other = 0; other < tokens; other++) {
      const weight =
        weights[this.#isQuery ? this.#own * tokens + other : other * tokens + this.#own];
      if (!this.#isOther(other) || weight <= most) continue;
      [most, partner] = [weight, other];
    }
    this.#weights.push(most);
    this.#others.push(partner);
  }

  /** @returns {TokenLinks} */
  list() {
    const clear = Array.from({length: this.#largest.tokens}, (_, other) => ({
      other,
      ...(this.#isQuery ? this.#largest.of(this.#own, other) : this.#largest.of(other, this.#own)),
    })).filter(({other, weight}) => this.#isOther(other) && weight >= clearShare);
    clear.sort((a, b) => b.weight - a.weight);
    const ofEachHead = clear.filter(
      ({layer, head}, at) =>
        clear.findIndex((each) => each.layer === layer && each.head === head) === at,
    );
    return {
      weights: Float32Array.from(this.#weights),
      others: Int32Array.from(this.#others),
      clearest: ofEachHead.slice(0, MOST_CLEAR),
    };
  }

  /** @param {number} token */
  #isOther(token) {
    return token !== this.#own && this.#words[token] === 1;
  }
}

/** @param {string} name @param {unknown} bytes @param {number} length */
function checkedBytes(name, bytes, length) {
  if (bytes instanceof Uint8Array && bytes.length === length) return bytes;
  const found = bytes instanceof Uint8Array ? bytes.length : quote(bytes);
  const message = `${name}: expected ${length} bytes, found ${found}`;
  throw new BertscopeError('bad-option', message);
}
