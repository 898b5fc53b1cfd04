import {create} from '../parts/create-element.js';
import {pointIn, setSize} from '../parts/element-size.js';
import {weightFormat} from '../parts/number-format.js';
import {drawScene, valueInkOf} from './canvas.js';
import {HeadColumns} from './columns.js';
import {rowsOf} from '../../attention/selection.js';
import {meanWeight, strongestPartners} from '../../attention/weights.js';
import {focusOf, isPairShown, isSameToken, isShown} from './focus.js';
import {findLine, headScene, weightsOf} from './scene.js';
import {Minimap} from './minimap.js';
import {LinkInSight, roomInWindow, scrolledTo} from '../parts/link-in-sight.js';
import {NumbersTable} from '../parts/numbers-table.js';
import {PairTooltip} from '../parts/pair-tooltip.js';
import {PinchZoom} from '../parts/pinch-zoom.js';
import {readingLine} from '../parts/attention-sentence.js';
import {rowCentre} from '../parts/token-column.js';

/** @import {Pair, Scene} from './scene.js' */
/** @import {Scrolled} from './minimap.js' */
/** @import {WindowPoint} from '../parts/element-size.js' */
/** @import {Selection, TokenRef} from '../../attention/selection.js' */
/** @import {Snapshot} from '../../attention/snapshot.js' */

/**
 * Shows queries on the left, keys on the right, and between them a line for every head and weight.
 *
 * @typedef {object} HeadViewData
 * @property {Snapshot} snapshot  has the active heads of the layer
 * @property {Selection} selection
 * @property {boolean} dark
 *
 * @typedef {object} HeadViewOptions
 * @property {(token: TokenRef | null) => void} [onPin]
 *
 * @param {HeadViewData} data
 * @param {HeadViewOptions} [options]
 */
export function headView(data, options = {}) {
  const view = new HeadView(data, options);
  return Object.assign(view.element, {
    update: (/** @type {HeadViewData} */ next) => view.update(next),
  });
}

/** The least height of a row, in CSS pixels. */
const leastRow = 3;

/** The largest distance from a line at which the pointer selects it, in CSS pixels. */
const reach = {mouse: 3, touch: 12};

class HeadView {
  element = create('div', 'head-view');
  #options;
  /** @type {HeadViewData} */
  #data;
  /** @type {Scene} */
  #scene;
  /** @type {TokenRef | null} */
  #hover = null;
  /** @type {Pair | null} */
  #pair = null;
  #pointer = {x: 0, y: 0};
  /** The scroll position, kept because reading it while a token is pointed at would force a layout of the page. */
  #top = 0;
  /** The visible height below the captions, in CSS pixels. */
  #room = 0;
  #inSight = new LinkInSight();

  #reading = create('p', 'reading');
  #canvas = create('canvas');
  #columns = new HeadColumns(
    (side, index) => this.#setHover(index === null ? null : {side, index}),
    (side, index) => this.#choose({side, index}),
  );
  #header = this.#columns.header;
  #scroller = create(
    'div',
    'scroller',
    this.#header,
    create(
      'div',
      'stage',
      this.#columns.sides.query.element,
      create('div', 'lines', this.#canvas),
      this.#columns.sides.key.element,
    ),
  );
  #minimap = new Minimap(this.#scroller, (factor) => this.#zoomBy(factor));
  /** The height of a row, relative to the height that the style sheet gives it. */
  #zoom = 1;
  #tooltip = new PairTooltip();
  #table = new NumbersTable();

  /**
   * @param {HeadViewData} data
   * @param {HeadViewOptions} options
   */
  constructor(data, options) {
    this.#data = data;
    this.#scene = headScene(data);
    this.#options = options;
    this.#reading.setAttribute('aria-live', 'polite');
    this.#canvas.setAttribute('aria-hidden', 'true');
    this.element.append(
      this.#reading,
      create('div', 'head-body', this.#scroller, this.#minimap.element),
      this.#table.element,
      this.#tooltip.element,
    );
    new PinchZoom(this.#scroller, (factor, at) => this.#zoomBy(factor, at));

    const onScroll = () => {
      this.#top = this.#scroller.scrollTop;
      this.#draw();
    };
    this.#scroller.addEventListener('scroll', onScroll, {passive: true});
    this.#canvas.addEventListener('pointermove', (event) => {
      if (event.pointerType !== 'touch') this.#pointAt(event, reach.mouse);
    });
    this.#canvas.addEventListener('pointerleave', (event) => {
      if (event.pointerType !== 'touch') this.#setPair(null);
    });
    this.#canvas.addEventListener('click', (event) => this.#pointAt(event, reach.touch));
    this.element.addEventListener('keydown', (event) => {
      if (event.key === '+' || event.key === '-') {
        event.preventDefault();
        this.#zoomBy(event.key === '+' ? 1.5 : 1 / 1.5);
      }
      if (event.key !== 'Escape') return;
      this.#hover = null;
      this.#pair = null;
      if (this.#data.selection.token) {
        event.preventDefault();
        this.#options.onPin?.(null);
      }
      this.#paint();
    });
    const observer = new ResizeObserver(() => this.#resize());
    for (const part of this.#scroller.children) observer.observe(part);
    // The canvas keeps the stage's height when rows become lower.
    observer.observe(this.#columns.sides.query.element);
    observer.observe(this.#scroller);
    this.update(data);
  }

  /** @param {HeadViewData} data */
  update(data) {
    this.#data = data;
    this.#scene = headScene(data);
    const scene = this.#scene;
    this.element.classList.toggle('signed', scene.signs !== null);
    this.#columns.update(data.snapshot, scene);
    if (this.#hover && !isShown(scene, this.#hover)) this.#hover = null;
    // The pair of a token under the pointer and of a pinned one is found anew when it is painted.
    if (this.#hover || (this.#pair && !isPairShown(scene, this.#pair))) this.#pair = null;
    this.#table.update({
      snapshot: data.snapshot,
      weight: (i, j) => meanWeight(scene, i, j),
      query: scene.query,
      key: scene.key,
      token: data.selection.token,
    });
    this.#inSight.follow(data.snapshot, data.selection);
    // The columns have all their text before sizes are read, so that the browser computes the layout only once.
    this.#mark();
    this.#resize();
  }

  /**
   * Multiplies the height of the rows. The least height is the one at which all rows are visible.
   *
   * @param {number} factor
   * @param {WindowPoint} [place]  the point that stays in place; the middle unless given
   */
  #zoomBy(factor, place) {
    const scroller = this.#scroller;
    const y = place ? pointIn(scroller, place).y : scroller.clientHeight / 2;
    const at = y - this.#header.offsetHeight;
    const before = this.#scene.rowHeight;
    const {least, most} = this.#range();
    const base = before / this.#zoom;
    this.#zoom = Math.max(least, Math.min(most, before * factor)) / base;
    const row = (this.#scroller.scrollTop + at) / before;
    this.element.style.setProperty('--row-height', `${base * this.#zoom}px`);
    this.#resize();
    this.#scroller.scrollTop = row * this.#scene.rowHeight - at;
    this.#top = this.#scroller.scrollTop;
    this.#draw();
  }

  /** The least and the largest height of a row, in CSS pixels. */
  #range() {
    const base = this.#scene.rowHeight / this.#zoom;
    return {
      least: Math.min(base, Math.max(leastRow, this.#room / rowsOf(this.#data))),
      most: 2 * base,
    };
  }

  /**
   * Shows the minimap if the text is longer than the visible part, and draws it after the picture.
   *
   * @param {Scrolled} scrolled
   */
  #map(scrolled) {
    const {scrollHeight, clientHeight} = scrolled;
    const {rowHeight} = this.#scene;
    const isLong = rowsOf(this.#data) > 1 && scrollHeight - clientHeight > rowHeight / 2;
    this.#minimap.element.hidden = !isLong && this.#zoom === 1;
    const {least, most} = this.#range();
    this.#minimap.enable({canGrow: rowHeight < most - 0.01, canShrink: rowHeight > least + 0.01});
    this.#minimap.follow(scrolled);
    if (!this.#minimap.element.hidden) this.#minimap.drawLater(this.#scene, clientHeight);
  }

  /** Fits the canvas to the visible part and draws. */
  #resize() {
    const scene = this.#scene;
    const stage = /** @type {HTMLElement} */ (this.#canvas.parentElement);
    scene.width = stage.clientWidth;
    if (!scene.width) return;
    scene.rowHeight = parseFloat(getComputedStyle(this.#canvas).lineHeight);
    // All sizes are read before anything is changed, so that the browser computes the layout only once.
    const {clientHeight, scrollTop} = this.#scroller;
    const caption = this.#header.offsetHeight;
    const rows = rowsOf(this.#data) * scene.rowHeight;
    this.#top = scrollTop;
    // The link that is told of stays in sight when a panel takes a part of the height.
    if (clientHeight - caption < this.#room) this.#inSight.isSought = true;
    this.#room = clientHeight - caption;
    this.#seek();
    const height = Math.min(this.#room, rows);
    const ratio = devicePixelRatio;
    const size = {width: Math.round(scene.width * ratio), height: Math.round(height * ratio)};
    // Assigning a size clears the canvas, so it is assigned only when it changed.
    const canvas = this.#canvas;
    if (canvas.width !== size.width || canvas.height !== size.height) Object.assign(canvas, size);
    setSize(canvas, {width: scene.width, height});
    this.#map({scrollTop, clientHeight, scrollHeight: Math.max(clientHeight, caption + rows)});
    this.#showPair();
    this.#draw();
  }

  /** Scrolls to the strongest link of the pinned token, once its weights are there. */
  #seek() {
    const {token} = this.#data.selection;
    const scene = this.#scene;
    if (!this.#inSight.isSought || !token || !isShown(this.#scene, token) || !scene.matrices.length)
      return;
    this.#inSight.isSought = false;
    const [{index}] = strongestPartners(scene, token, 1);
    const other = token.side === 'query' ? scene.key : scene.query;
    const rows = {pinned: token.index - scene[token.side].start, partner: index - other.start};
    const room = roomInWindow(this.#scroller, this.#header.offsetHeight);
    const place = {size: scene.rowHeight, scrolled: this.#top, room};
    this.#scroller.scrollTop = scrolledTo(rows, place);
    this.#top = this.#scroller.scrollTop;
  }

  /** Updates everything that depends on the token or line in focus. */
  #paint() {
    this.#mark();
    this.#showPair();
    this.#draw();
  }

  /** Updates what is written about the token or line in focus. */
  #mark() {
    const scene = this.#scene;
    const {snapshot, selection} = this.#data;
    const pinned = selection.token && isShown(scene, selection.token) ? selection.token : null;
    const {focus, pair} = focusOf(pinned, this.#hover, this.#pair);
    this.#pair = pair;
    scene.focus = focus;
    this.#columns.mark(snapshot, scene, {pair, pinned});
    const partners = focus ? strongestPartners(scene, focus, Infinity) : [];
    this.#reading.replaceChildren(...readingLine(snapshot, focus, partners));
  }

  #draw() {
    const context = this.#canvas.getContext('2d');
    if (!context || !this.#scene.width) return;
    const ratio = devicePixelRatio;
    const {focus} = this.#scene;
    const isPinned = focus && isSameToken(focus, this.#data.selection.token);
    const visible = {top: this.#top, height: this.#canvas.height / ratio, ratio};
    drawScene(context, this.#scene, visible, isPinned ? valueInkOf(this.#canvas) : null);
  }

  /** Pins a token; the pinned one is unpinned. @param {TokenRef} token */
  #choose(token) {
    this.#inSight.pin(token);
    this.#options.onPin?.(isSameToken(token, this.#data.selection.token) ? null : token);
  }

  /** @param {TokenRef | null} hover */
  #setHover(hover) {
    if (isSameToken(hover, this.#hover)) return;
    this.#hover = hover;
    this.#pair = null;
    this.#paint();
  }

  /**
   * @param {PointerEvent | MouseEvent} event
   * @param {number} tolerance
   */
  #pointAt(event, tolerance) {
    this.#pointer = pointIn(this.element, event);
    const {x, y} = pointIn(this.#canvas, event);
    this.#setPair(findLine(this.#scene, x, y + this.#scroller.scrollTop, tolerance));
  }

  /** @param {Pair | null} pair */
  #setPair(pair) {
    const same = pair?.query === this.#pair?.query && pair?.key === this.#pair?.key;
    this.#pair = pair;
    if (same) this.#showPair();
    else this.#paint();
  }

  #showPair() {
    const pair = this.#pair;
    if (!pair) return this.#tooltip.hide();
    const {snapshot} = this.#data;
    const {queryTokens, keyTokens} = snapshot;
    this.#tooltip.show(
      {query: queryTokens[pair.query], key: keyTokens[pair.key]},
      weightsOf(this.#scene, pair),
      weightFormat(snapshot),
      this.#hover ? this.#besideToken(this.#hover) : this.#pointer,
    );
  }

  /** Gives the place of a token's tooltip: the edge of the lines, at the token's height. */
  #besideToken(/** @type {TokenRef} */ {side, index}) {
    const {left, right, top} = this.#canvas.getBoundingClientRect();
    const clientX = side === 'query' ? left : right;
    const {x, y} = pointIn(this.element, {clientX, clientY: top});
    const row = rowCentre(this.#scene[side], index, this.#scene.rowHeight);
    return {x, y: y + row - this.#scroller.scrollTop};
  }
}
