import {isUntouched} from '../attention/reader-changes.js';
import {kindsOfLinks} from '../attention/findings.js';
import {plainSnapshot} from '../attention/snapshot.js';
import {textTokens} from '../attention/text-tokens.js';

/** @import {TokenRef} from '../attention/selection.js' */
/** @import {TextToken} from '../attention/text-tokens.js' */
/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {Result} from '../session/pass.js' */
/** @typedef {Awaited<ReturnType<Result['strongestLinks']>>[number]} Finding */
/** @typedef {Awaited<ReturnType<Result['tokenLinks']>>} TokenLinks */

/** A text that is replaced within this time, in ms, is not searched: the reader is typing. */
const pause = 120;

/**
 * Finds what is worth a look in each new text, and shows it. A head or token that the reader has chosen by hand stays
 * until the reader asks for the next finding.
 */
export class FindingGuide {
  /** What was found in the text that is shown, the most telling finding first. @type {readonly Finding[]} */
  list = [];
  /** The pass that the findings are of. @type {Result | null} */
  searched = null;
  /** Whether the reader, or an address, has chosen the heads or the token. */
  isByHand;
  #scope;
  /** The layer, heads and token that were shown when this last looked. */
  #place = '';
  /** The text of which an example has chosen what is shown. */
  #given = '';
  /** What the findings are of: another pass of the same text, as with a head off, keeps them. */
  #searched = '';
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** Ends what the engine searches in the text. */
  #work = new AbortController();
  /** Ends what it searches for a token. */
  #tokenWork = new AbortController();
  /** What the tokens of the searched pass are. @type {readonly TextToken[]} */
  #tokens = [];
  /** The token that was asked for last, and its links once they are there. @type {{token: string, links?: TokenLinks}} */
  #asked = {token: ''};

  /** @param {BertScope} scope @param {boolean} isByHand  whether an address has chosen what is shown */
  constructor(scope, isByHand) {
    this.#scope = scope;
    this.isByHand = isByHand;
    scope.addEventListener('selection', () => {
      if (this.#note()) this.isByHand = true;
    });
    scope.addEventListener('result', () => {
      this.#note();
      this.#searchSoon();
    });
    // The engine is free for a new text before it is asked to run it.
    scope.addEventListener('change', () => {
      if (!this.#isCurrent(scope.result)) this.#stop();
    });
  }

  /** Takes what an address shows, or finds something in its text. @param {boolean} isOpen  whether it leaves the choice */
  arrive(isOpen) {
    this.#note();
    this.isByHand = !isOpen;
    if (!isOpen) return;
    this.#searched = '';
    // Another text will have a result of its own.
    if (this.#scope.result?.text === this.#scope.text) this.#searchSoon();
  }

  /** Lets a text be shown as its example says. @param {string} text */
  keepExample(text) {
    this.#given = text;
    this.isByHand = false;
  }

  /** Which finding is shown; -1: none of them. */
  get at() {
    return this.list.findIndex((each) => this.#isShown(each));
  }

  /** Whether there is a finding that is not shown. */
  get hasNext() {
    return this.list.length > (this.at < 0 ? 0 : 1);
  }

  /** Shows the finding after the one that is shown, or the one before it. @param {1 | -1} by */
  go(by) {
    const {at} = this;
    const next = at < 0 && by < 0 ? -1 : at + by;
    const finding = this.list.at(next % this.list.length);
    if (finding) this.#show(finding, true);
    this.isByHand = false;
  }

  /**
   * The links of a token with the words of the searched text.
   *
   * @param {TokenRef} token
   * @returns {TokenLinks | undefined}  undefined while they are not there
   */
  linksOf(token) {
    const name = JSON.stringify(token);
    const isOther = this.#asked.token !== name;
    if (isOther && this.#isCurrent(this.searched)) void this.#ask(token, name);
    return this.#asked.token === name ? this.#asked.links : undefined;
  }

  /** @param {TokenRef} token @param {string} name */
  async #ask(token, name) {
    const asked = (this.#asked = {token: name});
    this.#tokenWork.abort();
    const {signal} = (this.#tokenWork = new AbortController());
    const words = this.#tokens.map(({isSpecial, isPunctuation}) => !isSpecial && !isPunctuation);
    // An engine that fails says so above the picture.
    const links = await this.searched
      ?.tokenLinks(token, Uint8Array.from(words, Number), {signal})
      .catch(() => undefined);
    if (asked !== this.#asked) return;
    this.#asked = {token: name, links};
    this.#scope.requestUpdate();
  }

  #searchSoon() {
    this.#stop();
    this.#timer = setTimeout(() => void this.#search(), pause);
  }

  /** Ends the search of a text that is not shown any more. */
  #stop() {
    clearTimeout(this.#timer);
    this.#work.abort();
    this.#tokenWork.abort();
    if (!this.#asked.links) this.#asked = {token: ''};
  }

  /** Whether a result is of the text that is to be shown. @param {Result | null} result */
  #isCurrent(result) {
    const {text, textPair} = this.#scope;
    return result?.text === text && result.pair === (textPair.trim() ? textPair : '');
  }

  async #search() {
    const {result, model, src} = this.#scope;
    const text = result && JSON.stringify([src, result.ids, result.sentences]);
    if (!result || !model) return;
    if (text === this.#searched) {
      // A space more is another result with the same tokens. The weights of a changed model would differ.
      if (isUntouched(this.#scope.interventions)) this.searched = result;
      this.#scope.requestUpdate();
      return;
    }
    const {signal} = (this.#work = new AbortController());
    const tokens = tokensIn(result, model.isByteLevel);
    // The engine has failed or the model is gone, which the element reports itself.
    const list = await kindsOfLinks(tokens, signal)
      .then((kinds) => result.strongestLinks(kinds, {signal}))
      .catch(() => null);
    if (!list || signal.aborted || result !== this.#scope.result) return;
    this.#searched = text ?? '';
    this.searched = result;
    this.#tokens = tokens;
    this.#asked = {token: ''};
    this.list = list;
    // Two texts are compared in the head that the first was kept with.
    // The example may be waiting for its pass, while the text before it was searched.
    const {text: wanted, compare} = this.#scope;
    const isGiven = this.isByHand || compare || this.#given === wanted;
    if (!isGiven && list.length) this.#show(list[0], false);
    if (result.text === wanted) this.#given = '';
    this.#scope.requestUpdate();
  }

  /** @param {Finding} finding @param {boolean} byReader */
  #show({layer, head, query}, byReader) {
    const token = {side: /** @type {const} */ ('query'), index: query};
    const whole = {meanLayers: [], filter: /** @type {const} */ ('all')};
    this.#scope.change({layer, heads: [head], token, ...whole}, byReader);
    this.#note();
  }

  /** Notes what is shown. @returns {boolean} whether it has changed */
  #note() {
    const {layer, heads, token} = this.#scope;
    const before = this.#place;
    this.#place = JSON.stringify([layer, heads, token]);
    return this.#place !== before;
  }

  /** @param {Finding} finding */
  #isShown({layer, head, query}) {
    const {selection} = this.#scope;
    const {token} = selection;
    const isHead = selection.layer === layer && String(selection.heads) === String(head);
    return isHead && token?.side === 'query' && token.index === query;
  }
}

/** @param {Result} result @param {boolean} isByteLevel */
const tokensIn = ({tokens, sentences, specialTokens: special}, isByteLevel) =>
  textTokens(
    plainSnapshot({
      ...{tokens, tokenTypeIds: sentences, special, isByteLevel, layers: 1, heads: 1},
      attention: [],
    }),
  );
