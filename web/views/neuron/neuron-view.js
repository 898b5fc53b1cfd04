import {strings} from '../../strings/index.js';
import {coloursOfNumbers, headColour} from '../parts/head-colours.js';
import {create} from '../parts/create-element.js';
import {notesOf, headCaption} from './captions.js';
import {NeuronTooltip} from './tooltip.js';
import {pointIn} from '../parts/element-size.js';
import {sum} from '../../attention/head-arithmetic.js';
import {drawNeuron, spotAt} from './canvas.js';
import {NeuronFrame} from './columns.js';
import {NeuronJumps} from './jump-buttons.js';
import {neuronScene, queryScene, scoreFormula, storyOf} from './scene.js';
import {focusToShow, noSpots, queryToShow, spotsWithin} from './spots.js';
import {LinkInSight} from '../parts/link-in-sight.js';
import {NeuronStepper, litColumns} from './stepper.js';
import {NeuronTable} from './arithmetic-table.js';
import {NeuronZoom} from './zoom.js';
import {tokenColumns} from '../parts/token-columns.js';

/** @import {Ink} from './canvas.js' */
/** @import {NeuronScene, QueryScene} from './scene.js' */
/** @import {Spots} from './spots.js' */
/** @import {Selection, Side, TokenRef} from '../../attention/selection.js' */
/** @import {Snapshot} from '../../attention/snapshot.js' */

/**
 * Shows all the arithmetic of one head, the first active one, for one query.
 *
 * @typedef {object} NeuronViewData
 * @property {Snapshot} snapshot  has the attention and the vectors of that head
 * @property {Selection} selection
 * @property {boolean} dark
 * @property {Spots} [spots]  what the reader has chosen in another view of the same head
 *
 * @typedef {object} NeuronViewOptions
 * @property {(token: TokenRef | null) => void} [onPin]
 *
 * @param {NeuronViewData} data
 * @param {NeuronViewOptions} [options]
 */
export function neuronView(data, options = {}) {
  const view = new NeuronView(data, options);
  return Object.assign(view.element, {
    update: (/** @type {NeuronViewData} */ next) => view.update(next),
    spots: () => view.spots,
  });
}

class NeuronView {
  element = create('div', 'neuron-view');
  #options;
  /** @type {NeuronViewData} */
  #data;
  /** @type {NeuronScene | null} */
  #head = null;
  /** @type {QueryScene | null} */
  #scene = null;
  /** What the pointer or the keyboard is on. @type {Spots} */
  #hover = noSpots;
  /** The reader's choices; in place of null, the strongest is shown. @type {Spots} */
  #kept = {...noSpots};
  /** The pinned token of the last update. @type {TokenRef | null} */
  #pinned = null;
  #inSight = new LinkInSight();

  #message = create('p', 'message');
  #place = create('p', 'reading');
  #notes = create('p', 'notes');
  #stepper = new NeuronStepper(() => {
    this.#light();
    this.#frame.reveal(litColumns[this.#stepper.step]);
  });
  #columns = tokenColumns(
    (side, index) => this.#point({[side]: index}),
    (side, index) => this.#choose(side, index),
  );
  #jumps = new NeuronJumps((key) => {
    if (this.#kept.key !== key) this.#choose('key', key);
    if (this.#head) this.#frame.revealRow(key - this.#head.keys.start);
  });
  #frame = new NeuronFrame(this.#columns, {
    onLayout: () => {
      this.#jumps.element.hidden = !this.#frame.isTall;
      this.#seek();
      this.#paint();
    },
    onScroll: () => {
      this.#tooltip.hide();
      this.#draw();
    },
  });
  #zoom = new NeuronZoom((dimension, isKept) =>
    isKept ? this.#keepDimension(dimension) : this.#point({dimension}),
  );
  #table = new NeuronTable();
  #tooltip = new NeuronTooltip();

  /**
   * @param {NeuronViewData} data
   * @param {NeuronViewOptions} options
   */
  constructor(data, options) {
    this.#data = data;
    this.#options = options;
    this.#kept = data.spots ?? this.#kept;
    const {canvas} = this.#frame;
    canvas.addEventListener('pointermove', (event) => {
      if (event.pointerType !== 'touch') this.#pointAt(event, false);
    });
    canvas.addEventListener('pointerleave', () => {
      this.#tooltip.hide();
      this.#point({key: null, dimension: null});
    });
    canvas.addEventListener('click', (event) => this.#pointAt(event, true));
    this.element.addEventListener('keydown', (event) => this.#press(event));
    this.update(data);
  }

  /** What the reader has chosen. @returns {Spots} */
  get spots() {
    return {...this.#kept};
  }

  /** @param {NeuronViewData} data */
  update(data) {
    const isOwnPin = this.#isOwnPin(data);
    this.#followPin(data);
    this.#data = data;
    const {snapshot, selection, dark} = data;
    this.#head = neuronScene(snapshot, selection);
    if (!this.#head) {
      this.#message.textContent = strings.neuron.missing;
      this.element.replaceChildren(this.#message);
      return;
    }
    if (!this.#frame.element.isConnected) {
      this.element.replaceChildren(
        this.#stepper.element,
        this.#place,
        this.#jumps.element,
        this.#frame.element,
        this.#notes,
        this.#zoom.element,
        this.#table.element,
        this.#tooltip.element,
      );
    }
    const colours = coloursOfNumbers(dark);
    for (const [name, colour] of Object.entries(colours)) {
      this.element.style.setProperty(`--${name}`, colour);
    }
    this.#frame.readInk();
    this.#frame.nameScore(scoreFormula(this.#head), Boolean(this.#head.vectors.positionScores));
    this.#frame.fitTints(this.#head.vectors.headDim);
    this.#place.replaceChildren(...headCaption(this.#head, selection.heads.length, dark));
    if (!isOwnPin) this.#tooltip.hide();
    this.#hover = spotsWithin(this.#head, this.#hover);
    this.#kept = spotsWithin(this.#head, this.#kept);
    this.#columns.query.update(snapshot, this.#head.queries);
    this.#inSight.follow(snapshot, selection);
    this.#compute();
    this.#seek();
  }

  /** Scrolls to the pinned token and the one on the other side that goes with it, once there is a layout. */
  #seek() {
    const [head, scene] = [this.#head, this.#scene];
    if (!this.#inSight.isSought || !head || !scene || !this.#frame.layout) return;
    this.#inSight.isSought = false;
    const [query, key] = [
      scene.query - head.queries.start,
      this.#focus(scene).key - head.keys.start,
    ];
    const isQuery = this.#pinned?.side === 'query';
    this.#frame.showRows(isQuery ? {pinned: query, partner: key} : {pinned: key, partner: query});
  }

  /** Whether the only change is that the key clicked here comes back as the pinned token. */
  #isOwnPin(/** @type {NeuronViewData} */ {snapshot, selection}) {
    const {layer, heads, filter, token} = selection;
    const before = this.#data.selection;
    return (
      token?.side === 'key' &&
      token.index === this.#kept.key &&
      snapshot === this.#data.snapshot &&
      layer === before.layer &&
      heads[0] === before.heads[0] &&
      filter === before.filter
    );
  }

  /** Takes over the pinned token. The choice on the other side stays while its token is there and a token is pinned. */
  #followPin(/** @type {NeuronViewData} */ {snapshot, selection: {token}}) {
    const before = this.#data.snapshot;
    for (const side of /** @type {const} */ (['query', 'key'])) {
      const index = this.#kept[side] ?? -1;
      const isSame = before[`${side}Tokens`][index] === snapshot[`${side}Tokens`][index];
      if (!isSame || (this.#pinned && !token)) this.#kept[side] = null;
    }
    if (token) this.#kept[token.side] = token.index;
    this.#pinned = token;
  }

  #compute() {
    if (!this.#head) return;
    const {snapshot} = this.#data;
    const query = queryToShow(this.#data, this.#head, this.#hover, this.#kept);
    const scene = queryScene(this.#head, query);
    this.#scene = scene;
    this.#columns.key.update(snapshot, scene.keys);
    this.#jumps.update(scene, snapshot);
    // The story tells of one text, not of the difference of two.
    this.#stepper.element.hidden = Boolean(this.#head.sides);
    if (!this.#head.sides) this.#stepper.update(storyOf(scene, this.#head, snapshot));
    this.#notes.textContent = notesOf(this.#head, scene);
    this.#light();
    this.#paint();
  }

  #focus(/** @type {QueryScene} */ scene) {
    return focusToShow(scene, this.#hover, this.#kept);
  }

  /** Updates everything that depends on the key and the dimension in focus. */
  #paint() {
    const [head, scene] = [this.#head, this.#scene];
    if (!head || !scene || !this.#frame.layout) return;
    const {queryTokens, keyTokens} = this.#data.snapshot;
    const focus = this.#focus(scene);
    this.#columns.query.mark({
      current: scene.query,
      partner: null,
      pinned: this.#kept.query,
      value: null,
    });
    this.#columns.key.mark({
      current: null,
      partner: focus.key,
      pinned: this.#kept.key,
      value: null,
    });
    const query = queryTokens[scene.query];
    const ink = this.#ink();
    this.#zoom.update({head, scene, focus, ink}, this.#data.snapshot);
    this.#table.update({head, scene, focus, tokens: {query, keys: keyTokens}});
    this.#frame.showSum(sum(scene.weights), scene, focus.dimension, ink);
    this.#draw();
  }

  #draw() {
    const {layout, canvas} = this.#frame;
    const context = canvas.getContext('2d');
    if (!context || !layout || !this.#head || !this.#scene) return;
    const focus = this.#focus(this.#scene);
    drawNeuron(context, this.#head, this.#scene, focus, layout, this.#ink());
  }

  /** @returns {Ink} */
  #ink() {
    const {dark} = this.#data;
    const head = headColour(this.#head?.head ?? 0, dark);
    return {...this.#frame.ink, numbers: coloursOfNumbers(dark), head};
  }

  #light() {
    this.#frame.light(litColumns[this.#stepper.step]);
  }

  /** @param {Partial<Spots>} hover */
  #point(hover) {
    const before = this.#hover;
    this.#hover = {...before, ...hover};
    if (this.#hover.query !== before.query) this.#compute();
    else if (this.#hover.key !== before.key || this.#hover.dimension !== before.dimension)
      this.#paint();
  }

  /** @param {number | null} dimension */
  #keepDimension(dimension) {
    this.#kept.dimension = dimension;
    this.#paint();
  }

  /**
   * Pins a token. A pinned token is unpinned instead, and the choice on the other side is pinned.
   *
   * @param {Side} side
   * @param {number} index
   */
  #choose(side, index) {
    const isKept = this.#kept[side] === index;
    this.#kept[side] = isKept ? null : index;
    this.#inSight.pin({side, index});
    const other = side === 'query' ? 'key' : 'query';
    const rest = this.#kept[other];
    if (!isKept) this.#options.onPin?.({side, index});
    else this.#options.onPin?.(rest === null ? null : {side: other, index: rest});
    this.#compute();
  }

  /**
   * @param {PointerEvent | MouseEvent} event
   * @param {boolean} isKept
   */
  #pointAt(event, isKept) {
    const {layout, canvas} = this.#frame;
    if (!layout || !this.#head || !this.#scene) return;
    const {x, y} = pointIn(canvas, event);
    const spot = spotAt(this.#head, this.#scene, layout, x, y);
    const place = {key: spot?.key ?? null, dimension: spot?.dimension ?? null};
    if (isKept) {
      this.#keepDimension(place.dimension);
      if (place.key !== null && place.key !== this.#kept.key) this.#choose('key', place.key);
    } else this.#point(place);
    if (!spot) return this.#tooltip.hide();
    const content = {head: this.#head, scene: this.#scene, focus: this.#focus(this.#scene)};
    this.#tooltip.show(spot, content, this.#data.snapshot, event);
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.key === ' ' && !target.matches('button, summary, input, .table')) {
      event.preventDefault();
      this.#stepper.advance();
    }
    if (event.key !== 'Escape') return;
    this.#hover = noSpots;
    this.#kept = {...noSpots};
    if (this.#data.selection.token) {
      event.preventDefault();
      this.#options.onPin?.(null);
    }
    this.#compute();
  }
}
