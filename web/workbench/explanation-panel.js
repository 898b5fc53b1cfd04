import {Task, TaskStatus} from '@lit/task';
import {html, nothing} from 'lit';
import {spellingOfModel} from '../attention/byte-level-tokens.js';
import {
  isSigned,
  methodsOf,
  piecesOfWords,
  takesLong,
  sumsOfWords,
  usualMethod,
} from '../attention/contributions.js';
import {wordText} from '../attention/display.js';
import {csv} from '../export/csv.js';
import {fileName, save} from '../export/download.js';
import {explanationStrings as words} from '../strings/explanation.js';
import {workbenchStrings} from '../strings/workbench.js';
import {verdictOf} from './deletion-panel.js';
import {PanelTask, WorkbenchPanel} from './panel.js';
import './patch-panel.js';
import {bringIntoSight} from './bring-into-sight.js';
import {contributionList, largestOf} from './contribution-list.js';
import {answerChoice, rivalChoice} from './answer-choice.js';
import {
  answersOf,
  explainAnswer,
  fileParts,
  rivalsOf,
  targetOf,
  withWord,
} from './explained-answers.js';
import {explanationFigure} from './explanation-figure.js';
import {summaryTemplate, titleOf} from './explanation-summary.js';
import {keptExplanation} from './kept-explanations.js';
import './logit-parts-panel.js';
import {methodChoice, methodHint, progressRow, startRow} from './method-choice.js';
import {problem} from './problem-message.js';
import {explanationStyles} from './styles.js';

/** @import {Result} from '../session/pass.js' */
/** @import {Method} from '../engine/methods.js' */
/** @import {DeletionCurve} from './deletion-panel.js' */
/** @import {Contributions} from './contribution-list.js' */
/** @import {Answers, Target} from './explained-answers.js' */

/** @typedef {Awaited<ReturnType<Result['explain']>>} Explanation */

/**
 * The panel tells why the model gives an answer: how much each token contributes to a guessed word, a class or the
 * sentence vector, by a method that the reader chooses, and whether the answer depends on these tokens.
 *
 * @fires choose  detail: the fields of the state that the reader wants: `token`, `method`, `answer`, `layer` or `heads`
 * @fires relation  detail: what each head adds to a word, which the reader wants to see in the map of heads
 */
export class WorkbenchExplanation extends WorkbenchPanel {
  static properties = {
    words: {type: Boolean},
    method: {},
    answer: {},
    asked: {attribute: false},
    rival: {state: true},
    progress: {state: true},
    tested: {state: true},
    agreed: {state: true},
  };

  static styles = explanationStyles;

  /** How many of the reader's questions have been answered. */
  #answered = 0;
  #answers = new Task(this, {
    args: () => /** @type {const} */ ([this.result, this.pinned]),
    task: async ([result, pinned]) =>
      result && this.model ? answersOf(this.model, result, pinned) : null,
  });
  #explanation = new PanelTask(this, {
    args: () =>
      /** @type {const} */ ([
        this.#answers.value,
        this.answer,
        this.#method(),
        this.untouched,
        this.#asks,
        this.rival,
      ]),
    task: async ([answers, answer, method, untouched, asks, rival], {signal}) => {
      if (!answers || asks) return null;
      const {result} = answers;
      const target = targetOf(answers, answer);
      const isKnown = rivalsOf(answers, answer).some(({instead}) => instead === rival);
      const instead = isSigned(method) && isKnown ? (rival ?? undefined) : undefined;
      this.progress = 0;
      const onProgress = (/** @type {{done: number}} */ {done}) => (this.progress = done);
      const how = {method, signal, onProgress};
      const explanation = await explainAnswer(result, {...how, target, instead});
      // The same answers, even if the unchanged model has another one.
      const same = {target: withWord(target, explanation), instead: explanation.instead && instead};
      const before = untouched ? await keptExplanation(untouched, {...how, ...same}) : null;
      const isSame = instead !== undefined && !explanation.instead;
      return {answers, target, explanation, before, isSame};
    },
  });

  constructor() {
    super();
    /** Whether pieces are shown as whole words. */
    this.words = false;
    /** The method; empty for the usual one. */
    this.method = '';
    /** A word or the name of a class; empty for the likeliest. */
    this.answer = '';
    /** How often the reader has asked for the explanation; each time it is brought into sight when it is there. */
    this.asked = 0;
    /** What the answer is set against: the id of a word, or the name of a class. @type {string | number | null} */
    this.rival = null;
    this.progress = 0;
    /** The latest explanation that was tested by masking tokens. @type {{explanation: Explanation, curve: DeletionCurve} | null} */
    this.tested = null;
    /** The slow method that the reader has asked for on a long text; an address can only propose one. */
    this.agreed = '';
  }

  render() {
    const {model, result} = this;
    if (!model || !result) return html`<p class="hint">${workbenchStrings.noText}</p>`;
    const {maskedLm, nextToken, labels, tokenLabels} = model.predictionHeads;
    if (!maskedLm && !nextToken && !labels && !tokenLabels && !model.givesSentenceVectors)
      return html`<p class="hint">${words.noAnswer}</p>`;
    if (!this.#methods.length) return html`<p class="hint">${words.noMethod}</p>`;
    return html`<p class="hint">${words.help}</p>
      ${this.#controls()} ${this.#answers.render({error: problem})} ${this.#explained()}
      ${this.#explanation.render({error: problem})}`;
  }

  updated() {
    const section = this.renderRoot.querySelector('section');
    if (
      !section ||
      this.#explanation.status !== TaskStatus.COMPLETE ||
      this.asked === this.#answered
    )
      return;
    this.#answered = this.asked;
    bringIntoSight(section);
  }

  /** The methods that are defined for the model. @returns {readonly Method[]} */
  get #methods() {
    if (!this.model) return [];
    const {config, predictionHeads} = this.model;
    // A decoder without a word head gives sentence vectors, which are no logits.
    return methodsOf({...config, isCausal: predictionHeads.nextToken});
  }

  #method() {
    const chosen = this.#methods.find((method) => method === this.method);
    return chosen ?? usualMethod(this.result?.tokens.length ?? 0, this.#methods);
  }

  /** Whether the reader is asked before the explanation starts. */
  get #asks() {
    const method = this.#method();
    return takesLong(method, this.result?.tokens.length ?? 0) && this.agreed !== method;
  }

  #controls() {
    const answers = this.#answers.value;
    if (this.#answers.value === null) return html`<p class="hint">${words.pin}</p>`;
    const method = this.#method();
    return html`<div class="row">
        ${answers ? answerChoice(answers, this.answer, (answer) => this.#choose({answer})) : nothing}
        ${answers && isSigned(method) ? rivalChoice(answers, this.answer, this.rival, (rival) => (this.rival = rival)) : nothing}
        ${methodChoice(this.#methods, method, (chosen) => this.#chooseMethod(chosen))}
      </div>
      ${methodHint(method, this.model?.predictionHeads.nextToken ? 'ofDecoder' : null)}
      ${
        answers && this.#asks
          ? startRow(answers.result.tokens.length, () => (this.agreed = method))
          : nothing
      }
      ${progressRow(this.#explanation, this.progress)}`;
  }

  /** Draws the latest explanation. It stays until the next one is there, so that nothing below it moves. */
  #explained() {
    const {value} = this.#explanation;
    if (!value) return nothing;
    const {answers, target, explanation, before, isSame} = value;
    const {result, hidden} = answers;
    const title = titleOf(this.model, explanation, hidden);
    const shown = this.#contributions(explanation, result);
    const unchanged = before && this.#contributions(before, result);
    const how = {
      largest: largestOf(unchanged ? [shown, unchanged] : [shown]),
      dark: this.dark,
      pinned: this.pinned,
      onPin: (/** @type {number} */ index) =>
        this.#choose({token: /** @type {const} */ ({side: 'query', index})}),
    };
    const rows = [
      {title, contributions: shown},
      ...(unchanged ? [{title: words.unchanged, contributions: unchanged}] : []),
    ];
    return html`<section aria-labelledby="explained-title">
        <h3 id="explained-title">${title}</h3>
        ${isSame ? html`<p class="hint" role="status">${words.sameAnswer}</p>` : nothing}
        ${contributionList(shown, {...how, label: words.tokens})}
        ${summaryTemplate(this.model, explanation, shown)} ${this.#verdict(explanation)}
        ${
          unchanged
            ? html`<h4>${words.unchanged}</h4>
                ${contributionList(unchanged, {...how, label: words.unchanged})}`
            : nothing
        }
        <div class="row">
          <button type="button" class="bare" @click=${() => this.#saveTable(explanation, result)}>
            ${words.save}
          </button>
          <button
            type="button"
            class="bare"
            @click=${() => this.#saveFigure(rows, explanation, result)}
          >
            ${words.saveFigure}
          </button>
        </div>
      </section>
      ${this.#deletion(explanation, result, target)} ${this.#parts(explanation, result)}
      <workbench-patch
        .model=${this.model}
        .result=${result}
        .target=${target}
        .dark=${this.dark}
      ></workbench-patch>`;
  }

  /**
   * Tests the explanation by deleting tokens. The curves are of one answer, and tokens are masked, which a decoder cannot.
   *
   * @param {Explanation} explanation
   * @param {Result} result
   * @param {Target} target
   */
  #deletion(explanation, result, target) {
    if (explanation.instead || !this.model?.maskToken) return nothing;
    return html`<workbench-deletion
      .model=${this.model}
      .result=${result}
      .target=${target}
      .explanation=${explanation}
      @tested=${(/** @type {CustomEvent<DeletionCurve>} */ {detail}) => (this.tested = {explanation, curve: detail})}
    ></workbench-deletion>`;
  }

  /** Lists the parts of a decoder that wrote the word. @param {Explanation} explanation @param {Result} result */
  #parts({target, instead}, result) {
    const isWord = typeof target === 'object' && 'id' in target;
    if (!isWord || !this.model?.predictionHeads.nextToken) return nothing;
    return html`<workbench-logit-parts
      .model=${this.model}
      .result=${result}
      .target=${target}
      .rival=${instead && 'id' in instead ? instead.id : undefined}
      @choose=${(/** @type {CustomEvent} */ {detail}) => this.#choose(detail)}
      @relation=${(/** @type {CustomEvent} */ {detail}) => this.dispatchEvent(new CustomEvent('relation', {detail}))}
    ></workbench-logit-parts>`;
  }

  /** @param {Explanation} explanation @param {Result} result @returns {Contributions} */
  #contributions({method, tokens, contributions}, {words: places, specialTokens}) {
    const spell = spellingOfModel(this.model);
    const runs = this.words
      ? piecesOfWords(places)
      : tokens.map((_, index) => ({start: index, end: index + 1}));
    const nameOf = (/** @type {string[]} */ pieces) =>
      this.words ? wordText(pieces, (all) => spell(all.join(''))) : spell(pieces[0]);
    return {
      method,
      names: runs.map(({start, end}) => nameOf(tokens.slice(start, end))),
      amounts: sumsOfWords(contributions, runs),
      special: runs.map(({start}) => specialTokens[start]),
      starts: runs.map(({start}) => start),
    };
  }

  /** Says plainly where the order of the tokens is no better than a random one. @param {Explanation} explanation */
  #verdict(explanation) {
    const {tested} = this;
    const said = tested?.explanation === explanation && verdictOf(explanation.method, tested.curve);
    return said ? html`<p class="verdict" role="status">${said}</p>` : nothing;
  }

  /** Saves the contributions of all tokens with all their digits. @param {Explanation} explanation @param {Result} result */
  #saveTable(explanation, {text}) {
    const {method, tokens, contributions} = explanation;
    const rows = tokens.map((token, index) => [token, contributions[index]]);
    const table = csv([['token', method], ...rows]);
    save(fileName(fileParts(explanation, text), 'csv'), new Blob([table], {type: 'text/csv'}));
  }

  /**
   * Saves what is shown as SVG.
   *
   * @param {Parameters<typeof explanationFigure>[0]} rows
   * @param {Explanation} explanation
   * @param {Result} result
   */
  async #saveFigure(rows, explanation, {text}) {
    const caption = [text, `${this.model?.name} · ${words.methods[explanation.method].name}`];
    const {svg} = await explanationFigure(rows, caption, this.dark, this);
    const name = fileName(fileParts(explanation, text), 'svg');
    save(name, new Blob([svg], {type: 'image/svg+xml'}));
  }

  /** @param {string} method */
  #chooseMethod(method) {
    const isSlow = takesLong(/** @type {Method} */ (method), this.result?.tokens.length ?? 0);
    this.agreed = isSlow ? method : '';
    this.#choose({method});
  }

  /** @param {object} detail */
  #choose(detail) {
    this.dispatchEvent(new CustomEvent('choose', {detail}));
  }
}

customElements.define('workbench-explanation', WorkbenchExplanation);
