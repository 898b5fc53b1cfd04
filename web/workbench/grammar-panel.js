import {TaskStatus} from '@lit/task';
import {html, nothing} from 'lit';
import {TREEBANK_ENDING} from '../engine/file-endings.js';
import {scoreTreebank} from '../engine/syntax/score-treebank.js';
import {grammarStrings as words} from '../strings/grammar.js';
import {strings} from '../strings/index.js';
import {formatPercent} from '../views/parts/number-format.js';
import {bringIntoSight} from './bring-into-sight.js';
import './grammar-failures.js';
import './head-search.js';
import './pairs-panel.js';
import {PanelTask, WorkbenchPanel} from './panel.js';
import {problem} from './problem-message.js';
import {
  allHeads,
  annotationOf,
  cautionsOf,
  fewest,
  foundByHead,
  saveReport,
} from './grammar-report.js';
import {relationCode, relationName} from './relation-name.js';
import {grammarStyles} from './styles.js';
import {builtInTreebank, sentencesIn} from './treebank.js';
import {refusingLongLines} from './word-pairs.js';

/** @import {Sentence} from '../engine/syntax/conllu.js' */
/** @import {Model} from '../session/shared-models.js' */
/** @import {RelationScore} from '../engine/syntax/relation-counts.js' */
/** @import {Measured} from './grammar-report.js' */
/** @import {Treebank} from './treebank.js' */

/** The latest measurement of each model, which stays when the panel is closed. @type {WeakMap<Model, Measured>} */
const measured = new WeakMap();

/** The files that were measured, or are: each is measured when it arrives, and not when the panel opens again. @type {WeakSet<File>} */
const begun = new WeakSet();

/** The sentence that the reader has opened last: its annotation is known. @type {Sentence | null} */
let annotated = null;

/**
 * The panel measures on annotated sentences what heads show of grammar: for each relation the head that finds it most
 * often, beside what the position of words alone finds.
 *
 * @fires choose  detail: `{layer, heads, meanLayers}`, and `token` in a sentence that was opened
 * @fires relation  detail: a statistic of all heads, how often each finds the relation that the reader has
 *   chosen; null when it is measured anew
 * @fires edit  detail: `{text, textPair}`, a sentence to open
 * @fires annotation  detail: an `Annotation`, the links of the relation in that sentence
 */
export class WorkbenchGrammar extends WorkbenchPanel {
  static properties = {
    file: {attribute: false},
    progress: {state: true},
    relation: {state: true},
  };

  static styles = grammarStyles;

  #measuring = new PanelTask(this, {
    autoRun: false,
    task: async (/** @type {readonly [Treebank | null]} */ [given], {signal}) => {
      const model = /** @type {Model} */ (this.model);
      this.progress = 0;
      const onProgress = (/** @type {number} */ share) => (this.progress = Math.floor(100 * share));
      const treebank = given ?? (await builtInTreebank());
      const {pairs} = treebank;
      const sentences = sentencesIn(treebank, signal, onProgress);
      const asked = pairs ? refusingLongLines(model, pairs) : model;
      const report = await scoreTreebank(asked, sentences, {signal});
      measured.set(model, {treebank, report});
      // What the map shows is of the measurement before.
      this.relation = '';
      this.#send('relation', null);
      this.#isNew = true;
    },
  });

  /** The word to pin when the sentence that the reader has opened is there. @type {{sentence: Sentence, word: number, score: RelationScore} | null} */
  #opened = null;
  /** Whether the table is there and has not been brought into sight. */
  #isNew = false;

  constructor() {
    super();
    /** The reader's own sentences, which are measured at once. @type {File | null} */
    this.file = null;
    /** Percent. */
    this.progress = 0;
    /** The relation whose failures are listed; empty for none. */
    this.relation = '';
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('model')) this.#measuring.abort();
    const {file, model} = this;
    if (model && file && !begun.has(file)) this.#measureFile(file);
  }

  updated() {
    this.#pinOpened();
    const section = this.#isNew && this.renderRoot.querySelector('section');
    if (!section || this.#measuring.status === TaskStatus.PENDING) return;
    this.#isNew = false;
    bringIntoSight(section);
  }

  /** @param {File} file */
  #measureFile(file) {
    begun.add(file);
    this.#measure({name: file.name, file});
  }

  /** @param {Treebank | null} treebank  null for the sentences of the page */
  #measure(treebank) {
    void this.#measuring.run([treebank]);
  }

  render() {
    const {model} = this;
    if (!model) return nothing;
    const found = measured.get(model);
    return html`<p class="hint">${words.hint}</p>
      <div class="row">${this.#controls()}</div>
      <workbench-pairs
        .isBusy=${this.#measuring.status === TaskStatus.PENDING}
        @measure=${(/** @type {CustomEvent<Sentence[]>} */ {detail}) => this.#measure({name: words.pairs.name, pairs: detail})}
      ></workbench-pairs>
      ${this.#search(model, found?.report ?? null)} ${this.#measuring.render({error: problem})}
      ${found ? this.#found(found) : nothing}`;
  }

  /** @param {Model} model @param {Measured['report'] | null} report */
  #search({shape}, report) {
    const {result} = this;
    const isAnnotated = result && !result.pair && result.text === annotated?.text;
    return html`<workbench-head-search
      .result=${result}
      .shape=${shape}
      .report=${report}
      .relation=${this.relation}
      .sentence=${isAnnotated ? annotated : null}
      @choose=${(/** @type {CustomEvent<object>} */ {detail}) => this.#send('choose', detail)}
    ></workbench-head-search>`;
  }

  #controls() {
    if (this.#measuring.status === TaskStatus.PENDING) {
      return html`<button type="button" @click=${() => this.#measuring.abort()}>
          ${words.stop}
        </button>
        <progress aria-label=${words.progress} max="100" .value=${this.progress}></progress>`;
    }
    return html`<button type="button" class="primary" @click=${() => this.#measure(null)}>
        ${words.run}
      </button>
      <label class="field">
        <span>${words.own}</span>
        <input
          type="file"
          accept=${TREEBANK_ENDING}
          @change=${(/** @type {Event} */ event) => this.#open(event)}
        />
      </label>`;
  }

  /** @param {Event} event */
  #open({target}) {
    const [file] = /** @type {HTMLInputElement} */ (target).files ?? [];
    if (file) this.#measureFile(file);
  }

  /** @param {Measured} found */
  #found(found) {
    const {treebank, report} = found;
    const {relation, head, found: right, position} = words.columns;
    const {sentences, relations} = report;
    const frequent = relations.filter(({links}) => treebank.pairs || links >= fewest);
    return html`<section aria-labelledby="grammar-title">
        <h3 id="grammar-title">
          ${words.measured(treebank.name || words.builtIn, sentences, report.words)}
        </h3>
        ${
          frequent.length
            ? html`<div class="wide" tabindex="0" role="region" aria-label=${words.table}>
                <table class="relations">
                  <thead>
                    <tr>
                      <th scope="col">${relation}</th>
                      <th scope="col">${head}</th>
                      <th scope="col" title=${words.intervalHelp}>${right}</th>
                      <th scope="col" title=${words.positionHelp}>${position}</th>
                    </tr>
                  </thead>
                  <tbody>
                    ${frequent.map((score) => this.#row(score))}
                  </tbody>
                </table>
              </div>`
            : nothing
        }
        <p class="hint">${strings.text.sentences(cautionsOf(found))}</p>
        <div class="row">
          ${['CSV', 'JSON'].map(
            (format) =>
              html`<button
                type="button"
                class="bare"
                @click=${() => saveReport(found, this.model?.name ?? '', format)}
              >
                ${words.save(format)}
              </button>`,
          )}
        </div>
      </section>
      ${treebank.pairs ? nothing : allHeads(report)}`;
  }

  /** @param {RelationScore} score */
  #row(score) {
    const {relation, links, best, position} = score;
    const isChosen = relation === this.relation;
    const {layer, head, direction, right, share, interval} = best;
    const [low, high] = interval.map(formatPercent);
    const isBetter = interval[0] > position.share;
    return html`<tr>
        <th scope="row">
          <button
            type="button"
            class="bare"
            aria-expanded=${isChosen}
            @click=${() => this.#choose(score)}
          >
            ${relationName(relation)}
          </button>
          <small>${relationCode(relation)}${isBetter ? nothing : html` · ${words.noBetter}`}</small>
        </th>
        <td title=${words.directions[direction]}>${layer}.${head}</td>
        <td class="number" style="--share: ${isBetter ? share : 0}">
          ${words.of(right, links)}
          <small title=${words.intervalHelp}>${words.interval(low, high)}</small>
        </td>
        <td class="number">
          ${position.right}
          <small>${formatPercent(position.share)}</small>
        </td>
      </tr>
      ${
        isChosen
          ? html`<tr>
              <td colspan="4">${this.#told(score)}</td>
            </tr>`
          : nothing
      }`;
  }

  /** Says what a head was found to do, and where it fails. @param {RelationScore} score */
  #told(score) {
    const {relation, links, best, position} = score;
    const finds = words.finds(relationName(relation));
    const place = `${best.layer}.${best.head}`;
    return html`<p>${words.claim(place, finds, best.right, links, position.right)}</p>
      <p class="hint">${words.directions[best.direction]} ${words.offset(position.offset)}</p>
      <workbench-failures
        .model=${this.model}
        .treebank=${this.model && measured.get(this.model)?.treebank}
        .score=${score}
        @open=${(/** @type {CustomEvent<{sentence: Sentence, word: number}>} */ {detail}) => this.#show(score, detail)}
      ></workbench-failures>`;
  }

  /** Shows the best head of a relation, colours the map by it and lists where it fails, or ends the list. @param {RelationScore} score */
  #choose(score) {
    const isChosen = score.relation === this.relation;
    this.relation = isChosen ? '' : score.relation;
    if (isChosen) return;
    this.#send('choose', placeOf(score));
    this.#send('relation', foundByHead(score));
  }

  /** Opens a sentence, with the head and the word. @param {RelationScore} score @param {{sentence: Sentence, word: number}} failure */
  #show(score, {sentence, word}) {
    annotated = sentence;
    this.#opened = {score, sentence, word};
    this.#send('edit', {text: sentence.text, textPair: ''});
    this.#send('annotation', annotationOf(score, sentence));
    this.#pinOpened();
  }

  #pinOpened() {
    const {result} = this;
    if (!this.#opened || result?.text !== this.#opened.sentence.text || result.pair) return;
    const {score, sentence, word} = this.#opened;
    this.#opened = null;
    const [begin, end] = sentence.words[word].place ?? [0, 0];
    const index = result.offsets.findIndex((at) => at && at[0] >= begin && at[0] < end);
    const side = score.best.direction === 'to' ? 'query' : 'key';
    this.#send('choose', {...placeOf(score), token: index < 0 ? null : {side, index}});
  }

  /** @param {string} event @param {object | null} detail */
  #send(event, detail) {
    this.dispatchEvent(new CustomEvent(event, {detail}));
  }
}

/** @param {RelationScore} score */
const placeOf = ({best: {layer, head}}) => ({layer, heads: [head], meanLayers: []});

customElements.define('workbench-grammar', WorkbenchGrammar);
