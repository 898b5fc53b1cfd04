import {html, nothing} from 'lit';
import {namingOfModel} from '../attention/byte-level-tokens.js';
import {isUntouched, partShown, withHeads} from '../attention/reader-changes.js';
import {adoptStyles} from '../controls/adopt-styles.js';
import {checkbox} from '../controls/fields.js';
import {resultOfText} from '../session/pass.js';
import {panelStrings} from '../strings/panels.js';
import {formatGuess} from '../views/parts/number-format.js';
import {continuedText} from '../workbench/continued-text.js';
import {canGuess, Guesser, lastWord, questionOf, usualPlace} from '../workbench/guess.js';
import {questionOfWritten} from '../workbench/written-guess.js';
import style from './guess-strip.css?inline';

/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {ScopeState} from '../scope/layout.js' */
/** @import {Pass, Result} from '../session/pass.js' */
/** @import {Model} from '../session/shared-models.js' */
/** @import {Guess, Question} from '../workbench/guess.js' */

const {guess: words} = panelStrings;

/** The number of guesses in the line, and of tokens that the model writes at once. */
const told = 3;
const continued = 10;

/** A text that is replaced within this time, in ms, is not guessed: the reader is typing. */
const pause = 250;

/**
 * The line below the headline: what the model would guess in place of the word that is pinned, and what without the heads
 * of the picture. Of a model that predicts the next token it says what that is, of an encoder-decoder what it writes.
 */
export class GuessStrip {
  #scope;
  /** The question that was asked last names the text, the token and the changes. */
  #asked = '';
  /** @type {Guess | null} */
  #guess = null;
  /** The text of the answer: the line is empty while another one is guessed. @type {Result | null} */
  #result = null;
  #isWithout = false;
  #guesser = new Guesser();
  #work = new AbortController();
  /** Ends what a decoder writes; null: it does not. @type {AbortController | null} */
  #writing = null;

  /** @param {BertScope} scope */
  constructor(scope) {
    this.#scope = scope;
    adoptStyles(/** @type {ShadowRoot} */ (scope.renderRoot), style);
  }

  /** @param {ScopeState} state @param {() => void} close */
  draw({session: {pass, untouched}, chosen}, close) {
    const {model} = pass ?? {};
    const result = resultOfText(pass);
    if (!pass || !model || !result || !(pass.translation || canGuess(model))) return nothing;
    const {interventions: now, selection} = this.#scope;
    const part = pass.translation ? partShown(selection.filter) : {};
    const off = chosen.layers.flatMap((layer) => chosen.heads.map((head) => ({layer, head, scale: 0, ...part}))); // prettier-ignore
    const interventions = this.#isWithout ? withHeads(now, off) : now;
    const plain = isUntouched(pass.origin.interventions) ? pass : untouched;
    const question = this.#question(model, pass, result, plain);
    const asked = question ? JSON.stringify([question.place, interventions]) : '';
    if (asked !== this.#asked) void this.#ask(asked, model, result, question, interventions);
    const guess = asked && this.#result === result ? this.#guess : null;
    return html`<p class="guesses" aria-live="polite">${guess && this.#sentence(model, guess)}</p>
      ${
        model.predictionHeads.nextToken && !pass.translation
          ? html`<button
              type="button"
              class="write"
              ?disabled=${this.#writing !== null}
              @click=${() => this.#writeOn(model, result)}
            >
              ${words.writeOn}
            </button>`
          : nothing
      }
      ${checkbox(words.without(off.length), this.#isWithout, (isWithout) => {
        this.#isWithout = isWithout;
        this.#scope.requestUpdate();
      })}
      <button
        type="button"
        class="quiet"
        title=${words.close}
        aria-label=${words.close}
        @click=${close}
      >
        ×
      </button>`;
  }

  /**
   * @param {Model} model
   * @param {Pass} pass
   * @param {Result} result
   * @param {Pass | null} plain  that of the unchanged model
   * @returns {Question | null}  null: no word can be guessed
   */
  #question(model, {translation}, result, plain) {
    if (translation) {
      const {filter, token} = this.#scope.selection;
      const isWritten = partShown(filter).part && token?.side === 'query';
      const row = isWritten ? token.index : null;
      return questionOfWritten(model, translation, plain?.translation ?? null, row);
    }
    const index = this.#place(model, result);
    return index < 0 ? null : questionOf(model, result, plain?.result ?? null, index);
  }

  /**
   * Finds the token whose word is guessed: the pinned one if it is a word, else a mask or the last word. A decoder's guess
   * is what follows the text, which is where it writes on.
   *
   * @param {Model} model
   * @param {Result} result
   */
  #place(model, result) {
    if (model.predictionHeads.nextToken) return usualPlace(model, result);
    const {specialTokens, tokens} = result;
    const pinned = this.#scope.selection.token?.index;
    const isWord = (/** @type {number} */ at) =>
      !specialTokens[at] || tokens[at] === model.maskToken;
    if (pinned !== undefined && isWord(pinned)) return pinned;
    const usual = usualPlace(model, result);
    return usual < 0 ? lastWord(model, result) : usual;
  }

  /**
   * @param {string} asked
   * @param {Model} model
   * @param {Result} result
   * @param {Question | null} question
   * @param {BertScope['interventions']} interventions
   */
  async #ask(asked, model, result, question, interventions) {
    this.#asked = asked;
    this.#work.abort();
    this.#writing?.abort();
    this.#work = new AbortController();
    if (!question) return;
    const {signal} = this.#work;
    const {text, pair} = this.#result ?? {};
    if (text !== result.text || pair !== result.pair)
      await new Promise((resolve) => setTimeout(resolve, pause));
    if (signal.aborted) return;
    // What fails here fails for the picture too, which says so.
    const guess = await this.#guesser
      .guess(question, model, interventions, signal)
      .catch(() => null);
    if (signal.aborted) return;
    this.#guess = guess;
    this.#result = result;
    this.#scope.requestUpdate();
  }

  /** @param {Model} model @param {Guess} guess */
  #sentence(model, {token, written, top}) {
    const name = namingOfModel(model);
    const {nextToken} = model.predictionHeads;
    const begin = written ? words.inPlaceOf(token) : nextToken ? words.next : token === model.maskToken ? words.ofMask(token) : words.hidden(name(token)); // prettier-ignore
    const share = (/** @type {number | null} */ each) => (each === null ? '' : formatGuess(each));
    return html`${written ? this.#written(written) : nothing}<span class="begin"
        >${begin.map((part) => (typeof part === 'string' ? part : html`<bdi class="word">${part.token}</bdi>`))}</span
      >
      <span class="short">${words.short}</span>
      ${top
        .slice(0, told)
        .map(
          ({token: word, probability, changed}, at) =>
            html`${at ? ' · ' : nothing}<span class="one"
                ><bdi>${name(word)}</bdi> ${share(probability)}${
                  changed === null ? nothing : html` → <b>${share(changed)}</b>`
                }</span
              >`,
        )}`;
  }

  /** What an encoder-decoder writes now, if that has changed: the headline says it already. @param {NonNullable<Guess['written']>} written */
  #written({before, now}) {
    return now === null || now === before
      ? nothing
      : html`<span class="begin">${words.writes}</span>
          <bdi class="written">${before} → ${now}</bdi> · `;
  }

  /** Lets a decoder continue the text, with the tokens that it writes. @param {Model} model @param {Result} result */
  async #writeOn(model, result) {
    this.#writing = new AbortController();
    this.#scope.requestUpdate();
    const {signal} = this.#writing;
    // An engine that fails says so above the picture.
    const state = await model
      .generate(result, {tokens: continued, signal})
      .then(({ids}) => (ids.length ? continuedText(model, result, ids) : null))
      .catch(() => null);
    this.#writing = null;
    this.#scope.requestUpdate();
    if (state && this.#scope.result === result) this.#scope.change(state);
  }
}
