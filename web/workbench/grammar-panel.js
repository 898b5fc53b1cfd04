import {TaskStatus} from '@lit/task';
import {html, nothing} from 'lit';
import {TREEBANK_ENDING} from '../engine/file-endings.js';
import {missedLinks} from '../engine/syntax/missed-links.js';
import {rowsOfReport} from '../engine/syntax/report-csv.js';
import {scoreTreebank} from '../engine/syntax/score-treebank.js';
import {csv} from '../export/csv.js';
import {fileName, save} from '../export/download.js';
import {grammarStrings as words} from '../strings/grammar.js';
import {strings} from '../strings/index.js';
import {formatPercent} from '../views/parts/number-format.js';
import {bringIntoSight} from './bring-into-sight.js';
import {PanelTask, WorkbenchPanel} from './panel.js';
import {problem} from './problem-message.js';
import {relationName} from './relation-name.js';
import {grammarStyles} from './styles.js';
import {builtInTreebank, sentencesOf} from './treebank.js';

/** @import {Statistic} from '../attention/head-statistics.js' */
/** @import {Sentence} from '../engine/syntax/conllu.js' */
/** @import {Miss} from '../engine/syntax/missed-links.js' */
/** @import {Model} from '../scope/shared-models.js' */
/** @import {RelationScore} from '../engine/syntax/relation-counts.js' */
/** @import {SyntaxReport} from '../engine/syntax/score-treebank.js' */
/** @import {Treebank} from './treebank.js' */

/** @typedef {{treebank: Treebank, report: SyntaxReport}} Measured */
/** @typedef {{sentence: Sentence, misses: Miss[]}} Failure */

/** The latest measurement of each model, which stays when the panel is closed. @type {WeakMap<Model, Measured>} */
const measured = new WeakMap();

/** The files that were measured, or are: each is measured when it arrives, and not when the panel opens again. @type {WeakSet<File>} */
const begun = new WeakSet();

/** The number of words of a relation that say something about a head. */
const fewest = 5;
/** The largest number of sentences that are listed, and of characters in one: a file may hold any text. */
const mostListed = 30;
const mostCharacters = 1_000;

/**
 * The panel measures on annotated sentences what heads show of grammar: for each relation the head that finds it most
 * often, beside what the position of words alone finds.
 *
 * @fires choose  detail: `{layer, heads, meanLayers}`, and `token` in a sentence that was opened
 * @fires relation  detail: a statistic of all heads, how often each finds the relation that the reader has
 *   chosen; null when it is measured anew
 * @fires edit  detail: `{text, textPair}`, a sentence to open
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
    task: async (/** @type {readonly [File | null]} */ [file], {signal}) => {
      const model = /** @type {Model} */ (this.model);
      this.progress = 0;
      const onProgress = (/** @type {number} */ share) => (this.progress = Math.floor(100 * share));
      const treebank = file ? {name: file.name, file} : await builtInTreebank();
      const sentences = sentencesOf(treebank, signal, onProgress);
      const report = await scoreTreebank(model, sentences, {signal});
      measured.set(model, {treebank, report});
      // What the map shows is of the measurement before.
      this.relation = '';
      this.#send('relation', null);
      this.#isNew = true;
    },
  });

  #failures = new PanelTask(this, {
    args: () =>
      /** @type {const} */ ([(this.model && measured.get(this.model)) ?? null, this.relation]),
    task: async ([found, relation], {signal}) => {
      const score = found?.report.relations.find((each) => each.relation === relation);
      if (!found || !score) return null;
      const model = /** @type {Model} */ (this.model);
      const sentences = sentencesOf(found.treebank, signal);
      /** @type {Failure[]} */
      const failures = [];
      for await (const each of missedLinks(model, sentences, {relation, ...score.best}, signal)) {
        if (each.sentence.text.length <= mostCharacters) failures.push(each);
        if (failures.length === mostListed) break;
      }
      return {score, failures};
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
    if (model && file && !begun.has(file)) this.#measure(file);
  }

  updated() {
    this.#pinOpened();
    const section = this.#isNew && this.renderRoot.querySelector('section');
    if (!section || this.#measuring.status === TaskStatus.PENDING) return;
    this.#isNew = false;
    bringIntoSight(section);
  }

  /** @param {File | null} file */
  #measure(file) {
    if (file) begun.add(file);
    void this.#measuring.run([file]);
  }

  render() {
    const {model} = this;
    if (!model) return nothing;
    const found = measured.get(model);
    return html`<p class="hint">${words.hint}</p>
      <div class="row">${this.#controls()}</div>
      ${this.#measuring.render({error: problem})} ${found ? this.#found(found) : nothing}`;
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
    if (file) this.#measure(file);
  }

  /** @param {Measured} found */
  #found(found) {
    const {treebank, report} = found;
    const {relation, head, found: right, position} = words.columns;
    const {sentences, skipped, relations, chance} = report;
    const frequent = relations.filter(({links}) => links >= fewest);
    const rare = relations.length - frequent.length;
    const shuffled = String(Math.round(chance.permuted));
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
        <p class="hint">
          ${strings.text.sentences([
            ...(skipped ? [words.skipped(skipped)] : []),
            ...(rare ? [words.rare(rare, fewest)] : []),
            words.caution,
            words.chance(chance.observed, chance.pairs, shuffled),
          ])}
        </p>
        <div class="row">
          ${['CSV', 'JSON'].map(
            (format) =>
              html`<button type="button" class="bare" @click=${() => this.#save(found, format)}>
                ${words.save(format)}
              </button>`,
          )}
        </div>
      </section>
      ${this.#together(report)}`;
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
          <small>${relation}${isBetter ? nothing : html` · ${words.noBetter}`}</small>
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
      <h4>${words.fails(links - best.right)}</h4>
      ${this.#failures.render({
        pending: () => html`<p class="hint" role="status">${words.searching}</p>`,
        complete: (found) =>
          found?.score === score ? this.#listed(score, found.failures) : nothing,
        error: problem,
      })}`;
  }

  /** @param {RelationScore} score @param {Failure[]} failures */
  #listed(score, failures) {
    if (!failures.length)
      return score.best.right === score.links ? html`<p class="hint">${words.never}</p>` : nothing;
    return html`<p class="hint">
        ${failures.length === mostListed ? words.first(mostListed) : words.click}
      </p>
      <ol class="misses">
        ${failures.map(
          ({sentence, misses}) =>
            html`<li>
              <button
                type="button"
                class="bare"
                @click=${() => this.#show(score, sentence, misses[0].word)}
              >
                <bdi>${sentence.text}</bdi>
              </button>
              ${misses.map((miss) => html`<small>${missed(score, sentence, miss)}</small>`)}
            </li>`,
        )}
      </ol>`;
  }

  /** @param {SyntaxReport} report */
  #together({tree, coreference}) {
    return html`<section>
      <h3>${words.below}</h3>
      <p>${words.tree(tree.heads.right, tree.links, tree.neighbours.right)}</p>
      ${coreference ? html`<p>${antecedents(coreference)}</p>` : nothing}
    </section>`;
  }

  /** Saves a table of all relations, or everything that was measured. @param {Measured} found @param {string} format */
  #save({treebank, report}, format) {
    const model = this.model?.name ?? '';
    const name = fileName(['grammar', model, treebank.name], format.toLowerCase());
    const [content, type] =
      format === 'CSV'
        ? [csv(rowsOfReport(report)), 'text/csv']
        : [`${JSON.stringify(report)}\n`, 'application/json'];
    save(name, new Blob([content], {type}));
  }

  /** Shows the best head of a relation, colours the map by it and lists where it fails, or ends the list. @param {RelationScore} score */
  #choose(score) {
    const isChosen = score.relation === this.relation;
    this.relation = isChosen ? '' : score.relation;
    if (isChosen) return;
    this.#send('choose', placeOf(score));
    this.#send('relation', foundByHead(score));
  }

  /** Opens a sentence, with the head and the word. @param {RelationScore} score @param {Sentence} sentence @param {number} word */
  #show(score, sentence, word) {
    this.#opened = {score, sentence, word};
    this.#send('edit', {text: sentence.text, textPair: ''});
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

/**
 * How often each head finds a relation, in the direction of the best one.
 *
 * @param {RelationScore} score
 * @returns {Statistic}
 */
function foundByHead({relation, links, best, right}) {
  const ofHeads = right[best.direction];
  return {
    name: words.mapped(relationName(relation), relation),
    help: words.directions[best.direction],
    values: ofHeads.map((count) => count / links),
    range: {least: 0, most: 1},
    format: formatPercent,
    tell: (at) => words.of(ofHeads[at], links),
  };
}

/** @param {RelationScore} score @param {Sentence} sentence @param {Miss} miss */
function missed({best}, {words: all}, {word, wanted, found}) {
  const form = (/** @type {number} */ at) => all[at]?.form ?? '';
  return words.missed(best.direction, form(word), form(found), form(wanted));
}

/** @param {NonNullable<SyntaxReport['coreference']>} coreference */
function antecedents({best, links, nearest}) {
  return words.antecedents(`${best.layer}.${best.head}`, best.right, links, nearest.right);
}

customElements.define('workbench-grammar', WorkbenchGrammar);
