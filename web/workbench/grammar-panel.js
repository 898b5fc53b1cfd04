import {TaskStatus} from '@lit/task';
import {html, nothing} from 'lit';
import {PAIR_TABLE_ENDINGS, TREEBANK_ENDING} from '../engine/file-endings.js';
import {scoreTreebank} from '../engine/syntax/score-treebank.js';
import {grammarStrings as words} from '../strings/grammar.js';
import {strings} from '../strings/index.js';
import './annotated-sentence.js';
import {bringIntoSight} from './bring-into-sight.js';
import './grammar-failures.js';
import {
  SAVED_ENDING,
  isSavedReport,
  openReport,
  reportFormats,
  saveReport,
} from './grammar-files.js';
import {
  allHeads,
  cautionsOf,
  claimOf,
  foundByHead,
  isOfPairs,
  measuredNames,
} from './grammar-report.js';
import './head-search.js';
import {grammarMemory, isOfModel, keptOf, measurementOf} from './measurements.js';
import './pairs-panel.js';
import {PanelTask, WorkbenchPanel} from './panel.js';
import {problem} from './problem-message.js';
import {relationsTable} from './relations-table.js';
import {grammarStyles} from './styles.js';
import {rowsOf, sentencesIn, treebankOf} from './treebank.js';
import {refusingLongLines} from './word-pairs.js';

/** @import {Sentence} from '../engine/syntax/conllu.js' */
/** @import {Model} from '../session/shared-models.js' */
/** @import {RelationScore} from '../engine/syntax/relation-counts.js' */
/** @import {Measured} from './measurements.js' */
/** @import {Given, Treebank} from './treebank.js' */

/** The pairs of an address may take so many characters of it. Programs that carry links cut longer ones. */
const mostInLink = 4_000;

/**
 * The panel measures on annotated sentences what heads show of grammar: for each relation the head that finds it most
 * often, beside what the position of words alone finds.
 *
 * @fires choose  detail: the fields of the state that the reader wants: `relation`, `layer`, `heads` or `token`
 * @fires measured  detail: `{title, names}`, the `MeasuredName`s of heads
 * @fires relation  detail: a statistic of all heads, how often each finds the relation that the reader has
 *   chosen; null when none is
 * @fires edit  detail: `{text, textPair}`, a sentence to open
 * @fires annotation  detail: an `Annotation`, the links to draw over the picture of a sentence; null for none
 */
export class WorkbenchGrammar extends WorkbenchPanel {
  static properties = {
    file: {attribute: false},
    memory: {attribute: false},
    relation: {attribute: false},
    pairs: {attribute: false},
    progress: {state: true},
    opened: {state: true},
    sentence: {state: true},
  };

  static styles = grammarStyles;

  #measuring = new PanelTask(this, {
    autoRun: false,
    task: async (/** @type {readonly [Given]} */ [given], {signal}) => {
      const model = /** @type {Model} */ (this.model);
      this.progress = 0;
      const found =
        given instanceof File
          ? await openReport(given, model)
          : await this.#score(model, await treebankOf(given), signal);
      signal.throwIfAborted();
      keptOf(model).measured = found;
      this.opened = null;
      const isThere = found.report.relations.some(({relation}) => relation === this.relation);
      if (this.relation && !isThere) this.#send('choose', {relation: ''});
      const title = isOfPairs(found) ? words.pairs.name : words.measuredNames;
      const names = isOfModel(found, model) ? measuredNames(found.report) : [];
      this.#send('measured', {title, names});
      this.#isNew = true;
    },
  });

  /** The word to pin when the sentence that the reader has opened is there. @type {{sentence: Sentence, word: number, score: RelationScore} | null} */
  #toPin = null;
  /** Whether the table is there and has not been brought into sight. */
  #isNew = false;

  constructor() {
    super();
    /** The reader's own sentences, which are measured at once. @type {File | null} */
    this.file = null;
    this.memory = grammarMemory();
    /** The relation that the reader has chosen; empty for none. */
    this.relation = '';
    /** The pairs of words of a link, as rows. */
    this.pairs = '';
    /** Percent. */
    this.progress = 0;
    /** The sentence that the reader has opened last. @type {Sentence | null} */
    this.opened = null;
    /** The annotation of the sentence on show. @type {Sentence | null} */
    this.sentence = null;
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('model')) this.#measuring.abort();
    const {file, model} = this;
    if (model && file && !this.memory.begun.has(file)) this.#open(file);
    else if (model && ['model', 'relation', 'pairs'].some((name) => changed.has(name)))
      this.#measureAsked(model);
  }

  updated() {
    this.#pinOpened();
    this.#offer();
    const section = this.#isNew && this.renderRoot.querySelector('section');
    if (!section || this.#measuring.status === TaskStatus.PENDING) return;
    this.#isNew = false;
    bringIntoSight(section);
  }

  /** Measures what an address asks for: its pairs, or the sentences of the page for its relation. @param {Model} model */
  #measureAsked(model) {
    const {relation, pairs} = this;
    const wanted = pairs || relation;
    if (!wanted || this.#isMeasured(model)) return;
    const kept = keptOf(model);
    // It has failed or was stopped, and the panel is opened again: that does not begin it again.
    if (!this.hasUpdated && kept.asked === wanted) return;
    kept.asked = wanted;
    this.#measure(pairs ? {rows: pairs} : null);
  }

  /** Whether what an address asks for is measured, or is being measured. @param {Model} model */
  #isMeasured(model) {
    const found = measurementOf(model);
    if (this.pairs) return rowsOf(this.#running ?? found?.treebank) === this.pairs;
    return this.#running !== undefined || this.#scoreIn(found) !== null;
  }

  /** Colours the map by the relation that the reader has chosen, or ends that. */
  #offer() {
    if (!this.model) return;
    const kept = keptOf(this.model);
    const score = isOfModel(kept.measured, this.model) ? this.#scoreIn(kept.measured) : null;
    if (score === this.memory.onMap) return;
    this.memory.onMap = score;
    this.#send('relation', score && foundByHead(score));
  }

  /** The relation that the reader has chosen. @param {Measured | null} found */
  #scoreIn(found) {
    return found?.report.relations.find(({relation}) => relation === this.relation) ?? null;
  }

  /** @param {File} file */
  #open(file) {
    this.memory.begun.add(file);
    this.#measureInstead(isSavedReport(file) ? file : {name: file.name, file});
  }

  /** Measures what the reader asks for, in place of the pairs of the address. @param {Given} given @param {string} [pairs]  those of the reader */
  #measureInstead(given, pairs = '') {
    this.#measure(given);
    const isShort = encodeURIComponent(pairs).length <= mostInLink;
    const linked = isShort ? pairs : '';
    if (linked !== this.pairs) this.#send('choose', {pairs: linked});
  }

  /** Returns what is measured now; undefined if nothing is. */
  get #running() {
    return this.#measuring.status === TaskStatus.PENDING ? this.#measuring.of : undefined;
  }

  /** @param {Given} given */
  #measure(given) {
    void this.#measuring.run([given]);
  }

  /** @param {Model} model @param {Treebank} treebank @param {AbortSignal} signal @returns {Promise<Measured>} */
  async #score(model, treebank, signal) {
    const {name, pairs} = treebank;
    const onProgress = (/** @type {number} */ share) => (this.progress = Math.floor(100 * share));
    const sentences = sentencesIn(treebank, signal, onProgress);
    const scored = pairs ? refusingLongLines(model, pairs) : model;
    const report = await scoreTreebank(scored, sentences, {signal});
    return {of: {model: model.name, precision: 'int8', treebank: name}, treebank, report};
  }

  render() {
    const {model, result} = this;
    if (!model) return nothing;
    const found = measurementOf(model);
    const score = this.#scoreIn(found);
    return html`<p class="hint">${words.hint}</p>
      <div class="row">${this.#controls()}</div>
      <workbench-annotated-sentence
        .text=${result && !result.pair ? result.text : ''}
        .treebank=${found?.treebank ?? null}
        .opened=${this.opened}
        .score=${score}
        @found=${(/** @type {CustomEvent<Sentence | null>} */ {detail}) => (this.sentence = detail)}
        @annotation=${(/** @type {CustomEvent<object | null>} */ {detail}) => this.#send('annotation', detail)}
        @open=${(/** @type {CustomEvent<Sentence>} */ {detail}) => this.#show(detail)}
      ></workbench-annotated-sentence>
      <workbench-pairs
        .isBusy=${this.#measuring.status === TaskStatus.PENDING}
        .linked=${this.pairs}
        @measure=${(/** @type {CustomEvent<{sentences: Sentence[], rows: string}>} */ {detail}) => this.#measureInstead({name: words.pairs.name, pairs: detail.sentences, rows: detail.rows}, detail.rows)}
      ></workbench-pairs>
      <workbench-head-search
        .result=${result}
        .shape=${model.shape}
        .report=${found?.report ?? null}
        .relation=${score ? this.relation : ''}
        .sentence=${result && !result.pair && result.text === this.sentence?.text ? this.sentence : null}
        @choose=${(/** @type {CustomEvent<object>} */ {detail}) => this.#send('choose', detail)}
      ></workbench-head-search>
      ${this.#measuring.render({error: problem})} ${found ? this.#found(found) : nothing}`;
  }

  #controls() {
    if (this.#measuring.status === TaskStatus.PENDING) {
      return html`<button type="button" @click=${() => this.#measuring.abort()}>
          ${words.stop}
        </button>
        <progress aria-label=${words.progress} max="100" .value=${this.progress}></progress>`;
    }
    return html`<button type="button" class="primary" @click=${() => this.#measureInstead(null)}>
        ${words.run}
      </button>
      <label class="field">
        <span>${words.own}</span>
        <input
          type="file"
          accept=${[TREEBANK_ENDING, ...PAIR_TABLE_ENDINGS, SAVED_ENDING].join()}
          @change=${(/** @type {Event} */ {target}) => {
            const [file] = /** @type {HTMLInputElement} */ (target).files ?? [];
            if (file) this.#open(file);
          }}
        />
      </label>`;
  }

  /** @param {Measured} found */
  #found(found) {
    const {of, isOpened, report} = found;
    const title = words.measured(of.treebank || words.builtIn, report.sentences, report.words);
    return html`<section aria-labelledby="grammar-title">
        <h3 id="grammar-title">${title}</h3>
        ${isOpened ? html`<p class="hint">${words.opened(of)}</p>` : nothing}
        ${relationsTable(found, {
          relation: this.relation,
          choose: (score) => this.#choose(score),
          told: (score) => this.#told(score, found),
        })}
        <p class="hint">${strings.text.sentences(cautionsOf(found))}</p>
        <div class="row">
          ${reportFormats.map(
            (format) =>
              html`<button
                type="button"
                class="bare"
                @click=${() => saveReport(found, format, {dark: this.dark, like: this})}
              >
                ${words.save(format)}
              </button>`,
          )}
        </div>
      </section>
      ${isOfPairs(found) ? nothing : allHeads(report)}`;
  }

  /** Says what a head was found to do, and where it fails. @param {RelationScore} score @param {Measured} found */
  #told(score, {treebank}) {
    const {best, position} = score;
    return html`<p>${claimOf(score)}</p>
      <p class="hint">${words.directions[best.direction]} ${words.offset(position.offset)}</p>
      ${
        treebank
          ? html`<workbench-failures
              .model=${this.model}
              .treebank=${treebank}
              .score=${score}
              @open=${(/** @type {CustomEvent<{sentence: Sentence, word: number}>} */ {detail}) => this.#showMiss(score, detail)}
            ></workbench-failures>`
          : html`<p class="hint">${words.noSentences}</p>`
      }`;
  }

  /** Shows the best head of a relation and lists where it fails, or ends this. @param {RelationScore} score */
  #choose(score) {
    const isChosen = score.relation === this.relation;
    this.#send('choose', isChosen ? {relation: ''} : {relation: score.relation, ...placeOf(score)});
  }

  /** Opens a sentence, with the head and the word. @param {RelationScore} score @param {{sentence: Sentence, word: number}} failure */
  #showMiss(score, {sentence, word}) {
    this.#toPin = {score, sentence, word};
    this.#show(sentence);
    this.#pinOpened();
  }

  /** @param {Sentence} sentence */
  #show(sentence) {
    this.opened = sentence;
    this.#send('edit', {text: sentence.text, textPair: ''});
  }

  #pinOpened() {
    const {result} = this;
    if (!this.#toPin || result?.text !== this.#toPin.sentence.text || result.pair) return;
    const {score, sentence, word} = this.#toPin;
    this.#toPin = null;
    const [begin, end] = sentence.words[word].place ?? [0, 0];
    const index = result.offsets.findIndex((at) => at && at[0] >= begin && at[0] < end);
    const side = score.best.direction === 'to' ? 'query' : 'key';
    this.#send('choose', {...placeOf(score), token: index < 0 ? null : {side, index}});
  }

  /** @param {string} event @param {unknown} detail */
  #send(event, detail) {
    this.dispatchEvent(new CustomEvent(event, {detail}));
  }
}

/** @param {RelationScore} score */
const placeOf = ({best: {layer, head}}) => ({layer, heads: [head], meanLayers: []});

customElements.define('workbench-grammar', WorkbenchGrammar);
