import {indicesIn} from '../../attention/range.js';
import {strings} from '../../strings/index.js';
import {create, labelled} from '../parts/create-element.js';
import {formatNumber} from '../parts/number-format.js';
import {scoreFormula} from './scene.js';

/** @import {Focus} from './canvas.js' */
/** @import {NeuronScene, QueryScene} from './scene.js' */
/** @typedef {{head: NeuronScene, scene: QueryScene, focus: Focus}} Content */

/** The places of the columns of what distances add to scores, and of scores. */
const [POSITION, SCORE] = [2, 3];

/** Shows every number of one query in two tables: all keys, and all dimensions of one key. */
export class NeuronTable {
  element = create('details', 'numbers', create('summary', '', strings.neuron.tables.title));
  #keys = createTable(strings.neuron.tables.keys, strings.neuron.tables.keyColumns);
  #dimensions = createTable(
    strings.neuron.tables.dimensions,
    strings.neuron.tables.dimensionColumns,
  );
  /** @type {(Content & {tokens: {query: string, keys: readonly string[]}}) | null} */
  #content = null;

  constructor() {
    this.element.append(create('div', 'tables', this.#keys.element, this.#dimensions.element));
    this.element.addEventListener('toggle', () => this.#fill());
  }

  /** @param {Content & {tokens: {query: string, keys: readonly string[]}}} content */
  update(content) {
    this.#content = content;
    this.#fill();
  }

  #fill() {
    if (!this.element.open || !this.#content) return;
    const {head, scene, focus, tokens} = this.#content;
    const {arithmetic, keys, weights} = scene;
    const {headDim} = arithmetic;
    this.#keys.name.replaceChildren(
      `${strings.neuron.tables.keys}: `,
      create('bdi', 'name', tokens.query),
      ' → …',
    );
    this.#keys.titles[SCORE].textContent = scoreFormula(head);
    this.#keys.titles[POSITION].hidden = !arithmetic.positionScores;
    this.#keys.fill(
      indicesIn(keys).map((key) => [
        tokens.keys[key],
        arithmetic.sums[key],
        arithmetic.positionScores?.[key] ?? 0,
        arithmetic.scores[key],
        arithmetic.softmax[key],
        weights[key],
      ]),
    );
    this.#dimensions.name.replaceChildren(
      `${strings.neuron.tables.dimensions}: `,
      create('bdi', 'name', tokens.query),
      ' → ',
      create('bdi', 'name', tokens.keys[focus.key]),
    );
    this.#dimensions.fill(
      Array.from({length: headDim}, (_, i) => {
        const at = focus.key * headDim + i;
        return [
          String(i),
          arithmetic.query[i],
          head.vectors.keys[at],
          arithmetic.products[at],
          head.vectors.values[at],
          arithmetic.weighted[at],
          arithmetic.output[i],
        ];
      }),
    );
  }
}

/**
 * @param {string} label
 * @param {readonly string[]} columns
 */
function createTable(label, columns) {
  const name = create('caption', '', label);
  const body = create('tbody');
  const header = create('tr');
  /** @type {HTMLElement[]} */
  const titles = [];
  columns.forEach((text, i) => {
    const cell = create('th', i ? 'number' : '', text);
    cell.scope = 'col';
    titles.push(cell);
    header.append(cell);
  });
  const table = create('table', '', name, create('thead', '', header), body);
  const element = create('div', 'table', table);
  // The table scrolls, so the keyboard must reach it.
  element.tabIndex = 0;
  labelled(element, 'region', label);
  return {
    element,
    name,
    titles,
    /** @param {(string | number)[][]} rows */
    fill(rows) {
      body.replaceChildren(
        ...rows.map((cells) => {
          const line = create('tr');
          cells.forEach((content, i) => {
            if (titles[i].hidden) return;
            if (i === 0) {
              const title = create('th', '', create('bdi', '', String(content)));
              title.scope = 'row';
              line.append(title);
            } else {
              line.append(create('td', 'number', formatNumber(Number(content), 4)));
            }
          });
          return line;
        }),
      );
    },
  };
}
