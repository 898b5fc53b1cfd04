import {create} from './create-element.js';
import {strings} from '../../strings/index.js';

/** Shows a box beside the pointer with the weight of one query for one key, head by head. */
export class PairTooltip {
  element = create('div', 'tooltip');

  constructor() {
    this.element.hidden = true;
  }

  /**
   * @param {{query: string, key: string}} tokens
   * @param {{head: number, colour: string, weight: number}[]} weights
   * @param {(weight: number) => string} format
   * @param {{x: number, y: number}} at  a point in the view's box
   */
  show(tokens, weights, format, at) {
    const title = create(
      'p',
      'pair',
      create('bdi', '', tokens.query),
      ' → ',
      create('bdi', '', tokens.key),
    );
    const rows = weights.map(({head, colour, weight}) => {
      const swatch = create('span', 'swatch');
      swatch.style.background = colour;
      return create(
        'div',
        'weight',
        swatch,
        create('span', '', strings.view.head(head)),
        create('span', 'number', format(weight)),
      );
    });
    if (weights.length > 1) {
      const mean = weights.reduce((sum, {weight}) => sum + weight, 0) / weights.length;
      rows.push(
        create(
          'div',
          'weight mean',
          create('span', ''),
          create('span', '', strings.view.meanLabel),
          create('span', 'number', format(mean)),
        ),
      );
    }
    this.element.replaceChildren(title, create('div', 'weights', ...rows));
    this.element.hidden = false;
    this.#place(at);
  }

  hide() {
    this.element.hidden = true;
  }

  /** Places the box to the right of the point and below it, or on the other side if there is no room. */
  #place(/** @type {{x: number, y: number}} */ {x, y}) {
    const {element} = this;
    const box = /** @type {HTMLElement} */ (element.parentElement);
    const gap = 14;
    const place = (
      /** @type {number} */ at,
      /** @type {number} */ size,
      /** @type {number} */ room,
    ) => (at + gap + size <= room ? at + gap : Math.max(0, Math.min(at - gap - size, room - size)));
    const left = place(x, element.offsetWidth, box.clientWidth);
    const top = place(y, element.offsetHeight, box.clientHeight);
    element.style.transform = `translate(${left}px, ${top}px)`;
  }
}
