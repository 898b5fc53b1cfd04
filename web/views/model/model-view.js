import {strings} from '../../strings/index.js';
import {headColour} from '../parts/head-colours.js';
import {create, labelled} from '../parts/create-element.js';
import {weightFormat} from '../parts/number-format.js';
import {headView} from '../head/head-view.js';
import {ModelGrid} from './thumbnail-grid.js';
import {shownTokens, tokensOf} from '../../attention/selection.js';
import {blockOf} from '../../attention/shape.js';
import {attentionOf} from '../../attention/snapshot.js';
import {strongestLinks} from '../../attention/weights.js';
import {thumbnail} from '../parts/head-thumbnail.js';

/** @import {HeadViewData} from '../head/head-view.js' */
/** @import {HeadPainter} from '../parts/line-raster.js' */
/** @import {Selection, TokenRef} from '../../attention/selection.js' */
/** @import {HeadRef} from '../../attention/shape.js' */
/** @import {Snapshot} from '../../attention/snapshot.js' */

/**
 * Shows every head of a model as a thumbnail, layers by heads. One of them can be shown large.
 *
 * @typedef {object} ModelViewData
 * @property {Snapshot} snapshot  heads that have not been fetched stay empty
 * @property {HeadViewData['selection']} selection
 * @property {boolean} [isUnmarked]  whether no head is marked, because none of the chosen heads is there
 * @property {boolean} dark
 * @property {number} [ratio]  device pixels per CSS pixel; the screen's unless given
 * @property {HeadPainter} [paintHead]  draws the lines of a head; unless given, they are drawn as pixels
 * @property {ModelChoice} [grid]
 *
 * @typedef {object} ModelChoice
 * @property {boolean} isOpen  whether the first chosen head is shown large
 * @property {readonly number[]} layers  the layers to show; an empty list means all
 * @property {readonly number[]} heads  the heads to show; an empty list means all
 *
 * @typedef {object} ModelViewOptions
 * @property {(layer: number, head: number) => void} [onSelect]  is called when the reader shows a head large
 * @property {() => void} [onClose]  is called when the reader shows all heads again
 * @property {(layer: number, head: number) => void} [onOpen]  is called to open the head view of a head
 * @property {(token: TokenRef | null) => void} [onPin]
 *
 * @param {ModelViewData} data
 * @param {ModelViewOptions} [options]
 */
export function modelView(data, options = {}) {
  const view = new ModelView(data, options);
  return Object.assign(view.element, {
    update: (/** @type {ModelViewData} */ next) => view.update(next),
  });
}

class ModelView {
  element = create('div', 'model-view');
  #options;
  /** @type {ModelViewData} */
  #data;
  /** @type {ReturnType<typeof shownTokens>} */
  #shown;
  /** @type {HeadRef | null} the head shown large */
  #open = null;
  /** @type {ReturnType<typeof headView> | null} */
  #large = null;
  /** @type {HeadRef | null} the head whose thumbnail is under the pointer or has the focus */
  #pointed = null;

  #reading = create('p', 'reading');
  #grid = new ModelGrid({
    onPoint: (place) => {
      this.#pointed = place;
      this.#read();
    },
    onOpen: (place) => this.#choose(place),
  });
  #rows = create('tbody');
  #table = create('details', 'numbers', create('summary', '', strings.model.table));
  #overview = create('div', 'overview', this.#reading, this.#grid.element, this.#table);
  #title = create('button', 'bare title');
  #toHeadView = create('button', 'follow', strings.model.follow);
  #detail = create('section', 'detail');

  /**
   * @param {ModelViewData} data
   * @param {ModelViewOptions} options
   */
  constructor(data, options) {
    this.#data = data;
    this.#shown = shownTokens(data.snapshot, data.selection);
    this.#options = options;
    this.#reading.setAttribute('aria-live', 'polite');
    this.#title.type = 'button';
    this.#title.addEventListener('click', () => this.#back());
    this.#toHeadView.type = 'button';
    this.#toHeadView.addEventListener('click', () => {
      if (this.#open) options.onOpen?.(this.#open.layer, this.#open.head);
    });
    this.#table.append(this.#createTable());
    this.#table.addEventListener('toggle', () => this.#fillTable());
    this.element.append(this.#overview);
    // This runs before the large view's own listener, which unpins a pinned token at the first Escape.
    this.element.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape' || !this.#open || this.#data.selection.token) return;
        event.stopPropagation();
        event.preventDefault();
        this.#back();
      },
      {capture: true},
    );
    this.update(data);
  }

  /** @param {ModelViewData} data */
  update(data) {
    const before = this.#data;
    this.#data = data;
    const {snapshot, selection, grid} = data;
    if (this.#open) this.#follow(this.#open, before.selection);
    if (this.#open && !attentionOf(snapshot, this.#open.layer, this.#open.head)) this.#close();
    this.#shown = shownTokens(snapshot, selection);
    if (this.#open && before.grid?.isOpen && grid?.isOpen === false) this.#close();
    if (this.#open) this.#large?.update(this.#largeData(this.#open));
    else if (grid?.isOpen) this.#openHead({layer: selection.layer, head: selection.heads[0]});
    this.#grid.update(data, this.#shown, this.#block);
    this.#read();
    this.#fillTable();
  }

  /** The layers and heads to show. */
  get #block() {
    return blockOf(this.#data.snapshot, this.#data.grid);
  }

  /** @param {HeadRef} place */
  #largeData({layer, head}) {
    return {...this.#data, selection: {...this.#data.selection, layer, heads: [head]}};
  }

  /**
   * Shows the newly chosen head large, or the first chosen one if the present head is no longer chosen.
   *
   * @param {HeadRef} open
   * @param {Selection} before
   */
  #follow({head}, before) {
    const {layer, heads} = this.#data.selection;
    if (layer === before.layer && String(heads) === String(before.heads)) return;
    const added = heads.filter((other) => !before.heads.includes(other));
    const next = added.length === 1 ? added[0] : heads.includes(head) ? head : heads[0];
    this.#name({layer, head: next});
  }

  /** @param {HeadRef} place */
  #name(place) {
    this.#open = place;
    const name = strings.model.place(place.layer, place.head);
    this.#title.replaceChildren(
      create('span', 'back', strings.model.back),
      create('span', 'name', name),
    );
    this.#detail.setAttribute('aria-label', name);
  }

  /** @param {HeadRef} place */
  #openHead(place) {
    const {layer, head} = place;
    if (!attentionOf(this.#data.snapshot, layer, head)) return;
    this.#name(place);
    this.#pointed = null;
    this.#large = headView(this.#largeData(place), {
      onPin: (token) => this.#options.onPin?.(token),
    });
    this.#detail.replaceChildren(
      create('div', 'heading', this.#title, this.#options.onOpen ? this.#toHeadView : ''),
      this.#large,
    );
    this.element.replaceChildren(this.#detail);
  }

  /** Shows the head large that the reader opens. @param {HeadRef} place */
  #choose(place) {
    this.#openHead(place);
    if (!this.#open) return;
    this.#title.focus();
    this.#options.onSelect?.(place.layer, place.head);
  }

  /** Shows all heads again when the reader closes the large one. */
  #back() {
    const hadFocus = this.element.matches(':focus-within');
    const place = this.#open;
    this.#close();
    if (hadFocus && place) this.#grid.focus(place);
    this.#options.onClose?.();
  }

  #close() {
    this.#open = null;
    this.#large = null;
    this.element.replaceChildren(this.#overview);
  }

  /** Tells what the thumbnail under the pointer shows, or how to point at one. */
  #read() {
    const {snapshot} = this.#data;
    const {layers, heads} = this.#block;
    const pointed = this.#pointed;
    const place =
      pointed && layers.includes(pointed.layer) && heads.includes(pointed.head) ? pointed : null;
    const head = place && thumbnail(snapshot, this.#shown, place.layer, place.head);
    if (!place || !head) {
      const {focus} = this.#shown;
      const pinned = focus && tokensOf(snapshot, focus.side);
      this.#reading.replaceChildren(
        ...(focus && pinned
          ? [strings.model.only, ' ', create('bdi', 'name', pinned[focus.index]), '. ']
          : []),
        matchMedia('(hover: none)').matches ? strings.model.touchHint : strings.model.hint,
      );
      return;
    }
    const swatch = create('span', 'swatch');
    swatch.style.background = headColour(place.head, this.#data.dark);
    this.#reading.replaceChildren(
      swatch,
      create('span', 'name', strings.model.place(place.layer, place.head)),
      `: ${strings.model.strongest} `,
      ...strongestLinks(head, 3).flatMap(({query, key, weight}, position) => [
        position ? ', ' : '',
        create('bdi', 'name', snapshot.queryTokens[query]),
        ' → ',
        create('bdi', 'name', snapshot.keyTokens[key]),
        ` ${weightFormat(snapshot)(weight)}`,
      ]),
    );
  }

  #createTable() {
    const header = create('tr');
    for (const name of strings.model.columns) {
      const cell = create('th', '', name);
      cell.scope = 'col';
      header.append(cell);
    }
    const table = create('table', '', create('thead', '', header), this.#rows);
    const box = create('div', 'table', table);
    box.tabIndex = 0;
    labelled(box, 'region', strings.model.table);
    return box;
  }

  #fillTable() {
    if (!this.#table.open) return;
    const {snapshot} = this.#data;
    const {layers, heads} = this.#block;
    const rows = [];
    for (const layer of layers) {
      for (const head of heads) {
        const image = thumbnail(snapshot, this.#shown, layer, head);
        const link = image && strongestLinks(image, 1)[0];
        if (!link) continue;
        const cells = [
          String(layer),
          String(head),
          create('bdi', '', snapshot.queryTokens[link.query]),
          create('bdi', '', snapshot.keyTokens[link.key]),
          weightFormat(snapshot)(link.weight),
        ];
        rows.push(create('tr', '', ...cells.map((content) => create('td', '', content))));
      }
    }
    this.#rows.replaceChildren(...rows);
  }
}
