import {html, nothing} from 'lit';
import {namingOfModel, spellingOfModel} from '../attention/byte-level-tokens.js';
import {isSigned, methodsOfWritten, takesLong} from '../attention/contributions.js';
import {csv} from '../export/csv.js';
import {fileName, save} from '../export/download.js';
import {explanationStrings as words} from '../strings/explanation.js';
import {formatPercent} from '../views/parts/number-format.js';
import {rivalChoice} from './answer-choice.js';
import {contributionList, largestOf} from './contribution-list.js';
import {answersOfWritten, fileParts, rivalsOf} from './explained-answers.js';
import {explanationFigure} from './explanation-figure.js';
import {summaryTemplate} from './explanation-summary.js';
import {keptExplanation} from './kept-explanations.js';
import {methodChoice, methodHint, progressRow, startRow} from './method-choice.js';
import {PanelTask, WorkbenchPanel} from './panel.js';
import {problem} from './problem-message.js';
import {readAlike} from './read-alike.js';
import {explanationStyles} from './styles.js';

/** @import {Method} from '../engine/methods.js' */
/** @import {Translation} from '../session/pass.js' */
/** @import {Contributions} from './contribution-list.js' */

/** @typedef {Awaited<ReturnType<Translation['explain']>>} Explanation */

/** @typedef {{ofText: Contributions, ofWritten: Contributions}} BothTexts */

const {written: own} = words;

/**
 * The panel tells what a token that an encoder-decoder wrote comes from: how much each token of the text, and each token
 * that was written before it, contributes to it, by a method that the reader chooses.
 *
 * @fires choose  detail: the token of the text that the reader wants to see in the picture, or the method
 */
export class WorkbenchWrittenExplanation extends WorkbenchPanel {
  static properties = {
    translation: {attribute: false},
    unchanged: {attribute: false},
    method: {},
    chosen: {state: true},
    rival: {state: true},
    progress: {state: true},
    agreed: {state: true},
  };

  static styles = explanationStyles;

  #explanation = new PanelTask(this, {
    args: () =>
      /** @type {const} */ ([
        this.translation,
        this.#place,
        this.unchanged,
        this.#method,
        this.#asks,
        this.rival,
      ]),
    task: async ([translation, token, unchanged, method, asks, rival], {signal}) => {
      const {model} = this;
      if (!translation || !model) return null;
      const answers = isSigned(method) ? await answersOfWritten(model, translation, token) : null;
      const place = {translation, token, answers};
      if (asks) return {...place, explanation: null, before: null};
      const rivals = answers ? rivalsOf(answers, translation.tokens[token]) : [];
      const instead = rivals.find((each) => each.instead === rival)?.instead;
      this.progress = 0;
      const onProgress = (/** @type {{done: number}} */ {done}) => (this.progress = done);
      const how = {token, id: translation.ids[token], method, instead, signal, onProgress};
      const explanation = await keptExplanation(translation, how);
      const plain = unchanged && (await readAlike(model, unchanged, translation, token, signal));
      const before = plain && (await keptExplanation(plain, how));
      return {...place, explanation, before};
    },
  });

  constructor() {
    super();
    /** @type {Translation | null} */
    this.translation = null;
    /** What the unchanged model wrote; null if nothing is changed. @type {Translation | null} */
    this.unchanged = null;
    /** The method; empty for the usual one. */
    this.method = '';
    /** The index of the written token that was chosen here; null: the pinned one, or the last. @type {number | null} */
    this.chosen = null;
    /** The id of the word that the written token is set against. @type {string | number | null} */
    this.rival = null;
    this.progress = 0;
    /** The slow method that the reader has asked for on a long text. */
    this.agreed = '';
  }

  /** @param {Map<string, any>} changed */
  willUpdate(changed) {
    if (changed.has('translation') || (changed.has('pinned') && this.pinned !== null))
      this.chosen = null;
  }

  /** The index of the written token that is explained. The token that ends a text is explained if it is chosen. */
  get #place() {
    const special = this.translation?.specialTokens ?? [];
    const last = special.length - 1;
    return Math.min(this.chosen ?? this.pinned ?? Math.max(special.lastIndexOf(false), 0), last);
  }

  get #method() {
    return methodsOfWritten.find((method) => method === this.method) ?? methodsOfWritten[0];
  }

  /** The number of tokens of both texts. */
  get #tokens() {
    const {encoder, decoder} = this.translation ?? {};
    return (encoder?.tokens.length ?? 0) + (decoder?.tokens.length ?? 0);
  }

  /** Whether the reader is asked before the explanation starts. */
  get #asks() {
    return takesLong(this.#method, this.#tokens) && this.agreed !== this.#method;
  }

  render() {
    const method = this.#method;
    const {value} = this.#explanation;
    const rivals =
      value?.answers && isSigned(method)
        ? rivalChoice(
            value.answers,
            value.translation.tokens[value.token],
            this.rival,
            (rival) => (this.rival = rival),
          )
        : nothing;
    return html`<div class="row">
        ${rivals}${methodChoice(methodsOfWritten, method, (chosen) => this.#chooseMethod(chosen))}
      </div>
      ${methodHint(method, 'ofWritten')}
      ${this.#asks ? startRow(this.#tokens, () => (this.agreed = method)) : nothing}
      ${progressRow(this.#explanation, this.progress)} ${this.#explained()}
      ${this.#explanation.render({error: problem})}`;
  }

  /** Draws the latest explanation. It stays until the next one is there, so that nothing below it moves. */
  #explained() {
    const {value} = this.#explanation;
    if (!value) return nothing;
    const {translation, token, explanation, before} = value;
    const choices = this.#choices(translation, token);
    if (!explanation) return choices;
    const shown = this.#contributions(explanation, translation);
    const plain = before && this.#contributions(before, translation);
    const largest = largestOf([shown, plain].flatMap((both) => (both ? Object.values(both) : [])));
    const rows = [
      {title: own.source, contributions: shown.ofText},
      {title: own.before, contributions: shown.ofWritten},
      ...(plain
        ? [
            {title: `${words.unchanged} · ${own.source}`, contributions: plain.ofText},
            {title: `${words.unchanged} · ${own.before}`, contributions: plain.ofWritten},
          ]
        : []),
    ];
    return html`<section aria-labelledby="written-title">
      <h3 id="written-title">${this.#title(explanation)}</h3>
      ${choices} ${this.#summary(explanation, shown)}
      ${rows.map(({title, contributions}, at) => {
        // The token that begins a text was not written.
        const onPin = (/** @type {number} */ index) =>
          at % 2 ? (this.chosen = Math.max(index - 1, 0)) : this.#showSource(index);
        const how = {largest, dark: this.dark, pinned: null, label: title, onPin};
        return html`<h4>${title}</h4>
          ${contributionList(contributions, how)}`;
      })}
      <div class="row">
        <button
          type="button"
          class="bare"
          @click=${() => this.#saveTable(explanation, translation)}
        >
          ${words.save}
        </button>
        <button
          type="button"
          class="bare"
          @click=${() => this.#saveFigure(rows, explanation, translation)}
        >
          ${words.saveFigure}
        </button>
      </div>
    </section>`;
  }

  /** The question that an explanation answers. @param {Explanation} explanation */
  #title({target, instead}) {
    const name = namingOfModel(this.model);
    return instead
      ? words.title.contrast(name(target.word), name(instead.word))
      : own.title(name(target.word));
  }

  /** @param {Explanation} explanation @param {BothTexts} shown */
  #summary(explanation, {ofText, ofWritten}) {
    const {source, prefix} = explanation;
    if (!isSigned(explanation.method)) {
      const shares = [source, prefix].map(({share}) => formatPercent(share));
      return html`<p class="summary" role="status">${own.says(shares[0], shares[1])}</p>`;
    }
    return summaryTemplate(this.model, explanation, {
      method: explanation.method,
      names: [...ofText.names, ...ofWritten.names],
      amounts: [...ofText.amounts, ...ofWritten.amounts],
      special: [...ofText.special, ...ofWritten.special],
      starts: [],
      answerBegin: ofText.names.length,
    });
  }

  /** Draws every written token as a button that chooses it. @param {Translation} translation @param {number} place */
  #choices({tokens}, place) {
    const spell = spellingOfModel(this.model);
    return html`<ol class="contributions" aria-label=${own.choose}>
      ${tokens.map(
        (token, index) =>
          html`<li>
            <button
              type="button"
              aria-pressed=${index === place}
              @click=${() => (this.chosen = index)}
            >
              <bdi>${spell(token)}</bdi>
            </button>
          </li>`,
      )}
    </ol>`;
  }

  /** @param {Explanation} explanation @param {Translation} translation @returns {BothTexts} */
  #contributions({method, source, prefix}, {encoder, decoder}) {
    const spell = spellingOfModel(this.model);
    const of = (
      /** @type {Explanation['source']} */ {tokens, contributions},
      /** @type {{specialTokens: readonly boolean[]}} */ {specialTokens},
    ) => ({
      method,
      names: tokens.map(spell),
      amounts: Array.from(contributions),
      special: tokens.map((_, at) => specialTokens[at]),
      starts: tokens.map((_, at) => at),
    });
    return {ofText: of(source, encoder), ofWritten: of(prefix, decoder)};
  }

  /** @param {string} method */
  #chooseMethod(method) {
    this.agreed = takesLong(/** @type {Method} */ (method), this.#tokens) ? method : '';
    this.chosen = this.#place;
    this.dispatchEvent(new CustomEvent('choose', {detail: {method}}));
  }

  /** Shows in the picture which written tokens look at a token of the text. @param {number} index */
  #showSource(index) {
    this.chosen = this.#place;
    const token = {side: /** @type {const} */ ('key'), index};
    this.dispatchEvent(new CustomEvent('choose', {detail: {filter: 'cross', token}}));
  }

  /** Saves all contributions with all their digits. @param {Explanation} explanation @param {Translation} translation */
  #saveTable(explanation, {text}) {
    const {method, source, prefix} = explanation;
    const rows = Object.entries({source, prefix}).flatMap(([part, {tokens, contributions}]) =>
      tokens.map((token, at) => [part, token, contributions[at]]),
    );
    const table = csv([['part', 'token', method], ...rows]);
    save(fileName(fileParts(explanation, text), 'csv'), new Blob([table], {type: 'text/csv'}));
  }

  /**
   * Saves what is shown as SVG.
   *
   * @param {Parameters<typeof explanationFigure>[0]} rows
   * @param {Explanation} explanation
   * @param {Translation} translation
   */
  async #saveFigure(rows, explanation, {text, encoder}) {
    const {name} = words.methods[explanation.method];
    const caption = [
      `${encoder.text} → ${text}`,
      this.#title(explanation),
      `${this.model?.name} · ${name}`,
    ];
    const {svg} = await explanationFigure(rows, caption, this.dark, this);
    const file = fileName(fileParts(explanation, text), 'svg');
    save(file, new Blob([svg], {type: 'image/svg+xml'}));
  }
}

customElements.define('workbench-written-explanation', WorkbenchWrittenExplanation);
