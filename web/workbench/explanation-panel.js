import {Task, TaskStatus} from '@lit/task';
import {LitElement, html, nothing} from 'lit';
import {spellingOfModel} from '../attention/byte-level-tokens.js';
import {isMethod, isSigned, sumOf, summaryOf, usualMethod} from '../attention/contributions.js';
import {select} from '../controls/fields.js';
import {csv} from '../export/csv.js';
import {fileName, save} from '../export/download.js';
import {explanationStrings as words} from '../strings/explanation.js';
import {pageStrings} from '../strings/page.js';
import {formatNumber, formatPercent} from '../views/parts/number-format.js';
import {colourIndex, inkOnRgb, matrixColours} from '../views/parts/weight-colours.js';
import './deletion-panel.js';
import './patch-panel.js';
import {answersOf, targetOf} from './explained-answers.js';
import {problem} from './problem-message.js';
import {explanationStyles} from './styles.js';

/** @import {Model} from '../scope/shared-models.js' */
/** @import {Result} from '../scope/pass.js' */

/** @import {Answers} from './explained-answers.js' */

/** @typedef {Awaited<ReturnType<Result['explain']>>} Explanation */

/**
 * The panel tells why the model gives an answer: how much each token contributes to a guessed word, a class or the
 * sentence vector, by a method that the reader chooses, and whether the answer depends on these tokens.
 *
 * @fires choose  detail: the fields of the state that the reader wants: `token`, `method` or `answer`
 */
export class WorkbenchExplanation extends LitElement {
  static properties = {
    model: {attribute: false},
    result: {attribute: false},
    pinned: {attribute: false},
    method: {},
    answer: {},
    dark: {type: Boolean},
    progress: {state: true},
  };

  static styles = explanationStyles;

  #answers = new Task(this, {
    args: () => /** @type {const} */ ([this.result, this.pinned]),
    task: async ([result, pinned]) =>
      result && this.model ? answersOf(this.model, result, pinned) : null,
  });
  #explanation = new Task(this, {
    args: () => /** @type {const} */ ([this.#answers.value, this.answer, this.#method()]),
    task: async ([answers, answer, method], {signal}) => {
      if (!answers) return null;
      const {result} = answers;
      const target = targetOf(answers, answer);
      this.progress = 0;
      const onProgress = (/** @type {{done: number}} */ {done}) => (this.progress = done);
      const explanation = await result.explain({method, target, signal, onProgress});
      return {answers, target, explanation};
    },
  });

  constructor() {
    super();
    /** @type {Model | null} */
    this.model = null;
    /** @type {Result | null} */
    this.result = null;
    /** The index of the pinned token. @type {number | null} */
    this.pinned = null;
    /** The method; empty for the usual one. */
    this.method = '';
    /** A word or the name of a class; empty for the likeliest. */
    this.answer = '';
    this.dark = false;
    this.progress = 0;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#explanation.abort();
  }

  render() {
    const {model, result} = this;
    if (!model || !result) return html`<p class="hint">${pageStrings.workbench.noText}</p>`;
    const {maskedLm, labels} = model.predictionHeads;
    if (!maskedLm && !labels && !model.givesSentenceVectors)
      return html`<p class="hint">${words.noAnswer}</p>`;
    return html`<p class="hint">${words.help}</p>
      ${this.#controls()} ${this.#answers.render({error: problem})} ${this.#explained()}
      ${this.#explanation.render({error: problem})}`;
  }

  #method() {
    if (isMethod(this.method)) return this.method;
    return usualMethod(this.result?.tokens.length ?? 0);
  }

  #controls() {
    const answers = this.#answers.value;
    if (this.#answers.value === null) return html`<p class="hint">${words.pin}</p>`;
    const method = this.#method();
    const names = Object.fromEntries(
      Object.entries(words.methods).map(([each, {name}]) => [each, name]),
    );
    const {does, limit} = words.methods[method];
    return html`<div class="row">
        ${answers ? this.#answerChoice(answers) : nothing}
        ${select(words.method, names, method, (chosen) => this.#choose({method: chosen}))}
      </div>
      <p class="hint">${does} ${limit}</p>
      ${
        this.#explanation.status === TaskStatus.PENDING && this.progress > 0
          ? html`<div class="row">
              <progress max="1" .value=${this.progress}></progress>
              <button type="button" @click=${() => this.#explanation.abort()}>
                ${words.cancel}
              </button>
            </div>`
          : nothing
      }`;
  }

  /** @param {Answers} answers */
  #answerChoice({choices}) {
    const isOffered = choices.some(({name}) => name === this.answer);
    // An address can ask for a word that is not among the likeliest.
    const all = isOffered ? choices : [...choices, {name: this.answer, label: `“${this.answer}”`}];
    return select(
      words.answer,
      all.map(({label}) => label),
      all.findIndex(({name}) => name === this.answer),
      (at) => this.#choose({answer: all[at].name}),
    );
  }

  /** Draws the latest explanation. It stays until the next one is there, so that nothing below it moves. */
  #explained() {
    const {value} = this.#explanation;
    if (!value) return nothing;
    const {answers, target, explanation} = value;
    return html`<section aria-labelledby="explained-title">
        <h3 id="explained-title">${this.#title(explanation, answers.hidden)}</h3>
        ${this.#tokens(explanation)} ${this.#summary(explanation, answers.result)}
        <button type="button" class="bare" @click=${() => this.#save(explanation, answers.result)}>
          ${words.save}
        </button>
      </section>
      <workbench-deletion
        .result=${answers.result}
        .target=${target}
        .explanation=${explanation}
      ></workbench-deletion>
      <workbench-patch
        .model=${this.model}
        .result=${answers.result}
        .target=${target}
        .dark=${this.dark}
      ></workbench-patch>`;
  }

  /** @param {Explanation} explanation @param {string} hidden */
  #title({target}, hidden) {
    if (target === 'vector') return words.title.vector;
    if ('label' in target) return words.title.class(target.name);
    const spell = spellingOfModel(this.model);
    return words.title.word(spell(target.word), hidden && spell(hidden));
  }

  /** Draws every token with its contribution, as a button that pins it. @param {Explanation} explanation */
  #tokens({method, tokens, contributions}) {
    const signed = isSigned(method);
    const colours = matrixColours(signed, this.dark);
    const largest = Math.max(...Array.from(contributions, Math.abs)) || 1;
    const spell = spellingOfModel(this.model);
    return html`<ol class="contributions" aria-label=${words.tokens}>
      ${tokens.map((token, index) => {
        const amount = amountOf(method, contributions[index]);
        const colour = colours[colourIndex(contributions[index], largest, signed)];
        const pin = {token: /** @type {const} */ ({side: 'query', index})};
        return html`<li>
          <button
            type="button"
            class="contribution"
            style="--ground: rgb(${colour.join(' ')}); --ink: ${inkOnRgb(colour)}"
            aria-pressed=${index === this.pinned}
            title=${words.token(spell(token), amount)}
            @click=${() => this.#choose(pin)}
          >
            <bdi>${spell(token)}</bdi> <small>${amount}</small>
          </button>
        </li>`;
      })}
    </ol>`;
  }

  /** @param {Explanation} explanation @param {Result} result */
  #summary({method, target, tokens, contributions}, {specialTokens}) {
    const spell = spellingOfModel(this.model);
    const {most, against, special} = summaryOf(contributions, specialTokens);
    const named = (/** @type {typeof most} */ list) =>
      list.map(({index, amount}) => ({
        token: spell(tokens[index]),
        amount: amountOf(method, amount),
      }));
    const names = [...new Set(tokens.filter((_, index) => specialTokens[index]))].join(', ');
    const signed = isSigned(method);
    const total = contributions.reduce((sum, amount) => sum + amount, 0);
    const sum = sumOf(method);
    const said = sum === 'value' ? (target === 'vector' ? 'length' : 'logit') : sum;
    return html`<p class="summary" role="status">
      ${signed ? words.signed(named(most), named(against)) : words.shares(named(most))}
      ${names ? words.special(names, amountOf(method, special)) : nothing}
      ${said === 'one' || said === 'nothing' ? nothing : words.sums[said](formatNumber(total, 2))}
    </p>`;
  }

  /** Saves the contributions with all their digits. @param {Explanation} explanation @param {Result} result */
  #save({method, target, tokens, contributions}, {text}) {
    const rows = tokens.map((token, index) => [token, contributions[index]]);
    const table = csv([['token', method], ...rows]);
    const answer = target === 'vector' ? target : 'label' in target ? target.name : target.word;
    const name = fileName(['why', answer, method, text], 'csv');
    save(name, new Blob([table], {type: 'text/csv'}));
  }

  /** @param {object} detail */
  #choose(detail) {
    this.dispatchEvent(new CustomEvent('choose', {detail}));
  }
}

/** Writes a contribution. @param {Explanation['method']} method @param {number} amount */
function amountOf(method, amount) {
  if (!isSigned(method)) return formatPercent(amount);
  const text = formatNumber(amount, 2);
  return amount > 0 && Number(text) !== 0 ? `+${text}` : text;
}

customElements.define('workbench-explanation', WorkbenchExplanation);
