import {strings} from '../../strings/index.js';
import {create, labelled} from '../parts/create-element.js';
import {pointIn, resizeCanvas, setSize} from '../parts/element-size.js';
import {weightFormat} from '../parts/number-format.js';
import {MatrixBar} from './toolbar.js';
import {drawMatrix, matrixImage} from './canvas.js';
import {matrixColours} from '../parts/weight-colours.js';
import {nextCell, revealCell} from './keyboard.js';
import {cellAt, matrixScene, partnersOf, sizeOf} from './scene.js';
import {LinkInSight, roomInWindow, scrolledTo} from '../parts/link-in-sight.js';
import {NumbersTable} from '../parts/numbers-table.js';
import {PinchZoom} from '../parts/pinch-zoom.js';
import {readingLine} from '../parts/attention-sentence.js';
import {attentionOf} from '../../attention/snapshot.js';

/** @import {Cell} from './scene.js' */
/** @import {MatrixLook} from './canvas.js' */
/** @import {WindowPoint} from '../parts/element-size.js' */
/** @import {Selection, TokenRef} from '../../attention/selection.js' */
/** @import {Snapshot} from '../../attention/snapshot.js' */

/**
 * Shows the mean weights of the chosen heads as a heat map: queries are rows, keys are columns.
 *
 * @typedef {{snapshot: Snapshot, selection: Selection, dark: boolean, fullScale?: boolean, labels?: Pick<Snapshot, 'queryTokens' | 'keyTokens'>}} MatrixViewData
 * @typedef {{onPin?: (token: TokenRef | null) => void}} MatrixViewOptions
 *
 * @param {MatrixViewData} data
 * @param {MatrixViewOptions} [options]
 */
export function matrixView(data, options = {}) {
  const view = new MatrixView(data, options);
  return Object.assign(view.element, {
    update: (/** @type {MatrixViewData} */ next) => view.update(next),
  });
}

/** Limits of a cell's width: the least in CSS pixels, and the largest at zoom 1 and at any zoom in type sizes. */
const least = 0.4;
const fitted = 4;
const most = 8;
/** The height of a row whose name can be read well, in type sizes. */
const legible = 1.6;
const zoomStep = 1.5;

class MatrixView {
  element = create('div', 'matrix-view');
  #options;
  #data;
  #scene;
  /** @type {HTMLCanvasElement} */
  #image;
  /** @type {MatrixLook} */
  #look;
  /** @type {Cell | null} */
  #at = null;
  #zoom = 1;
  #inSight = new LinkInSight();

  #reading = create('p', 'reading');
  #bar = new MatrixBar({
    in: () => this.#zoomTo(this.#zoom * zoomStep),
    out: () => this.#zoomTo(this.#zoom / zoomStep),
    fit: () => this.#zoomTo(1),
  });
  #table = new NumbersTable();
  #canvas = create('canvas');
  #spacer = create('div', 'spacer', this.#canvas);
  #scroller = create('div', 'map', this.#spacer);

  /**
   * @param {MatrixViewData} data
   * @param {MatrixViewOptions} options
   */
  constructor(data, options) {
    this.#data = data;
    this.#options = options;
    this.#scene = matrixScene(data);
    this.#look = this.#readLook();
    this.#image = matrixImage(this.#scene, this.#look.colours);
    this.#build();
    this.#listen();
    new ResizeObserver(() => this.update(this.#data)).observe(this.#scroller);
  }

  /** @param {MatrixViewData} data */
  update(data) {
    this.#data = data;
    this.#scene = matrixScene(data);
    this.#look = this.#readLook();
    this.#image = matrixImage(this.#scene, this.#look.colours);
    const {query, key} = this.#scene;
    const isShown = (/** @type {number | null} */ index, /** @type {typeof query} */ slice) =>
      index === null || (index >= slice.start && index < slice.end);
    if (this.#at && !(isShown(this.#at.query, query) && isShown(this.#at.key, key)))
      this.#at = null;
    const {weights, stride} = this.#scene;
    this.#table.update({
      snapshot: data.snapshot,
      weight: (i, j) => weights[i * stride + j],
      query,
      key,
      token: data.selection.token,
    });
    this.#bar.showScale(this.#scene, this.#look.colours);
    this.#inSight.follow(data.snapshot, data.selection);
    this.#resize();
  }

  #build() {
    this.#reading.setAttribute('aria-live', 'polite');
    this.#canvas.setAttribute('aria-hidden', 'true');
    this.#scroller.tabIndex = 0;
    labelled(this.#scroller, 'application', strings.matrix.label);
    this.element.append(this.#reading, this.#bar.element, this.#scroller, this.#table.element);
  }

  #listen() {
    this.#scroller.addEventListener('scroll', () => this.#draw(), {passive: true});
    this.#canvas.addEventListener('pointermove', (event) => {
      if (event.pointerType !== 'touch') this.#pointAt(this.#cellOf(event));
    });
    this.#canvas.addEventListener('pointerleave', (event) => {
      if (event.pointerType !== 'touch') this.#pointAt(null);
    });
    this.#canvas.addEventListener('click', (event) => {
      this.#pointAt(this.#cellOf(event));
      this.#pin(this.#at);
    });
    this.#scroller.addEventListener('keydown', (event) => this.#key(event));
    new PinchZoom(this.#scroller, (factor, at) => this.#zoomTo(this.#zoom * factor, at));
  }

  /** @returns {MatrixLook} */
  #readLook() {
    // The canvas needs computed colours, so the style sheet gives them to properties that can be read here.
    const style = getComputedStyle(this.#scroller);
    return {
      colours: matrixColours(this.#scene.isDifference, this.#data.dark),
      ink: {
        text: style.color,
        muted: style.textDecorationColor,
        surface: style.backgroundColor,
        accent: style.caretColor,
      },
      font: style.fontFamily,
      size: (parseFloat(style.fontSize) || 14) * 0.86,
    };
  }

  /** Chooses the size of a cell and fits the canvas to the visible part. */
  #resize() {
    const {clientWidth: width} = this.#scroller;
    if (!width) return;
    const scene = this.#scene;
    const longest = Math.min(width / 4, this.#look.size * 9);
    scene.left = this.#labelRoom('queryTokens', scene.query, longest);
    scene.top = this.#labelRoom('keyTokens', scene.key, longest);
    const columns = Math.max(1, scene.key.end - scene.key.start);
    const {size: type} = this.#look;
    scene.right = Math.max(56, 3.4 * type);
    const across = (width - scene.left - scene.right) / columns;
    const rows = Math.max(1, scene.query.end - scene.query.start);
    const down = (parseFloat(getComputedStyle(this.#scroller).maxHeight) - scene.top) / rows;
    // The whole map is in sight as long as its rows can be read; a number that has no room is read by pointing at it.
    const high = down >= legible * type ? down : Infinity;
    const whole = Math.max(least, Math.min(across, high, fitted * type));
    this.#zoom = Math.max(1, Math.min(this.#zoom, (most * type) / whole));
    scene.cell = whole * this.#zoom;
    this.#bar.enable({canShrink: this.#zoom > 1, canGrow: scene.cell < most * type - 0.01});

    const size = sizeOf(scene);
    setSize(this.#spacer, size);
    const height = Math.min(this.#scroller.clientHeight, size.height);
    resizeCanvas(this.#canvas, {width, height}, devicePixelRatio);
    this.#seek();
    this.#paint();
  }

  /** Scrolls to the strongest weight of the pinned token, once the weights are there. */
  #seek() {
    const {snapshot, selection} = this.#data;
    const {token, layer, heads} = selection;
    if (!this.#inSight.isSought || !token || !this.#isShown(token)) return;
    if (!attentionOf(snapshot, layer, heads[0])) return;
    this.#inSight.isSought = false;
    const {query, key, cell, left, top} = this.#scene;
    const scroller = this.#scroller;
    const [{index}] = partnersOf(this.#scene, token);
    const at =
      token.side === 'query' ? {query: token.index, key: index} : {query: index, key: token.index};
    const [row, column] = [at.query - query.start, at.key - key.start];
    scroller.scrollTop = scrolledTo(
      {pinned: row, partner: row},
      {size: cell, scrolled: scroller.scrollTop, room: roomInWindow(scroller, top)},
    );
    scroller.scrollLeft = scrolledTo(
      {pinned: column, partner: column},
      {size: cell, scrolled: scroller.scrollLeft, room: scroller.clientWidth - left},
    );
  }

  /** @param {'queryTokens' | 'keyTokens'} side @param {{start: number, end: number}} shown @param {number} limit */
  #labelRoom(side, {start, end}, limit) {
    const {snapshot, labels} = this.#data;
    const tokens = labels?.[side] ?? snapshot[side].slice(start, end);
    const context = this.#canvas.getContext('2d');
    if (!context) return limit;
    context.font = `600 ${this.#look.size}px ${this.#look.font}`;
    const widths = tokens.map((token) => context.measureText(token.slice(0, 40)).width);
    return Math.ceil(Math.min(limit, Math.max(24, ...widths) + 14));
  }

  /**
   * @param {number} zoom  at 1, the whole map fits the width
   * @param {WindowPoint} [at]  the point in the window that stays in place; the middle unless given
   */
  #zoomTo(zoom, at) {
    const before = this.#scene.cell;
    const {scrollLeft, scrollTop, clientWidth, clientHeight} = this.#scroller;
    const {left, top} = this.#scene;
    const middle = {x: clientWidth / 2, y: clientHeight / 2};
    const place = at ? pointIn(this.#scroller, at) : middle;
    const [x, y] = [place.x - left, place.y - top];
    this.#zoom = zoom;
    this.#resize();
    const factor = this.#scene.cell / before;
    this.#scroller.scrollLeft = (scrollLeft + x) * factor - x;
    this.#scroller.scrollTop = (scrollTop + y) * factor - y;
    this.#draw();
  }

  /** Updates everything that depends on the pinned token and the cell under the pointer. */
  #paint() {
    const {snapshot, selection} = this.#data;
    const scene = this.#scene;
    const at = this.#at;
    if (at && at.query !== null && at.key !== null) {
      const {matrix} = strings;
      const format = weightFormat(snapshot);
      this.#reading.replaceChildren(
        create('bdi', 'name', snapshot.queryTokens[at.query]),
        ' → ',
        create('bdi', 'name', snapshot.keyTokens[at.key]),
        ` ${format(scene.weights[at.query * scene.stride + at.key])} `,
        create('span', 'unit', matrix.of(selection.heads.length)),
      );
    } else {
      const focus = this.#isShown(selection.token) ? selection.token : null;
      const partners = focus ? partnersOf(scene, focus) : [];
      const touch = matchMedia('(hover: none)').matches;
      const hint = touch ? strings.matrix.touchHint : strings.matrix.hint;
      this.#reading.replaceChildren(...(focus ? readingLine(snapshot, focus, partners) : [hint]));
    }
    this.#draw();
  }

  #draw() {
    const context = this.#canvas.getContext('2d');
    if (!context || !this.#scene.cell) return;
    const {snapshot, selection} = this.#data;
    const ratio = devicePixelRatio;
    const pinned = this.#isShown(selection.token) ? selection.token : null;
    drawMatrix(
      context,
      this.#scene,
      {image: this.#image, snapshot, at: this.#at, pinned},
      this.#look,
      {
        x: this.#scroller.scrollLeft,
        y: this.#scroller.scrollTop,
        width: this.#canvas.width / ratio,
        height: this.#canvas.height / ratio,
        ratio,
      },
    );
  }

  /** @param {TokenRef | null} token */
  #isShown(token) {
    if (!token) return false;
    const {start, end} = this.#scene[token.side];
    return token.index >= start && token.index < end;
  }

  /** @param {MouseEvent} event */
  #cellOf(event) {
    const {left, top} = this.#scene;
    // Only the cells scroll; the labels stay in place.
    const {x, y} = pointIn(this.#canvas, event);
    return cellAt(
      this.#scene,
      x < left ? x : x + this.#scroller.scrollLeft,
      y < top ? y : y + this.#scroller.scrollTop,
    );
  }

  /** @param {Cell | null} at */
  #pointAt(at) {
    if (at?.query === this.#at?.query && at?.key === this.#at?.key) return;
    this.#at = at;
    this.#paint();
  }

  /** Pins the row of a cell or of its label, or the column of a label; unpins it if it is pinned already. */
  #pin(/** @type {Cell | null} */ at) {
    if (!at) return;
    const token =
      at.query !== null
        ? {side: /** @type {const} */ ('query'), index: at.query}
        : {side: /** @type {const} */ ('key'), index: Number(at.key)};
    const {token: pinned} = this.#data.selection;
    const isSame = pinned?.side === token.side && pinned.index === token.index;
    this.#inSight.pin(token);
    this.#options.onPin?.(isSame ? null : token);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const next = nextCell(event.key, this.#at, this.#scene);
    if (next) {
      this.#pointAt(next);
      revealCell(this.#scroller, this.#scene, next);
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.#pin(this.#at);
    } else if (event.key === '+' || event.key === '-') {
      this.#zoomTo(event.key === '+' ? this.#zoom * zoomStep : this.#zoom / zoomStep);
    } else {
      if (event.key === 'Escape') this.#pointAt(null);
      return;
    }
    event.preventDefault();
  }
}
