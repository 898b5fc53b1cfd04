import {Task} from '@lit/task';
import {html, nothing} from 'lit';
import {explanationStrings} from '../strings/explanation.js';
import {workbenchStrings} from '../strings/workbench.js';
import {spellingOfModel} from '../attention/byte-level-tokens.js';
import {classList} from './class-list.js';
import {likeliestOf} from './explained-answers.js';
import {candidateList, guessesOf, lensTable} from './guess-lists.js';
import './named-spans.js';
import './next-token-panel.js';
import {WorkbenchPanel} from './panel.js';
import {predictionStyles} from './styles.js';
import {fillOf, replaceWord} from './masked-words.js';
import {problem} from './problem-message.js';
import {SurpriseWords} from './surprise.js';

/** @import {Result} from '../session/pass.js' */
/** @import {Guesses} from './guess-lists.js' */

const {predictions: words} = workbenchStrings;

/**
 * The panel shows what the model predicts for a masked word, at its output and after every layer; how much each word
 * of the text surprises the model; and what a classifier says of the text or of its tokens.
 *
 * @fires edit  detail: `{text?, textPair?}`, the sentence that the reader wants
 * @fires why  detail: the index of the mask whose likeliest word the reader asks about; null: they ask about the class
 */
export class WorkbenchPredictions extends WorkbenchPanel {
  static properties = {
    text: {},
    pair: {},
  };

  static styles = predictionStyles;

  #masks = new Task(this, {
    args: () => /** @type {const} */ ([this.result, this.untouched]),
    task: async ([result, untouched]) => {
      if (!result || !this.model?.predictionHeads.maskedLm) return [];
      return guessesOf(result, untouched);
    },
  });
  #classes = new Task(this, {
    args: () => /** @type {const} */ ([this.result, this.untouched]),
    task: async ([result, untouched]) =>
      result && this.model?.predictionHeads.labels
        ? {now: await result.classes(), before: (await untouched?.classes()) ?? null}
        : null,
  });
  #surprise = new SurpriseWords(this);

  constructor() {
    super();
    this.text = '';
    this.pair = '';
  }

  /** Returns a token as a reader sees it. @param {string} token */
  #spell(token) {
    return spellingOfModel(this.model)(token);
  }

  render() {
    const {model, result} = this;
    if (!model || !result) return html`<p class="hint">${workbenchStrings.noText}</p>`;
    const classes = model.predictionHeads.labels ? this.#classification() : nothing;
    if (model.predictionHeads.nextToken) {
      return html`<workbench-next-token
        .model=${model}
        .result=${result}
        .untouched=${this.untouched}
        .text=${this.text}
        .pair=${this.pair}
        .pinned=${this.pinned}
        @edit=${(/** @type {CustomEvent} */ {detail}) => this.#send(detail)}
        @why=${(/** @type {CustomEvent} */ {detail}) => this.dispatchEvent(new CustomEvent('why', {detail}))}
      ></workbench-next-token>`;
    }
    if (model.predictionHeads.tokenLabels) {
      return html`<workbench-named-spans
        .model=${model}
        .result=${result}
        .untouched=${this.untouched}
        .pinned=${this.pinned}
        .dark=${this.dark}
        @why=${(/** @type {CustomEvent} */ {detail}) => this.dispatchEvent(new CustomEvent('why', {detail}))}
      ></workbench-named-spans>`;
    }
    if (!model.predictionHeads.maskedLm) {
      const {givesSentenceVectors} = model;
      return html`${classes}
        <p class="hint">${givesSentenceVectors ? words.sentenceVectors : words.noHead}</p>`;
    }
    return html`${classes} ${this.#sentence(result)}
      <div class="masks">
        ${this.#masks.value?.map((mask) => this.#mask(result, mask)) ?? nothing}
      </div>
      ${this.#masks.render({error: problem})}`;
  }

  /** Draws every word as a button that masks it. @param {Result} result */
  #sentence(result) {
    const mask = this.model?.maskToken ?? '';
    return html`<section aria-labelledby="words-title">
      <h3 id="words-title">${words.title}</h3>
      <p class="hint">${words.hint}</p>
      ${this.#surprise.template(result, words.surpriseNote, (token, index, found) => {
        const text = this.#spell(token);
        if (result.words[index] === null) return text;
        const wanted = this.#edit(result, index, mask);
        return {
          text,
          title: found
            ? words.instead(text, found.bits.toFixed(1), this.#spell(found.top[0].token))
            : words.mask(text),
          isPressed: token === mask,
          isDisabled: !wanted || token === mask,
          onClick: () => this.#send(wanted),
        };
      })}
    </section>`;
  }

  /** @param {Result} result @param {Guesses} guesses */
  #mask(result, guesses) {
    const {index, top} = guesses;
    const spell = (/** @type {string} */ token) => this.#spell(token);
    const title = `mask-${index}`;
    const sentence = result.sentences[index] === 1 ? result.pair : result.text;
    const before = sentence.slice(0, result.offsets[index]?.[0]);
    return html`<section aria-labelledby=${title}>
      <h3 id=${title}>
        ${words.expected(
          this.#spell(this.model?.maskToken ?? ''),
          contextOf(
            result.tokens.map((token) => this.#spell(token)),
            index,
          ),
        )}
      </h3>
      ${candidateList(guesses, spell, (candidate) => {
        const word = fillOf(candidate, before, this.model);
        const wanted = word === null ? null : this.#edit(result, index, word);
        return wanted && (() => this.#send(wanted));
      })}
      ${this.#why(this.#spell(top[0].token), index)} ${lensTable(guesses, spell)}
    </section>`;
  }

  #classification() {
    const {value} = this.#classes;
    return html`<section aria-labelledby="classes-title">
      <h3 id="classes-title">${words.classes}</h3>
      ${classList(value?.now, value?.before)}
      ${value ? this.#why(likeliestOf(value.now).label, null) : nothing}
      ${this.#classes.render({error: problem})}
    </section>`;
  }

  /** @param {string} answer @param {number | null} index */
  #why(answer, index) {
    const ask = () => this.dispatchEvent(new CustomEvent('why', {detail: index}));
    return html`<button type="button" @click=${ask}>${explanationStrings.why(answer)}</button>`;
  }

  /**
   * Returns the sentence with another word in a token's place.
   *
   * @param {Result} result
   * @param {number} index
   * @param {string} replacement
   * @returns {{text: string} | {textPair: string} | null}  null where the word of the token is not known,
   *   or the reader has changed the text since
   */
  #edit({text, pair, sentences, offsets}, index, replacement) {
    const mask = this.model?.maskToken;
    const place = offsets[index];
    const isBehind = text !== this.text || pair !== (this.pair.trim() && this.pair);
    if (!place || !mask || isBehind) return null;
    const isSecond = sentences[index] === 1;
    const edited = replaceWord(isSecond ? pair : text, mask, place, replacement);
    if (edited === null) return null;
    return isSecond ? {textPair: edited} : {text: edited};
  }

  /** @param {{text?: string, textPair?: string} | null} detail */
  #send(detail) {
    if (detail) this.dispatchEvent(new CustomEvent('edit', {detail}));
  }
}

/** Returns a token with two on each side. @param {readonly string[]} tokens @param {number} index */
function contextOf(tokens, index) {
  const start = Math.max(0, index - 2);
  const end = Math.min(tokens.length, index + 3);
  return `${start > 0 ? '… ' : ''}${tokens.slice(start, end).join(' ')}${end < tokens.length ? ' …' : ''}`;
}

customElements.define('workbench-predictions', WorkbenchPredictions);
