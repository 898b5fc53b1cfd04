import {Task, TaskStatus} from '@lit/task';
import {html, nothing, svg} from 'lit';
import {select} from '../controls/fields.js';
import {strings} from '../strings/index.js';
import {liveStrings} from '../strings/live.js';
import {workbenchStrings} from '../strings/workbench.js';
import {formatPercent} from '../views/parts/number-format.js';
import {statisticNames} from '../attention/head-statistics.js';
import {frameOf, inNamesOf} from '../attention/special-tokens.js';
import {CopyingHeads} from './copying-heads.js';
import {measuredNames} from './grammar-report.js';
import {isOfModel, measurementOf} from './measurements.js';
import {PanelTask, WorkbenchPanel} from './panel.js';
import {apart} from './spread-points.js';
import {headsStyles} from './styles.js';
import {problem} from './problem-message.js';

/** @import {Model} from '../session/shared-models.js' */
/** @import {StatisticName} from '../attention/head-statistics.js' */
/** @import {Selection} from '../attention/selection.js' */
/** @import {HeadRef} from '../attention/shape.js' */

/**
 * @typedef {StatisticName | 'place' | 'distance-to-chosen'} Column
 * @typedef {Awaited<ReturnType<Model['headGuide']>>} HeadGuide
 */

const {heads: words} = workbenchStrings;

/** The margin around the points of the map, and the radius of a point, in the map's own units. */
const margin = 8;
const radius = 4.5;

/**
 * The panel lists what every head does on average, over the shown text or over many. The reader can sort and filter
 * the heads, and compare them with the chosen one.
 *
 * @fires choose  detail: `{layer, heads}`
 * @fires relation  detail: a statistic of all heads, which the reader wants to see in the map of heads
 */
export class WorkbenchHeads extends WorkbenchPanel {
  static properties = {
    selection: {attribute: false},
    source: {state: true},
    name: {state: true},
    order: {state: true},
    progress: {state: true},
  };

  static styles = headsStyles;

  #ofText = new Task(this, {
    args: () => /** @type {const} */ ([this.result]),
    task: ([result]) => result?.headStatistics({similar: true}) ?? null,
  });
  #ofSentences = new PanelTask(this, {
    args: () => /** @type {const} */ ([this.source === 'sentences' ? this.model : null]),
    task: ([model], {signal}) => {
      this.progress = 0;
      const onProgress = (/** @type {{done: number, total: number}} */ {done, total}) =>
        (this.progress = done / total);
      return model?.headGuide({signal, onProgress}) ?? null;
    },
  });

  #copying = new CopyingHeads(this);

  constructor() {
    super();
    /** @type {Selection} */
    this.selection = {layer: 0, heads: [0], filter: 'all', token: null};
    /** @type {keyof typeof words.sources} the texts that the averages are over */
    this.source = 'text';
    /** Only heads with this name are listed; empty: all heads. */
    this.name = '';
    /** @type {{column: Column, descending: boolean}} */
    this.order = {column: 'place', descending: false};
    this.progress = 0;
  }

  render() {
    const task = this.source === 'text' ? this.#ofText : this.#ofSentences;
    const guide = task.value;
    return html`<p class="hint">${words.hint}</p>
      <div class="row">
        ${select(words.source, words.sources, this.source, (source) => (this.source = source))}
        ${guide ? select(words.filter, this.#namesIn(guide), this.name, (name) => (this.name = name)) : nothing}
        ${
          task === this.#ofSentences && task.status === TaskStatus.PENDING
            ? html`<progress
                aria-label=${words.sources.sentences}
                max="1"
                .value=${this.progress}
              ></progress>`
            : nothing
        }
      </div>
      ${task.render({error: problem})}
      ${guide ? this.#table(guide) : html`<p class="hint">${this.result ? '' : workbenchStrings.noText}</p>`}
      ${this.#copying.template((place) => this.#placeButton(place))}`;
  }

  /** What a head was found to do with grammar. @param {HeadRef} place */
  #measuredOf({layer, head}) {
    const found = measurementOf(this.model);
    const isOwn = (/** @type {HeadRef} */ each) => each.layer === layer && each.head === head;
    if (!found || !this.model || !isOfModel(found, this.model)) return [];
    return measuredNames(found.report).filter(({places}) => places.some(isOwn));
  }

  /** Says of the model's tokens what strings say of BERT's. @param {string} text */
  #say(text) {
    const {tokens = [], specialTokens = []} = this.result ?? {};
    return inNamesOf(frameOf(tokens, specialTokens))(text);
  }

  /** @param {string} name */
  #nameOf(name) {
    const {heads} = liveStrings.analysis;
    return this.#say(heads[/** @type {keyof typeof heads} */ (name)].name);
  }

  /** @param {HeadGuide} guide */
  #namesIn({names}) {
    /** @type {Record<string, string>} */
    const choices = {'': words.all(names.length)};
    for (const name of names) {
      const count = names.filter((other) => other === name).length;
      choices[name] = words.named(this.#nameOf(name), count);
    }
    return choices;
  }

  /** @param {HeadGuide} guide */
  #table(guide) {
    const {
      layer,
      heads: [head],
    } = this.selection;
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${words.table}>
        <table class="heads">
          <thead>
            <tr>
              ${this.#header('place', words.place, '')}
              <th scope="col">${words.name}</th>
              ${statisticNames.map((column) => {
                const {name, shows} = strings.statistics[column];
                const caution = workbenchStrings.cautions[column];
                return this.#header(
                  column,
                  this.#say(name),
                  strings.text.sentences([this.#say(shows), caution]),
                );
              })}
              ${this.#header('distance-to-chosen', words.unlike(layer, head), words.unlikeHelp)}
            </tr>
          </thead>
          <tbody>
            ${this.#rows(guide).map((at) => this.#row(guide, at))}
          </tbody>
        </table>
      </div>
      ${this.#plane(guide)}`;
  }

  /** Draws the heads nearest to the chosen one; these distances are exact, unlike the map. @param {HeadGuide} guide */
  #alike(guide) {
    const {
      layer,
      heads: [head],
    } = this.selection;
    const distances = this.#column(guide, 'distance-to-chosen');
    const nearest = Array.from(distances, (_, at) => at)
      .filter((at) => at !== layer * guide.heads + head && distances[at] >= 0)
      .sort((a, b) => distances[a] - distances[b])
      .slice(0, mostAlike);
    return html`<h4>${words.alike(layer, head)}</h4>
      <ol class="alike">
        ${nearest.map((at) => {
          const place = placeOf(at, guide.heads);
          return html`<li>
            ${this.#placeButton(place)}
            <span>${this.#nameOf(guide.names[at])}</span>
            <span class="number">${distances[at].toFixed(2)}</span>
          </li>`;
        })}
      </ol>`;
  }

  /** Draws heads as points; heads that attend to the same tokens lie close together. @param {HeadGuide} guide */
  #plane(guide) {
    const {map, heads, names} = guide;
    if (!map) return nothing;
    const {name, shows, caution} = workbenchStrings.headMap;
    const most = Math.max(0.01, ...map.positions.map(Math.abs));
    const exact = names.map((_, at) => ({
      at,
      x: (100 * map.positions[2 * at]) / most,
      y: (100 * map.positions[2 * at + 1]) / most,
    }));
    const points = apart(exact, 2 * radius + 0.5);
    const [left, top] = [minOf(points, 'x') - margin, minOf(points, 'y') - margin];
    const [right, bottom] = [-minOf(points, 'x', -1) + margin, -minOf(points, 'y', -1) + margin];
    const box = [left, top, right - left, bottom - top].join(' ');
    return html`<section class="beside-plane">
      <div>
        <h3>${name}</h3>
        <p class="hint">
          ${strings.text.sentences([shows, caution, words.kept(formatPercent(map.share))])}
        </p>
        ${this.#alike(guide)}
      </div>
      <svg class="plane" viewBox=${box} role="img" aria-label=${name}>
        ${points.map(
          ({x, y}, at) => svg`<line x1=${exact[at].x} y1=${exact[at].y} x2=${x} y2=${y} />`,
        )}
        ${points.map(({at, x, y}) => {
          const place = placeOf(at, heads);
          return svg`<g
            class=${this.#isChosen(place) ? 'chosen' : ''}
            transform="translate(${x} ${y})"
            @click=${() => this.#choose(place)}
          >
            <title>${strings.model.place(place.layer, place.head)}: ${this.#nameOf(names[at])}</title>
            <circle r=${radius} />
            <text>${nameOfPlace(place)}</text>
          </g>`;
        })}
      </svg>
    </section>`;
  }

  /** @param {HeadGuide} guide */
  #rows(guide) {
    const {column, descending} = this.order;
    const rows = guide.names.flatMap((name, at) => (!this.name || name === this.name ? [at] : []));
    if (column !== 'place') {
      const values = this.#column(guide, column);
      rows.sort((a, b) => values[a] - values[b]);
    }
    return descending ? rows.reverse() : rows;
  }

  /** @param {HeadGuide} guide @param {Exclude<Column, 'place'>} column @returns {ArrayLike<number>} */
  #column({statistics, map, heads, names}, column) {
    if (column !== 'distance-to-chosen') return statistics[column];
    const {
      layer,
      heads: [head],
    } = this.selection;
    const start = (layer * heads + head) * names.length;
    return map ? map.distances.subarray(start, start + names.length) : [];
  }

  /** @param {Column} column @param {string} label @param {string} help */
  #header(column, label, help) {
    const isSorted = this.order.column === column;
    const sort = isSorted ? (this.order.descending ? 'descending' : 'ascending') : nothing;
    // The first click sorts downwards, except for places and for distances, where the smallest comes first.
    const isUpwards = column === 'place' || column === 'distance-to-chosen';
    const next = {column, descending: isSorted ? !this.order.descending : !isUpwards};
    return html`<th scope="col" aria-sort=${sort} title=${help}>
      <button type="button" class="bare" @click=${() => (this.order = next)}>${label}</button>
    </th>`;
  }

  /** @param {HeadGuide} guide @param {number} at */
  #row(guide, at) {
    const {heads, names} = guide;
    const place = placeOf(at, heads);
    const {rule} = liveStrings.analysis.heads[names[at]];
    const columns = /** @type {const} */ ([...statisticNames, 'distance-to-chosen']);
    return html`<tr aria-selected=${this.#isChosen(place)}>
      <th scope="row">${this.#placeButton(place)}</th>
      <td title=${this.#say(rule)}>
        ${this.#nameOf(names[at])}
        ${this.#measuredOf(place).map((found) => html`<small title=${found.rule}>${found.name}</small>`)}
      </td>
      ${columns.map((column) => {
        const value = this.#column(guide, column)[at] ?? NaN;
        const isPercent = isShare(column);
        return html`<td class="number" style="--share: ${isPercent && value > 0 ? value : 0}">
          ${Number.isNaN(value) ? '' : isPercent ? formatPercent(value) : value.toFixed(2)}
        </td>`;
      })}
    </tr>`;
  }

  /** @param {HeadRef} place */
  #isChosen({layer, head}) {
    return this.selection.layer === layer && this.selection.heads.includes(head);
  }

  /** Draws the name of a head as a button that chooses it. @param {HeadRef} place */
  #placeButton(place) {
    return html`<button
      type="button"
      class="bare"
      title=${words.show(place.layer, place.head)}
      @click=${() => this.#choose(place)}
    >
      ${nameOfPlace(place)}
    </button>`;
  }

  /** @param {HeadRef} place */
  #choose({layer, head}) {
    this.dispatchEvent(new CustomEvent('choose', {detail: {layer, heads: [head]}}));
  }
}

/** The number of heads that are listed as nearest to the chosen one. */
const mostAlike = 8;

/**
 * @param {readonly {x: number, y: number}[]} points
 * @param {'x' | 'y'} axis
 * @param {1 | -1} sign
 */
function minOf(points, axis, sign = 1) {
  return Math.min(...points.map((point) => sign * point[axis]));
}

/** @param {number} at @param {number} heads @returns {HeadRef} */
function placeOf(at, heads) {
  return {layer: Math.floor(at / heads), head: at % heads};
}

/** @param {HeadRef} place */
function nameOfPlace({layer, head}) {
  return `${layer}.${head}`;
}

/** @param {Column} column */
function isShare(column) {
  return !['entropy', 'distance', 'distance-to-chosen'].includes(column);
}

customElements.define('workbench-heads', WorkbenchHeads);
