import {TaskStatus} from '@lit/task';
import {html, nothing} from 'lit';
import {TREEBANK_ENDING} from '../engine/file-endings.js';
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

/** @import {Model} from '../scope/shared-models.js' */
/** @import {RelationScore} from '../engine/syntax/relation-counts.js' */
/** @import {SyntaxReport} from '../engine/syntax/score-treebank.js' */
/** @import {Treebank} from './treebank.js' */

/** @typedef {{treebank: Treebank, report: SyntaxReport}} Measured */

/** The latest measurement of each model, which stays when the panel is closed. @type {WeakMap<Model, Measured>} */
const measured = new WeakMap();

/** The files that were measured, or are: each is measured when it arrives, and not when the panel opens again. @type {WeakSet<File>} */
const begun = new WeakSet();

/** The number of words of a relation that say something about a head. */
const fewest = 5;

/**
 * The panel measures on annotated sentences what heads show of grammar: for each relation the head that finds it most
 * often, beside what the position of words alone finds.
 *
 * @fires choose  detail: `{layer, heads, meanLayers}`
 */
export class WorkbenchGrammar extends WorkbenchPanel {
  static properties = {
    file: {attribute: false},
    progress: {state: true},
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
      this.#isNew = true;
    },
  });

  /** Whether the table is there and has not been brought into sight. */
  #isNew = false;

  constructor() {
    super();
    /** The reader's own sentences, which are measured at once. @type {File | null} */
    this.file = null;
    /** Percent. */
    this.progress = 0;
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('model')) this.#measuring.abort();
    const {file, model} = this;
    if (model && file && !begun.has(file)) this.#measure(file);
  }

  updated() {
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
  #row({relation, links, best, position}) {
    const {layer, head, direction, right, share, interval} = best;
    const [low, high] = interval.map(formatPercent);
    const isBetter = interval[0] > position.share;
    return html`<tr>
      <th scope="row">
        <button type="button" class="bare" @click=${() => this.#choose(best)}>
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
        <small title=${words.offset(position.offset)}> ${formatPercent(position.share)} </small>
      </td>
    </tr>`;
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

  /** @param {{layer: number, head: number}} place */
  #choose({layer, head}) {
    this.dispatchEvent(new CustomEvent('choose', {detail: {layer, heads: [head], meanLayers: []}}));
  }
}

/** @param {NonNullable<SyntaxReport['coreference']>} coreference */
function antecedents({best, links, nearest}) {
  return words.antecedents(`${best.layer}.${best.head}`, best.right, links, nearest.right);
}

customElements.define('workbench-grammar', WorkbenchGrammar);
