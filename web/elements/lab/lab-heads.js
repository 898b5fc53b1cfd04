import {Task} from '@lit/task';
import {LitElement, html, nothing, unsafeCSS} from 'lit';
import {strings} from '../../strings/index.js';
import {formatPercent} from '../../views/formats.js';
import {statisticNames} from '../../views/head-statistics.js';
import labStyle from './lab.css?inline';

/** @import {Model} from '../model-pool.js' */
/** @import {Result} from '../passes.js' */
/** @import {StatisticName} from '../../views/head-statistics.js' */
/** @import {Selection} from '../../views/selection.js' */

/**
 * @typedef {StatisticName | 'place'} Column
 * @typedef {Awaited<ReturnType<Result['headStatistics']>>} Statistics
 */

const {heads: words} = strings.lab;

/**
 * Every head with what it does on average, to be sorted and filtered.
 *
 * @fires choose  detail: `{layer, heads}`
 */
export class LabHeads extends LitElement {
  static properties = {
    model: {attribute: false},
    result: {attribute: false},
    selection: {attribute: false},
    name: {state: true},
    order: {state: true},
  };

  static styles = [labStyle].map(unsafeCSS);

  #statistics = new Task(this, {
    args: () => /** @type {const} */ ([this.result]),
    task: ([result]) => result?.headStatistics() ?? null,
  });

  constructor() {
    super();
    /** @type {Model | null} */
    this.model = null;
    /** @type {Result | null} */
    this.result = null;
    /** @type {Selection} */
    this.selection = {layer: 0, heads: [0], filter: 'all', token: null};
    /** What heads are to be called; empty: all heads. */
    this.name = '';
    /** @type {{column: Column, descending: boolean}} */
    this.order = {column: 'place', descending: false};
  }

  render() {
    const found = this.#statistics.value;
    if (!found) return html`<p class="hint">${strings.lab.noText}</p>`;
    const {heads, names} = found;
    const counts = new Map();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    const rows = this.#rows(found);
    return html`<p class="hint">${words.hint}</p>
      <div class="row">
        <label class="field">
          <span>${words.filter}</span>
          <select
            @change=${(/** @type {Event} */ {target}) =>
              (this.name = /** @type {HTMLSelectElement} */ (target).value)}
          >
            <option value="" .selected=${this.name === ''}>${words.all(names.length)}</option>
            ${[...counts].map(
              ([name, count]) =>
                html`<option value=${name} .selected=${this.name === name}>
                  ${words.named(nameOf(name), count)}
                </option>`,
            )}
          </select>
        </label>
      </div>
      <div class="scroll" tabindex="0" role="region" aria-label=${words.table}>
        <table class="heads">
          <thead>
            <tr>
              ${this.#header('place', words.place, '')}
              <th scope="col">${words.name}</th>
              ${statisticNames.map((column) => {
                const {name, shows, caution} = strings.analysis.statistics[column];
                return this.#header(column, name, `${shows} ${caution}`);
              })}
            </tr>
          </thead>
          <tbody>
            ${rows.map((at) => this.#row(found, Math.floor(at / heads), at % heads))}
          </tbody>
        </table>
      </div>`;
  }

  /** @param {Statistics} found */
  #rows({statistics, names}) {
    const {column, descending} = this.order;
    const rows = names.flatMap((name, at) => (!this.name || name === this.name ? [at] : []));
    if (column !== 'place') rows.sort((a, b) => statistics[column][a] - statistics[column][b]);
    return descending ? rows.reverse() : rows;
  }

  /** @param {Column} column @param {string} label @param {string} help */
  #header(column, label, help) {
    const isSorted = this.order.column === column;
    const sort = isSorted ? (this.order.descending ? 'descending' : 'ascending') : nothing;
    // The greatest first, but places as they are.
    const next = {column, descending: isSorted ? !this.order.descending : column !== 'place'};
    return html`<th scope="col" aria-sort=${sort} title=${help}>
      <button type="button" @click=${() => (this.order = next)}>${label}</button>
    </th>`;
  }

  /**
   * @param {Statistics} found
   * @param {number} layer
   * @param {number} head
   */
  #row({heads, statistics, names}, layer, head) {
    const at = layer * heads + head;
    const {selection} = this;
    const isChosen = selection.layer === layer && selection.heads.includes(head);
    const {rule} = strings.analysis.heads[names[at]];
    return html`<tr aria-selected=${isChosen}>
      <th scope="row">
        <button
          type="button"
          title=${words.show(layer, head)}
          @click=${() =>
            this.dispatchEvent(new CustomEvent('choose', {detail: {layer, heads: [head]}}))}
        >
          ${layer}-${head}
        </button>
      </th>
      <td title=${rule}>${nameOf(names[at])}</td>
      ${statisticNames.map((column) => {
        const value = statistics[column][at];
        const share = isShare(column) ? value : 0;
        return html`<td class="number" style="--share: ${Number.isNaN(share) ? 0 : share}">
          ${Number.isNaN(value) ? '' : isShare(column) ? formatPercent(value) : value.toFixed(2)}
        </td>`;
      })}
    </tr>`;
  }
}

/** @param {StatisticName} column */
function isShare(column) {
  return column !== 'entropy' && column !== 'distance';
}

/** @param {string} name */
function nameOf(name) {
  return strings.analysis.heads[/** @type {keyof typeof strings.analysis.heads} */ (name)].name;
}

customElements.define('lab-heads', LabHeads);
