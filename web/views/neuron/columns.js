import {strings} from '../../strings/index.js';
import {create} from '../parts/create-element.js';
import {cellWidth, clearTo, drawBand} from './canvas.js';
import {resizeCanvas} from '../parts/element-size.js';
import {roomInWindow, scrolledTo} from '../parts/link-in-sight.js';
import {formatNumber} from '../parts/number-format.js';

/** @import {ColumnName, Ink, Layout} from './canvas.js' */
/** @import {QueryScene} from './scene.js' */
/** @import {TokenColumn} from '../parts/token-column.js' */

/** The columns in order, each with its style class. The columns of tokens hold buttons. */
const order = /** @type {const} */ ([
  ['queryTokens', ''],
  ['query', 'of-query'],
  ['links', ''],
  ['keyTokens', 'tokens-head'],
  ['key', 'of-key'],
  ['product', ''],
  ['position', 'of-position'],
  ['score', ''],
  ['softmax', ''],
  ['value', 'of-value'],
  ['weighted', 'of-value'],
]);

/** The number of the column of what distances add to scores, counted from 1. */
const POSITION = 7;

/** The columns of vectors. */
const vectorColumns = /** @type {const} */ (['query', 'key', 'product', 'value', 'weighted']);

/** Lays out titles, columns and sums around one canvas, which is as large as the visible rows. */
export class NeuronFrame {
  element = create('div', 'neuron-scroller');
  canvas = create('canvas');
  /** @type {Layout | null} null while the element has no size */
  layout = null;
  /** The page's colours and font for the canvas, as `readInk` found them. */
  ink = {text: '', surface: '', font: ''};
  #onLayout;
  #sum = create('span', 'neuron-sum');
  #output = create('canvas', 'neuron-output');
  #header = create('div', 'neuron-grid neuron-head');
  #stage = create('div', 'neuron-grid neuron-stage');
  #footer = create('div', 'neuron-grid neuron-foot');
  /** @type {Map<string, HTMLElement>} */
  #heads = new Map();
  /** @type {Map<string, HTMLElement>} */
  #tints = new Map();
  /** The number of cells of a vector; 0 before it is known. */
  #count = 0;

  /**
   * @param {{query: TokenColumn, key: TokenColumn}} columns
   * @param {{onLayout: () => void, onScroll: () => void}} listener
   */
  constructor(columns, {onLayout, onScroll}) {
    this.#onLayout = onLayout;
    const titles = {
      ...strings.neuron.columns,
      links: strings.neuron.links,
      queryTokens: strings.neuron.queryTokens,
      keyTokens: strings.neuron.keyTokens,
    };
    for (const [name, style] of order) {
      const head = create('div', `title ${style}`, titles[name]);
      const tint = create('div', 'tint');
      this.#heads.set(name, head);
      this.#tints.set(name, tint);
      this.#header.append(head);
      this.#stage.append(tint);
      if (name === 'position') tint.classList.add(style);
      // From the position on, columns are counted from the right, since not every model has that one.
      const column = this.#heads.size;
      tint.style.gridColumn = String(column < POSITION ? column : column - order.length - 2);
    }
    this.canvas.setAttribute('aria-hidden', 'true');
    this.#output.setAttribute('aria-hidden', 'true');
    this.#stage.append(
      create('div', 'neuron-lines', this.canvas),
      columns.query.element,
      columns.key.element,
    );
    this.#footer.append(
      create('span', 'neuron-sum-name', strings.neuron.sum),
      this.#sum,
      create('span', 'neuron-output-name', strings.neuron.output),
      this.#output,
    );
    this.element.append(this.#header, this.#stage, this.#footer);
    this.element.addEventListener(
      'scroll',
      () => {
        if (!this.layout) return;
        this.layout.top = this.element.scrollTop;
        this.#showMore();
        onScroll();
      },
      {passive: true},
    );
    const observer = new ResizeObserver(() => this.#resize());
    observer.observe(this.element);
    observer.observe(this.#header);
    observer.observe(this.#stage);
    // This column comes and goes with the model, and moves others where the element keeps its size.
    observer.observe(/** @type {HTMLElement} */ (this.#heads.get('position')));
  }

  /** Reads the page's style, once for each update and size, because reading makes the browser compute all styles. */
  readInk() {
    const style = getComputedStyle(this.element);
    this.ink = {
      text: style.color,
      surface: getComputedStyle(this.#header).backgroundColor,
      font: `${getComputedStyle(this.canvas).fontSize} ${style.fontFamily}`,
    };
  }

  /**
   * Makes the ground of each column of vectors as wide as its bands, whose cells are whole pixels.
   *
   * @param {number} count  the number of cells
   */
  fitTints(count) {
    this.#count = count;
    if (!this.layout) return;
    const {columns, ratio} = this.layout;
    for (const name of vectorColumns) {
      const tint = /** @type {HTMLElement} */ (this.#tints.get(name));
      tint.style.width = `${cellWidth(columns[name].width, count, ratio) * count + 4}px`;
    }
  }

  /** Says what scores are. @param {string} formula @param {boolean} hasPosition  whether a distance adds to them */
  nameScore(formula, hasPosition) {
    this.element.classList.toggle('with-position', hasPosition);
    const head = /** @type {HTMLElement} */ (this.#heads.get('score'));
    if (head.textContent !== formula) head.textContent = formula;
  }

  /** Marks the columns that a step describes. @param {readonly string[]} names */
  light(names) {
    for (const parts of [this.#heads, this.#tints]) {
      for (const [name, part] of parts) part.classList.toggle('lit', names.includes(name));
    }
    this.#footer.classList.toggle('lit', names.includes('output'));
  }

  /** Scrolls to the first of some columns that is there, if not all columns fit. @param {readonly string[]} names */
  reveal(names) {
    const head = names.map((name) => this.#heads.get(name)).find((each) => each?.offsetWidth);
    const stuck = this.#heads.get('keyTokens');
    if (!head || !stuck || this.element.scrollWidth <= this.element.clientWidth) return;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.element.scrollTo({
      left: names[0] === 'query' ? 0 : head.offsetLeft - stuck.offsetWidth - 8,
      behavior: still ? 'auto' : 'smooth',
    });
  }

  /**
   * Shows the sums below the columns: the sum of the weights, and the output.
   *
   * @param {number} total
   * @param {QueryScene} scene
   * @param {number} dimension
   * @param {Ink} ink
   */
  showSum(total, {arithmetic, typical}, dimension, ink) {
    this.#sum.textContent = formatNumber(total);
    const context = this.#output.getContext('2d');
    const column = this.layout?.columns.weighted;
    if (!context || !column) return;
    const ratio = devicePixelRatio;
    clearTo(context, {width: column.width, height: 24}, ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawBand(context, arithmetic.output, {
      span: {left: 0, width: column.width},
      top: 4,
      height: 16,
      typical: typical.output,
      marked: dimension,
      ratio,
      ink,
    });
  }

  /** Whether some rows are not visible. */
  get isTall() {
    return Boolean(this.layout) && this.#stage.offsetHeight > (this.layout?.height ?? 0) + 1;
  }

  /** Scrolls to two rows, if one of them is not in sight. @param {{pinned: number, partner: number}} rows */
  showRows(rows) {
    if (!this.layout) return;
    const room = roomInWindow(this.element, this.#header.offsetHeight + this.#footer.offsetHeight);
    const place = {size: this.layout.rowHeight, scrolled: this.element.scrollTop, room};
    this.element.scrollTop = scrolledTo(rows, place);
  }

  /** Scrolls a row to the middle. @param {number} row  counted from the first */
  revealRow(row) {
    if (!this.layout) return;
    const {rowHeight, height} = this.layout;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.element.scrollTo({
      top: (row + 0.5) * rowHeight - height / 2,
      behavior: still ? 'auto' : 'smooth',
    });
  }

  /** Marks the element while columns on the right are not visible. */
  #showMore() {
    const {scrollWidth, scrollLeft, clientWidth} = this.element;
    this.element.classList.toggle('more', scrollWidth - scrollLeft - clientWidth > 1);
  }

  #resize() {
    const {clientWidth, clientHeight, scrollTop} = this.element;
    if (!clientWidth) return;
    const span = (/** @type {ColumnName} */ name) => {
      const head = /** @type {HTMLElement} */ (this.#heads.get(name));
      return {left: head.offsetLeft, width: head.offsetWidth};
    };
    const {lineHeight} = getComputedStyle(this.canvas);
    const around = this.#header.offsetHeight + this.#footer.offsetHeight;
    const height = Math.min(clientHeight - around, this.#stage.offsetHeight);
    const width = this.#stage.offsetWidth;
    const ratio = devicePixelRatio;
    resizeCanvas(this.canvas, {width, height}, ratio);
    this.layout = {
      columns: {
        query: span('query'),
        links: span('links'),
        key: span('key'),
        product: span('product'),
        position: span('position'),
        score: span('score'),
        softmax: span('softmax'),
        value: span('value'),
        weighted: span('weighted'),
      },
      rowHeight: parseFloat(lineHeight),
      top: scrollTop,
      height,
      ratio,
    };
    if (this.#count) this.fitTints(this.#count);
    this.readInk();
    this.#showMore();
    this.#onLayout();
  }
}
