import {indicesIn} from '../../attention/range.js';
import {strings} from '../../strings/index.js';
import {create, labelled, write} from './create-element.js';
import {gridMoves} from './grid-keys.js';
import {colourIndex, matrixColours} from './weight-colours.js';

/** @import {Statistic} from '../../attention/head-statistics.js' */
/** @import {Block, HeadRef} from '../../attention/shape.js' */

/**
 * Shows every head of a model as a small square, layers by heads: a map that is coloured by a statistic, and a control
 * that chooses heads.
 *
 * @typedef {object} HeadMapData
 * @property {number} layers
 * @property {number} heads
 * @property {(layer: number, head: number) => boolean} [has]  whether a head is there; unless given, all are
 * @property {(layer: number, head: number) => string} [elsewhere]  when two models are compared and only the other one
 *   has the head, the name of the mapped model; otherwise empty
 * @property {Statistic | null} statistic  null while it is not known
 * @property {Block} chosen
 * @property {(layer: number, head: number) => boolean} [isOff]  whether a head is crossed out
 * @property {(layer: number, head: number) => boolean} [isAlike]  whether a head does what the chosen one does
 * @property {boolean} dark
 *
 * @typedef {object} HeadMapOptions
 * @property {(block: Block) => void} [onChoose]
 *
 * @param {HeadMapData} data
 * @param {HeadMapOptions} [options]
 */
export function headMap(data, options = {}) {
  const view = new HeadMap(data, options);
  return Object.assign(view.element, {
    update: (/** @type {HeadMapData} */ next) => view.update(next),
  });
}

class HeadMap {
  element = create('div', 'head-map');
  #options;
  #data;
  #table = create('div', 'squares');
  #scale = create('span', 'scale');
  #least = create('span');
  #most = create('span');
  #reading = create('span', 'pointed');
  /** @type {HTMLElement[][]} by layer and head */
  #cells = [];
  /** The head that the legend describes. @type {HeadRef | null} */
  #pointed = null;
  /** The first corner of a choice of several heads. @type {HeadRef} */
  #anchor = {layer: 0, head: 0};
  /** The keyboard's position, and the other corner of the choice. @type {HeadRef} */
  #end = {layer: 0, head: 0};
  #isDragged = false;
  /** @type {HeadRef | null} the square the pointer went down on */
  #pressed = null;

  /**
   * @param {HeadMapData} data
   * @param {HeadMapOptions} options
   */
  constructor(data, options) {
    this.#data = data;
    this.#options = options;
    labelled(this.#table, 'grid', strings.map.label);
    this.#table.setAttribute('aria-multiselectable', 'true');
    this.element.append(
      this.#table,
      create('p', 'legend', this.#reading, this.#least, this.#scale, this.#most),
    );
    this.#listen();
    this.update(data);
  }

  /** @param {HeadMapData} data */
  update(data) {
    this.#data = data;
    const {layers, heads, statistic, chosen, dark} = data;
    if (this.#cells.length !== layers || this.#cells[0]?.length !== heads) this.#build();
    const colours = matrixColours(Boolean(statistic?.isDifference), dark);
    const {least, most} = statistic?.range ?? {least: 0, most: 1};
    this.#cells.forEach((row, layer) => {
      const isInLayer = chosen.layers.includes(layer);
      row[0]?.parentElement?.classList.toggle('chosen', isInLayer);
      row.forEach((cell, head) => {
        const value = statistic?.values[layer * heads + head] ?? NaN;
        const isKnown = !Number.isNaN(value);
        const colour = colours[isKnown ? colourIndex(value - least, most - least, false) : 0];
        cell.style.setProperty('--square', isKnown ? `rgb(${colour.join(' ')})` : '');
        const isThere = this.#isThere({layer, head});
        cell.classList.toggle('absent', !isThere);
        cell.ariaDisabled = isThere ? null : 'true';
        cell.classList.toggle('off', Boolean(data.isOff?.(layer, head)));
        cell.classList.toggle('alike', Boolean(data.isAlike?.(layer, head)));
        cell.ariaLabel = this.#describe({layer, head});
        const isChosen = isInLayer && chosen.heads.includes(head);
        cell.ariaSelected = String(isChosen);
      });
    });
    const first = {layer: chosen.layers[0] ?? 0, head: chosen.heads[0] ?? 0};
    const isOwn = chosen.layers.includes(this.#end.layer) && chosen.heads.includes(this.#end.head);
    if (!isOwn) this.#anchor = this.#end = first;
    this.#setStop(this.#end);
    this.#point(this.#pointed);
    const format = statistic?.format ?? String;
    write(this.#least, statistic ? format(least) : '');
    write(this.#most, statistic ? format(most) : '');
    const shown = [0, 64, 128, 191, 255].map((i) => `rgb(${colours[i].join(' ')})`);
    this.#scale.style.background = `linear-gradient(to right, ${shown.join(', ')})`;
    this.#scale.hidden = !statistic;
  }

  #build() {
    const {layers, heads} = this.#data;
    const corner = create('div', 'corner');
    corner.setAttribute('role', 'gridcell');
    const names = Array.from({length: heads}, (_, head) =>
      labelled(create('div', 'number', String(head)), 'columnheader', strings.model.head(head)),
    );
    this.#cells = Array.from({length: layers}, (_, layer) =>
      Array.from({length: heads}, (_, head) => {
        const cell = create('div', 'head-square');
        cell.setAttribute('role', 'gridcell');
        cell.tabIndex = -1;
        cell.dataset.layer = String(layer);
        cell.dataset.head = String(head);
        return cell;
      }),
    );
    const rows = this.#cells.map((cells, layer) =>
      create(
        'div',
        'row',
        labelled(create('div', 'number', String(layer)), 'rowheader', strings.model.layer(layer)),
        ...cells,
      ),
    );
    const all = [create('div', 'row', corner, ...names), ...rows];
    for (const row of all) row.setAttribute('role', 'row');
    this.#table.style.setProperty('--heads', String(heads));
    this.#table.replaceChildren(...all);
    this.#pointed = null;
    this.#anchor = this.#end = {layer: 0, head: 0};
  }

  #listen() {
    const table = this.#table;
    table.addEventListener('pointerdown', (event) => {
      const place = this.#placeOf(event);
      if (!place || event.button !== 0) return;
      const target = /** @type {Element} */ (event.target);
      // Without this, all events of a finger would go to the square where it went down.
      if (target.hasPointerCapture(event.pointerId)) target.releasePointerCapture(event.pointerId);
      this.#pressed = place;
      this.#isDragged = false;
    });
    table.addEventListener('pointerover', (event) => {
      const place = this.#placeOf(event);
      this.#point(place);
      const from = this.#pressed;
      if (!place || !from || !event.buttons) return;
      if (!this.#isDragged && place.layer === from.layer && place.head === from.head) return;
      this.#isDragged = true;
      this.#choose(from, place);
    });
    table.addEventListener('pointerleave', () => this.#point(null));
    addEventListener('pointerup', () => (this.#pressed = null));
    table.addEventListener('click', (event) => {
      const place = this.#placeOf(event);
      // The end of a drag is not a click on the square where it ends.
      if (place && this.#isThere(place) && !this.#isDragged)
        this.#choose(event.shiftKey ? this.#anchor : place, place);
      this.#isDragged = false;
    });
    table.addEventListener('focusin', (event) => this.#point(this.#placeOf(event)));
    table.addEventListener('focusout', () => this.#point(null));
    table.addEventListener('keydown', (event) => this.#press(event));
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = Object.hasOwn(gridMoves, event.key) ? gridMoves[event.key] : null;
    if (!step && event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    const [down, right] = step ?? [0, 0];
    const {layers, heads} = this.#data;
    const next = {
      layer: Math.max(0, Math.min(layers - 1, this.#end.layer + down)),
      head: Math.max(0, Math.min(heads - 1, this.#end.head + right)),
    };
    this.#choose(event.shiftKey ? this.#anchor : next, next);
    this.#cells[next.layer][next.head].focus();
  }

  /**
   * Chooses all heads between two corners.
   *
   * @param {HeadRef} from
   * @param {HeadRef} to
   */
  #choose(from, to) {
    this.#anchor = from;
    this.#end = to;
    this.#options.onChoose?.({
      layers: between(from.layer, to.layer),
      heads: between(from.head, to.head),
    });
  }

  /** @param {HeadRef | null} place */
  #point(place) {
    this.#pointed = place;
    write(this.#reading, place ? this.#describe(place) : '');
  }

  /** @param {HeadRef} place */
  #describe({layer, head}) {
    const {statistic, heads, isOff, elsewhere} = this.#data;
    const name = strings.model.place(layer, head);
    const mapped = elsewhere?.(layer, head);
    if (mapped) return strings.compare.lack.elsewhere(name, mapped);
    const place = isOff?.(layer, head) ? strings.controls.headOff(name) : name;
    const at = layer * heads + head;
    const value = statistic?.values[at] ?? NaN;
    if (Number.isNaN(value) || !statistic) return place;
    return `${place}: ${statistic.tell?.(at) ?? statistic.format(value)}`;
  }

  /** @param {HeadRef} place */
  #isThere({layer, head}) {
    return this.#data.has?.(layer, head) ?? true;
  }

  /** @param {HeadRef} place */
  #setStop(place) {
    for (const row of this.#cells) for (const cell of row) cell.tabIndex = -1;
    const cell = this.#cells[place.layer]?.[place.head] ?? this.#cells[0]?.[0];
    if (cell) cell.tabIndex = 0;
  }

  /** @param {Event} event @returns {HeadRef | null} */
  #placeOf(event) {
    const cell = /** @type {Element} */ (event.target).closest('.head-square');
    if (!(cell instanceof HTMLElement)) return null;
    return {layer: Number(cell.dataset.layer), head: Number(cell.dataset.head)};
  }
}

/** @param {number} a @param {number} b */
const between = (a, b) => indicesIn({start: Math.min(a, b), end: Math.max(a, b) + 1});
