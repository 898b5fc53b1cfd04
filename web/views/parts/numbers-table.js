import {indicesIn} from '../../attention/range.js';
import {strings} from '../../strings/index.js';
import {create, labelled} from './create-element.js';
import {weightFormat} from './number-format.js';

/** @import {Slice, TokenRef} from '../../attention/selection.js' */
/** @import {Snapshot} from '../../attention/snapshot.js' */

/**
 * The weights of a picture, and which of them the table shows.
 *
 * @typedef {object} Numbers
 * @property {Snapshot} snapshot
 * @property {(query: number, key: number) => number} weight
 * @property {Slice} query  rows
 * @property {Slice} key  columns
 * @property {TokenRef | null} token  the pinned token
 */

/** A browser would take seconds for a table of more cells. */
const mostCells = 20_000;

/** Shows a picture's numbers as a table with three decimals, which each column can sort. */
export class NumbersTable {
  element = create('details', 'numbers', create('summary', '', strings.table.title));
  #note = create('p', 'note');
  #table = create('table');
  /** @type {Numbers | null} */
  #numbers = null;
  /** @type {{key: number, descending: boolean} | null} null while the rows are in the order of the text */
  #order = null;

  constructor() {
    const box = create('div', 'table', this.#table);
    box.tabIndex = 0;
    labelled(box, 'region', strings.table.title);
    this.element.append(this.#note, box);
    this.element.addEventListener('toggle', () => this.#fill());
  }

  /** @param {Numbers} numbers */
  update(numbers) {
    this.#numbers = numbers;
    const {start, end} = numbers.key;
    if (this.#order && (this.#order.key < start || this.#order.key >= end)) this.#order = null;
    this.#fill();
  }

  #fill() {
    if (!this.element.open || !this.#numbers) return;
    const {snapshot, weight, key} = this.#numbers;
    const {rows, isCut} = this.#rows(this.#numbers);
    const keys = indicesIn(key);
    const format = weightFormat(snapshot);
    this.#note.textContent = isCut ? strings.table.cut(rows.length) : strings.table.hint;

    const head = create('tr', '', this.#header(strings.view.query, null));
    for (const j of keys) head.append(this.#header(snapshot.keyTokens[j], j));
    head.append(headerCell(strings.matrix.sum));
    const body = rows.map((i) => {
      const name = headerCell(snapshot.queryTokens[i]);
      name.scope = 'row';
      const weights = keys.map((j) => weight(i, j));
      const sum = weights.reduce((total, value) => total + value, 0);
      const cells = [...weights, sum].map((value) => create('td', 'number', format(value)));
      return create('tr', '', name, ...cells);
    });
    this.#table.replaceChildren(create('thead', '', head), create('tbody', '', ...body));
  }

  /**
   * Lists the rows to print, in order. Of a long text these are a few, from the pinned query or the first row on.
   *
   * @param {Numbers} numbers
   */
  #rows({query, key, token, weight}) {
    const all = indicesIn(query);
    const columns = key.end - key.start;
    const isCut = all.length * columns > mostCells;
    const fit = Math.max(1, Math.floor(mostCells / columns / 4));
    const first = token?.side === 'query' ? token.index - query.start : 0;
    const rows = isCut ? all.slice(first, first + fit) : all;
    const order = this.#order;
    if (order) {
      rows.sort((a, b) => {
        const rise = weight(a, order.key) - weight(b, order.key);
        return order.descending ? -rise : rise;
      });
    }
    return {rows, isCut};
  }

  /**
   * @param {string} token
   * @param {number | null} key  the key of the column, or null for the names of the rows
   */
  #header(token, key) {
    const button = create('button', 'bare', create('bdi', '', token));
    button.type = 'button';
    const cell = headerCell(button);
    const isSorted = key !== null && this.#order?.key === key;
    if (isSorted) {
      cell.setAttribute('aria-sort', this.#order?.descending ? 'descending' : 'ascending');
      button.append(this.#order?.descending ? ' ↓' : ' ↑');
    }
    button.addEventListener('click', () => {
      const again = isSorted && this.#order?.descending;
      this.#order = key === null ? null : {key, descending: !again};
      const column = cell.cellIndex;
      this.#fill();
      this.#table.querySelectorAll('thead th')[column].querySelector('button')?.focus();
    });
    return cell;
  }
}

/** @param {string | Node} content */
function headerCell(content) {
  const cell = create('th', '', typeof content === 'string' ? create('bdi', '', content) : content);
  cell.scope = 'col';
  return cell;
}
