import {LitElement, html, nothing} from 'lit';
import {formatNumber} from '../../views/parts/number-format.js';
import {saveMenu} from './save-tensor.js';
import {TensorCanvas} from './tensor-canvas.js';
import {tensorTable} from './tensor-table.js';
import {formatInfinite, indicesOf, rowsOf} from './tensor.js';
import {frameText} from '../lesson-text.js';

/** @import {PropertyValues} from 'lit' */
/** @import {RowNames, Tensor} from './tensor.js' */

/**
 * The role of a tensor. Queries, keys and values have the hues of the neuron view; cells of weights are
 * shares of 1; all others are coloured by sign.
 *
 * @typedef {'query' | 'key' | 'value' | 'weights' | 'plain'} Kind
 *
 * @typedef {object} Sums  which sums a table prints
 * @property {boolean} [rows]  one behind each row
 * @property {boolean} [columns]  one under each column
 */

/**
 * Every key press recomputes and renders a step, even if no number changes. Comparing a tensor is faster
 * than rendering its table.
 *
 * @param {Tensor | null} a
 * @param {Tensor | null | undefined} b  undefined: none was set yet
 */
function isOther(a, b) {
  if (!a || !b) return a !== b;
  if (differs(a.shape, b.shape)) return true;
  return a.data !== b.data && a.data.some((number, i) => number !== b.data[i]);
}

/** @param {unknown} a @param {unknown} b */
const differs = (a, b) => a !== b && JSON.stringify(a) !== JSON.stringify(b);

/** A table with more columns would be slow, and too wide to read. */
const widestTable = 64;

/**
 * `<tensor-block>`: draws each number of a tensor as a cell, under the tensor's name and shape. The cell
 * under the pointer, or reached with the arrow keys, is shown with its indices. With `numbers`, a matrix
 * is a table of numbers instead.
 */
export class TensorBlock extends LitElement {
  static properties = {
    tensor: {attribute: false, hasChanged: isOther},
    label: {},
    kind: {},
    axes: {attribute: false, hasChanged: differs},
    rows: {attribute: false, hasChanged: differs},
    columns: {attribute: false, hasChanged: differs},
    numbers: {type: Boolean},
    scientific: {type: Boolean},
    digits: {type: Number},
    sums: {attribute: false, hasChanged: differs},
    // The numbers that stand out depend on all numbers.
    marked: {attribute: false, hasChanged: () => false},
    cursor: {state: true},
  };

  #canvas = new TensorCanvas();
  #observer = new ResizeObserver(() => {
    this.#draw();
    this.#measure();
  });

  constructor() {
    super();
    /** @type {Tensor | null} */
    this.tensor = null;
    this.label = '';
    /** @type {Kind} */
    this.kind = 'plain';
    /** @type {readonly string[]} what each axis counts */
    this.axes = [];
    /** @type {RowNames} */
    this.rows = [];
    /** @type {readonly string[]} */
    this.columns = [];
    this.numbers = false;
    /** Whether a table prints numbers that its digits cannot show as powers of ten. */
    this.scientific = false;
    this.digits = 2;
    /** @type {Sums} */
    this.sums = {};
    /** @type {(index: number) => boolean} which numbers stand out */
    this.marked = () => false;
    /** @type {number | null} the cell that is read, counted from the first */
    this.cursor = null;
  }

  // Without a shadow root, so that the styles and hues of the page apply.
  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.#observer.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#observer.disconnect();
  }

  /** @param {PropertyValues<this>} changed */
  willUpdate(changed) {
    const count = this.tensor?.data.length ?? 0;
    if (changed.has('tensor') && this.cursor !== null && this.cursor >= count) this.cursor = null;
  }

  get #isTable() {
    return this.numbers && (this.tensor?.shape.at(-1) ?? 0) <= widestTable;
  }

  render() {
    const {tensor, label, axes, kind} = this;
    if (!tensor) return nothing;
    const {shape} = tensor;
    const name = frameText.tensor.label(label, shape, axes);
    return html`<figure class="tensor ${kind}">
      <figcaption>
        <span class="name">${label}</span>
        <span class="shape">[${shape.join(', ')}]</span>
        <span class="axes">${axes.join(' × ')}</span>
        ${saveMenu(this)}
        <output class="readout" aria-live="polite">${this.#reading(tensor)}</output>
      </figcaption>
      <div
        class="cells"
        tabindex="0"
        role=${this.#isTable ? 'region' : 'application'}
        aria-label=${name}
        @keydown=${this.#onKey}
        @focus=${() => (this.cursor ??= 0)}
        @blur=${() => (this.cursor = null)}
        @pointermove=${this.#onPointer}
        @pointerdown=${this.#onPointer}
        @pointerleave=${() => (this.cursor = null)}
        @scroll=${() => this.#measure()}
      >
        ${this.#isTable ? tensorTable(this, tensor) : this.#canvas.element}
      </div>
    </figure>`;
  }

  /** @param {PropertyValues<this>} changed */
  updated(changed) {
    if (changed.size !== 1 || !changed.has('cursor')) {
      this.#draw();
      this.#measure();
    }
    this.#canvas.mark(this.cursor);
    if (this.#isTable)
      this.querySelector('td.on')?.scrollIntoView({block: 'nearest', inline: 'nearest'});
  }

  /** Whether there are more columns beyond the edge. */
  #measure() {
    const cells = this.querySelector('.cells');
    if (!cells) return;
    const {scrollLeft, clientWidth, scrollWidth} = cells;
    cells.classList.toggle('more', scrollWidth - clientWidth - Math.abs(scrollLeft) > 4);
  }

  #draw() {
    if (this.tensor && !this.#isTable) this.#canvas.draw(this, this.tensor);
  }

  /** @param {Tensor} tensor */
  #reading(tensor) {
    if (this.cursor === null) return nothing;
    const indices = indicesOf(this.cursor, tensor.shape);
    const [row, column] = indices.slice(-2);
    const size = (tensor.shape.at(-1) ?? 1) * (tensor.shape.at(-2) ?? 1);
    const names = rowsOf(this.rows, Math.floor(this.cursor / size), tensor.data.length / size);
    const cell = [names[row], this.columns[column]].filter(Boolean).join(' → ');
    const value = tensor.data[this.cursor];
    const number = Number.isFinite(value) ? formatNumber(value, 6) : formatInfinite(value);
    return html`<span class="indices">[${indices.join(', ')}]</span> ${
        cell ? html`<bdi>${cell}</bdi>` : nothing
      } <b>${number}</b>`;
  }

  #onKey = (/** @type {KeyboardEvent} */ event) => {
    const {tensor} = this;
    if (!tensor || event.altKey || event.ctrlKey || event.metaKey) return;
    const columns = tensor.shape.at(-1) ?? 1;
    const steps = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns};
    const step = steps[/** @type {keyof typeof steps} */ (event.key)];
    if (!step) return;
    event.preventDefault();
    const next = (this.cursor ?? 0) + step;
    if (next >= 0 && next < tensor.data.length) this.cursor = next;
  };

  #onPointer = (/** @type {PointerEvent} */ event) => {
    const cell = /** @type {Element} */ (event.target).closest('td[data-cell]');
    if (this.#isTable) this.cursor = cell ? Number(cell.getAttribute('data-cell')) : null;
    else this.cursor = this.#canvas.cellAt(event);
  };
}

customElements.define('tensor-block', TensorBlock);
