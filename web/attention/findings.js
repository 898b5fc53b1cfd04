import {classifyTokens} from '../engine/text/token-classes.js';
import {isByteLevel} from './byte-level-tokens.js';
import {spellingOf, wordRuns, wordText} from './display.js';
import {largestAt} from './head-arithmetic.js';
import {shownTokens} from './selection.js';
import {meanOfMatrices, shownWeights} from './weights.js';

/** @import {Selection, Slice, TokenRef} from './selection.js' */
/** @import {Block} from './shape.js' */
/** @import {Snapshot} from './snapshot.js' */
/** @import {LinkKind} from '../strings/en/explore.js' */

/**
 * @typedef {{query: number, key: number, weight: number, kind: LinkKind | null}} FoundLink
 * @typedef {FoundLink & {isNextTo: boolean}} ToldLink  `isNextTo`: whether the two stand side by side in a sentence
 * @typedef {FoundLink & {layer: number, head: number}} Finding
 *
 * @typedef {object} TextToken  what a token is in the text
 * @property {string} text  the word that it belongs to, in small letters
 * @property {boolean} isSpecial  whether the tokenizer put it around the text
 * @property {boolean} isPunctuation
 * @property {boolean} isWord  whether it is a whole word that the model knows
 * @property {number} sentence  0 for sentence A, 1 for sentence B
 */

/** The kinds, the one that says most about a text first. @type {readonly LinkKind[]} */
const kinds = ['pronoun', 'sameWord', 'phrase', 'neighbour', 'punctuation'];

/** A link with less than this is not a finding. */
export const faintest = 0.05;

/** A weaker link is not worth a headline, unless a text has no stronger one. */
const leastWeight = 0.2;

/** The largest number of findings, and of those of one kind. */
const most = 8;
const mostOfKind = 3;

const words = (/** @type {string} */ text) => new Set(text.split(' '));

/** Pronouns that stand for a word of the text. */
const standIns = words(
  'he she it they him her them his its their hers theirs himself herself itself themselves who whom whose 他 她 它 们',
);

/** Pronouns that stand for who speaks or is spoken to. */
const persons = words(
  'i you we me us my your our mine yours ours myself yourself ourselves 我 你 您',
);

/** Words that hold a sentence together and name nothing. */
const functionWords = words(
  'a an the this that these those and or but nor so yet if then than as at by for from in into of off on onto out over ' +
    'to up with about after before because since until while be am is are was were been being have has had do does did ' +
    'will would can could shall should may might must not no t s d ll re ve m too very just also there here what which ' +
    'when where why how 的 了 在 是 和 与 也 都 就 不 没 有 这 那 把 被 给 对 从 到 吗 呢 吧 啊 着 过 地 得 个 很 又 还',
);

/** Words that name something, but never a thing that a pronoun could stand for: adverbs and common forms of verbs. */
const neverNouns = words(
  'now then again never always often still already ever soon once twice even only quite rather really almost perhaps ' +
    'maybe later away together instead however therefore went came gave took made got knew told became began brought ' +
    'bought said says sat ran kept held wrote grew sold sent lost fell ate drove broke chose spoke wore 因 所 又 再 才 只 已 更 最 太',
);

/** The endings of most adverbs, and of most past forms and participles. */
const endingsOfOthers =
  /^(?!famil|suppl|assembl|butterf|monopol|anomal).{4,}ly$|^(?!hundred).{2,}[^e]ed$/;

/** Whether a word can be a noun, as far as a list and its ending tell. @param {string} text */
const canBeNoun = (text) => !neverNouns.has(text) && !endingsOfOthers.test(text);

/**
 * Tells what each token is in the text.
 *
 * @param {Snapshot} snapshot  of self-attention
 * @returns {TextToken[]}
 */
export function textTokens(snapshot) {
  const {queryTokens, special, sentenceB} = snapshot;
  const spell = spellingOf(snapshot, 'query');
  const runs = wordRuns(queryTokens, special.query, sentenceB, isByteLevel(snapshot, 'query'));
  const texts = runs.map(({start, end}) => wordText(queryTokens.slice(start, end), spell));
  const {kinds: classes} = classifyTokens(texts);
  return runs.flatMap(({start, end}, word) =>
    queryTokens.slice(start, end).map((token, piece) => {
      const isSpecial = special.query[start];
      const isPunctuation = !isSpecial && classes[word] === 3;
      const isUnknown = token === '[UNK]' || token === '<unk>';
      return {
        text: texts[word].toLowerCase(),
        isSpecial,
        isPunctuation,
        isWord: end - start === 1 && !isSpecial && !isPunctuation && !isUnknown,
        sentence: sentenceB !== null && start + piece >= sentenceB ? 1 : 0,
      };
    }),
  );
}

/**
 * Names what a link shows; null for a link of a token that says nothing, such as a piece of a word.
 *
 * @param {readonly TextToken[]} tokens
 * @param {number} query
 * @param {number} key
 * @returns {LinkKind | null}
 */
export function kindOfLink(tokens, query, key) {
  const [from, to] = [tokens[query], tokens[key]];
  if (!from || !to || from.isSpecial) return null;
  if (to.isSpecial) return 'special';
  if (query === key) return 'itself';
  if (!from.isWord || !(to.isWord || to.isPunctuation)) return null;
  if (to.isPunctuation) return 'punctuation';
  if (areNeighbours(tokens, query, key)) return 'neighbour';
  if (!isContent(to)) return null;
  if (from.text === to.text) return 'sameWord';
  // What a pronoun stands for is a noun, and comes before it.
  if (standIns.has(from.text)) return key < query && canBeNoun(to.text) ? 'pronoun' : null;
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
  #tokens;
  /** The largest weight of each link in a head that looks nowhere more, `[tokens * tokens]`. */
  #weights;
  /** The head that has it. @type {{layer: number, head: number}[]} */
  #heads = [];

  /** @param {Snapshot} snapshot  of self-attention; its matrices are not read */
  constructor(snapshot) {
    this.#tokens = textTokens(snapshot);
    this.#weights = new Float32Array(this.#tokens.length ** 2);
  }

  /**
   * @param {number} layer
   * @param {number} head
   * @param {Float32Array} weights  `[tokens * tokens]`
   */
  add(layer, head, weights) {
    const place = {layer, head};
    const {length} = this.#tokens;
    // A long text has millions of weights, too many for a callback each.
    for (let start = 0; start < weights.length; start += length) {
      const at = start + largestAt(weights.subarray(start, start + length));
      if (!(weights[at] > this.#weights[at])) continue;
      this.#weights[at] = weights[at];
      this.#heads[at] = place;
    }
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

  /** Finds the strongest link of each kind for each token that looks. @returns {Finding[]} */
  #strongestLinks() {
    return this.#tokens.flatMap((_, query) => {
      /** @type {Map<LinkKind, Finding>} */
      const ofKind = new Map();
      for (let key = 0; key < this.#tokens.length; key++) {
        const at = query * this.#tokens.length + key;
        const weight = this.#weights[at];
        const kind = weight >= faintest ? kindOfLink(this.#tokens, query, key) : null;
        if (!kind || weight <= (ofKind.get(kind)?.weight ?? 0)) continue;
        ofKind.set(kind, {kind, query, key, weight, ...this.#heads[at]});
      }
      return [...ofKind.values()];
    });
  }
}

/**
 * Finds the link that says most about a picture: the strongest one of the token in focus, or of the whole picture, of
 * which a special token is told only if there is no other link.
 *
 * @param {Snapshot} snapshot  as it is drawn
 * @param {Selection} selection
 * @param {TokenRef | null} [focus]  the token in focus, unless it is the pinned one
 * @param {TokenRef | null} [across]  a token on the other side: then the link between the two is told
 * @returns {ToldLink | null}  null while the weights are not there
 */
export function toldLink(snapshot, selection, focus = selection.token, across = null) {
  const shown = shownWeights(snapshot, selection);
  if (!shown.matrices.length) return null;
  const weights = meanOfMatrices(shown);
  const {query, key, focus: at} = shownTokens(snapshot, {...selection, token: focus});
  const isSelf = snapshot.queryTokens === snapshot.keyTokens;
  const tokens = isSelf ? textTokens(snapshot) : null;
  /** @type {{query: number, key: number, weight: number, rank: number} | null} */
  let told = null;
  for (let i = query.start; i < query.end; i++) {
    if ([at, across].some((token) => token?.side === 'query' && token.index !== i)) continue;
    for (let j = key.start; j < key.end; j++) {
      if ([at, across].some((token) => token?.side === 'key' && token.index !== j)) continue;
      const weight = weights[i * shown.stride + j];
      const rank = rankOf(snapshot, {query: i, key: j, weight}, at ? null : tokens);
      if (told && (rank < told.rank || (rank === told.rank && weight <= told.weight))) continue;
      told = {query: i, key: j, weight, rank};
    }
  }
  if (!told) return null;
  const kind = tokens && kindOfLink(tokens, told.query, told.key);
  const isNextTo = tokens !== null && areNeighbours(tokens, told.query, told.key);
  return {...told, kind, isNextTo};
}

/**
 * Ranks a link. Of a token in focus, the strongest link tells most, also to a special token: it is what the picture
 * shows. Where no token is in focus, a link with a special token tells least, one between two whole words most, and one
 * of a token with itself less than any other.
 *
 * @param {Snapshot} snapshot
 * @param {{query: number, key: number, weight: number}} link
 * @param {readonly TextToken[] | null} tokens  null if a token is in focus
 */
function rankOf({special}, {query, key, weight}, tokens) {
  if (weight < faintest || special.query[query]) return 0;
  if (!tokens) return 2;
  if (special.key[key]) return 0;
  if (query === key) return 1;
  return tokens[query].isWord && tokens[key].isWord ? 3 : 2;
}

/**
 * Finds the special token that a token gives most to.
 *
 * @param {Snapshot} snapshot  with its special tokens
 * @param {Block} block  the layers and heads whose mean is shown
 * @param {Slice} query  the tokens whose mean is shown
 * @returns {{token: string, share: number} | null}  null if a matrix is not there
 */
export function strongestSpecial(snapshot, {layers, heads}, query) {
  const {keyTokens, special} = snapshot;
  const matrices = layers.flatMap((layer) => heads.map((head) => snapshot.attention(layer, head)));
  const shares = new Map();
  for (const matrix of matrices) {
    if (!matrix) return null;
    for (let at = query.start; at < query.end; at++)
      keyTokens.forEach((token, key) => {
        if (!special.key[key]) return;
        const share = matrix[at * keyTokens.length + key] / (query.end - query.start);
        shares.set(token, (shares.get(token) ?? 0) + share / matrices.length);
      });
  }
  const [largest] = [...shares].sort(([, a], [, b]) => b - a);
  return largest ? {token: largest[0], share: largest[1]} : null;
}
