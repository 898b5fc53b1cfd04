/** Holds the names of heads to account: of how many words is it true what a name says? */

/** @import {HeadName} from '../../web/engine/wasm-module.d.ts' */
/** @import {ReadSentence} from './syntax-run.mjs' */

/** What a word attends to most if it is no word: the token before the first word, and the one after the last. */
export const BEGIN = -1;
export const END = -2;
/** This stands for words without a token. */
export const NOTHING = -3;

/**
 * Finds what each word attends to most, itself and the tokens around the text included. Pieces become words as in
 * `src/analysis/word_links.h`.
 *
 * @param {Float32Array} weights  of one head, `[tokens * tokens]`
 * @param {readonly (readonly number[])[]} tokensOf  of each word
 * @returns {number[]}  of each word: a word, `BEGIN`, `END` or `NOTHING`
 */
export function strongestPlaces(weights, tokensOf) {
  const tokens = Math.sqrt(weights.length);
  const places = [
    ...tokensOf.map((keys, word) => ({keys, place: word})),
    {keys: [0], place: BEGIN},
    {keys: [tokens - 1], place: END},
  ];
  return tokensOf.map((queries) => {
    let [most, found] = [-1, NOTHING];
    if (!queries.length) return found;
    for (const {keys, place} of places) {
      let sum = 0;
      for (const query of queries) for (const key of keys) sum += weights[query * tokens + key];
      if (keys.length && sum > most) [most, found] = [sum, place];
    }
    return found;
  });
}

/**
 * A name says where the words look: of each word that the name is about, whether it looks there.
 *
 * @typedef {object} Claim
 * @property {(sentence: NamedWords, word: number) => boolean} isAbout
 * @property {(sentence: NamedWords, word: number, place: number) => boolean} isTrue
 *
 * @typedef {object} NamedWords
 * @property {string[]} forms  in small letters
 * @property {boolean[]} isPunctuation
 */

const always = () => true;

/** @param {NamedWords} sentence @param {number} a @param {number} b */
const areSame = ({forms, isPunctuation}, a, b) =>
  a !== b && !isPunctuation[a] && forms[a] === forms[b];

/** The names that say where a head looks; the other two, `broad` and `content`, do not. @satisfies {Partial<Record<HeadName, Claim>>} */
export const claims = {
  previous: {isAbout: (_, word) => word > 0, isTrue: (_, word, place) => place === word - 1},
  next: {
    isAbout: ({forms}, word) => word + 1 < forms.length,
    isTrue: (_, word, place) => place === word + 1,
  },
  self: {isAbout: always, isTrue: (_, word, place) => place === word},
  cls: {isAbout: always, isTrue: (_, _word, place) => place === BEGIN},
  sep: {isAbout: always, isTrue: (_, _word, place) => place === END},
  punctuation: {
    isAbout: ({isPunctuation}, word) => isPunctuation.some((is, other) => is && other !== word),
    isTrue: ({isPunctuation}, _, place) => isPunctuation[place] === true,
  },
  sameWord: {
    isAbout: (sentence, word) => sentence.forms.some((_, other) => areSame(sentence, word, other)),
    isTrue: (sentence, word, place) => place >= 0 && areSame(sentence, word, place),
  },
};

/** @typedef {keyof typeof claims} ClaimName */

/** The claims about other words, which can also be asked of the strongest other word. @type {readonly ClaimName[]} */
export const claimsOfOthers = ['previous', 'next', 'punctuation', 'sameWord'];

/**
 * @param {readonly ReadSentence[]} sentences
 * @param {number} heads  of all layers
 * @param {ClaimName} name
 * @param {'strongest' | 'other'} where  the strongest place of all, or the strongest other word
 * @returns {Float64Array}  `[heads]`: the share of the words that look where the name says
 */
export function sharesOf(sentences, heads, name, where) {
  const {isAbout, isTrue} = /** @type {Claim} */ (claims[name]);
  const right = new Float64Array(heads);
  let words = 0;
  for (const {sentence, known, links, strongest} of sentences) {
    const named = {
      forms: known.map((word) => sentence.words[word].form.toLowerCase()),
      isPunctuation: known.map((word) => sentence.words[word].relation === 'punct'),
    };
    const places = where === 'other' ? links.to : strongest;
    for (const word of known.keys()) {
      if (!isAbout(named, word)) continue;
      words++;
      for (let head = 0; head < heads; head++)
        right[head] += Number(isTrue(named, word, places[head * known.length + word]));
    }
  }
  return right.map((count) => (words ? count / words : 0));
}

/**
 * @typedef {object} Account
 * @property {number} named  heads with the name
 * @property {number} isTrue  heads of which it is true
 * @property {number} both
 */

/** @param {readonly boolean[]} named @param {readonly boolean[]} isTrue @returns {Account} */
export function accountOf(named, isTrue) {
  const count = (/** @type {readonly boolean[]} */ list) => list.filter(Boolean).length;
  return {
    named: count(named),
    isTrue: count(isTrue),
    both: count(named.map((each, at) => each && isTrue[at])),
  };
}
