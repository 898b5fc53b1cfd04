import {Findings} from '../attention/findings.js';
import {plainSnapshot} from '../attention/snapshot.js';

/** @import {Finding} from '../attention/findings.js' */
/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {Result} from '../session/pass.js' */

/** A text that is replaced within this time, in ms, is not searched: the reader is typing. */
const pause = 120;

/**
 * Finds what is worth a look in each new text, and shows it. A head or token that the reader has chosen by hand stays
 * until the reader asks for the next finding.
 */
export class FindingGuide {
  /** What was found in the text that is shown, the most telling finding first. @type {readonly Finding[]} */
  list = [];
  /** The strongest links of the text over all heads. @type {Findings | null} */
  findings = null;
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

  #searchSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#search(), pause);
  }

  async #search() {
    const {result, model, src} = this.#scope;
    const text = result && JSON.stringify([src, result.ids, result.sentences]);
    if (!result || !model || text === this.#searched) return;
    const isShown = () => result === this.#scope.result;
    const findings = await findingsOf(result, model.shape, model.isByteLevel, isShown);
    if (!isShown()) return;
    this.#searched = text ?? '';
    this.searched = result;
    this.findings = findings;
    const list = findings?.list() ?? [];
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

/**
 * Searches the attention of all heads, one layer after another.
 *
 * @param {Result} result
 * @param {{layers: number, heads: number}} shape
 * @param {boolean} isByteLevel
 * @param {() => boolean} isShown  the search ends with the layer in which another text is shown
 */
async function findingsOf(result, {layers, heads}, isByteLevel, isShown) {
  const {tokens, sentences, specialTokens} = result;
  const findings = new Findings(
    plainSnapshot({
      ...{tokens, tokenTypeIds: sentences, special: specialTokens, isByteLevel, layers, heads},
      attention: [],
    }),
  );
  const size = tokens.length ** 2;
  for (let layer = 0; layer < layers && isShown(); layer++) {
    const weights = await result.layerAttention(layer).catch(() => null);
    // The engine has failed or the model is gone, which the element reports itself.
    if (!weights) return null;
    for (let head = 0; head < heads; head++)
      findings.add(layer, head, weights.subarray(head * size, (head + 1) * size));
  }
  return findings;
}
