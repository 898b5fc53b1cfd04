import {strings} from '../strings.js';
import {coloursOfNumbers, headColour} from './colours.js';
import {create} from './dom.js';
import {notesOf, placeLine} from './neuron-reading.js';
import {NeuronTooltip} from './neuron-tooltip.js';
import {sum} from './neuron-arithmetic.js';
import {drawNeuron, spotAt} from './neuron-canvas.js';
import {NeuronFrame} from './neuron-frame.js';
import {
  firstWord,
  headScene,
  queryScene,
  storyOf,
  strongestDimension,
  strongestKey,
} from './neuron-scene.js';
import {NeuronStepper, litColumns} from './neuron-stepper.js';
import {NeuronTable} from './neuron-table.js';
import {NeuronZoom} from './neuron-zoom.js';
import {TokenColumn} from './token-column.js';

/** @import {Focus, Ink} from './neuron-canvas.js' */
/** @import {HeadScene, QueryScene} from './neuron-scene.js' */
/** @import {Selection, TokenRef} from './selection.js' */
/** @import {Snapshot} from './snapshot.js' */

/**
 * All the arithmetic of one head, the first that is active, for one query.
 *
 * @typedef {object} NeuronViewData
 * @property {Snapshot} snapshot  holding the attention and the vectors of that head
 * @property {Selection} selection
 * @property {boolean} dark
 *
 * @typedef {{key: number | null, dimension: number | null}} Kept
 * @typedef {Kept & {query: number | null}} Hover  what the pointer or the keyboard is on
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
  });
}

class NeuronView {
  element = create('div', 'neuron-view');
  #options;
  /** @type {NeuronViewData} */
  #data;
  /** @type {HeadScene | null} */
  #head = null;
  /** @type {QueryScene | null} */
  #scene = null;
  /** @type {Hover} */
  #hover = {query: null, key: null, dimension: null};
  /** What the reader chose here; null: the strongest. @type {Kept} */
  #kept = {key: null, dimension: null};

  #message = create('p', 'message', strings.neuron.missing);
  #place = create('p', 'reading');
  #notes = create('p', 'notes');
  #stepper = new NeuronStepper(() => {
    this.#light();
    this.#frame.reveal(litColumns[this.#stepper.step][0]);
  });
  #columns = {
    query: new TokenColumn({
      side: 'query',
      label: strings.view.queries,
      onHover: (index) => this.#point({query: index}),
      onClick: (index) => this.#pin(index),
      onCross: (row) => this.#columns.key.focusRow(row),
    }),
    key: new TokenColumn({
      side: 'key',
      label: strings.view.keys,
      onHover: (index) => this.#point({key: index}),
      onClick: (index) => this.#keep({key: this.#kept.key === index ? null : index}),
      onCross: (row) => this.#columns.query.focusRow(row),
    }),
  };
  #frame = new NeuronFrame(this.#columns, {
    onLayout: () => this.#paint(),
    onScroll: () => {
      this.#tooltip.hide();
      this.#draw();
    },
  });
  #zoom = new NeuronZoom((dimension, isKept) =>
    isKept ? this.#keep({dimension}) : this.#point({dimension}),
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

  /** @param {NeuronViewData} data */
  update(data) {
    this.#data = data;
    const {snapshot, selection, dark} = data;
    this.#head = headScene(snapshot, selection);
    if (!this.#head) {
      this.element.replaceChildren(this.#message);
      return;
    }
    if (!this.#frame.element.isConnected) {
      this.element.replaceChildren(
        this.#stepper.element,
        this.#place,
        this.#frame.element,
        this.#notes,
        this.#zoom.element,
        this.#table.element,
        this.#tooltip.element,
      );
    }
    const {vectors, keys} = this.#head;
    const colours = coloursOfNumbers(dark);
    for (const [name, colour] of Object.entries(colours)) {
      this.element.style.setProperty(`--${name}`, colour);
    }
    this.#place.replaceChildren(...placeLine(this.#head, dark));
    this.#hover = {query: null, key: null, dimension: null};
    this.#tooltip.hide();
    const {key, dimension} = this.#kept;
    this.#kept = {
      key: key !== null && key >= keys.start && key < keys.end ? key : null,
      dimension: dimension !== null && dimension < vectors.headDim ? dimension : null,
    };
    this.#columns.query.update(snapshot.queryTokens, this.#head.queries, snapshot.sentenceB);
    this.#compute();
  }

  /** The query on show: the one pointed at, the pinned one, or the first word. */
  #query(/** @type {HeadScene} */ {queries}) {
    const {selection, snapshot} = this.#data;
    const {token} = selection;
    const pinned = token?.side === 'query' ? token.index : -1;
    if (this.#hover.query !== null) return this.#hover.query;
    if (pinned >= queries.start && pinned < queries.end) return pinned;
    return firstWord(snapshot.queryTokens, queries);
  }

  #compute() {
    if (!this.#head) return;
    const {snapshot} = this.#data;
    const scene = queryScene(this.#head, this.#query(this.#head));
    this.#scene = scene;
    this.#columns.key.update(snapshot.keyTokens, scene.keys, snapshot.sentenceB);
    this.#stepper.update(storyOf(scene, this.#head, snapshot));
    this.#notes.textContent = notesOf(this.#head, scene);
    this.#light();
    this.#paint();
  }

  /** @returns {Focus} */
  #focus(/** @type {QueryScene} */ scene) {
    const {start, end} = scene.keys;
    const wanted = this.#hover.key ?? this.#kept.key ?? -1;
    const key = wanted >= start && wanted < end ? wanted : strongestKey(scene);
    const dimension =
      this.#hover.dimension ?? this.#kept.dimension ?? strongestDimension(scene, key);
    return {key, dimension};
  }

  /** Everything that depends on the key and the dimension in focus. */
  #paint() {
    const [head, scene] = [this.#head, this.#scene];
    if (!head || !scene || !this.#frame.layout) return;
    const {queryTokens, keyTokens} = this.#data.snapshot;
    const {token} = this.#data.selection;
    const focus = this.#focus(scene);
    this.#columns.query.mark({
      current: scene.query,
      partner: null,
      pinned: token?.side === 'query' ? token.index : null,
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
    this.#zoom.update({head, scene, focus, ink}, {query, key: keyTokens[focus.key]});
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

  /** @param {Partial<Hover>} hover */
  #point(hover) {
    const before = this.#hover;
    this.#hover = {...before, ...hover};
    if (this.#hover.query !== before.query) this.#compute();
    else if (this.#hover.key !== before.key || this.#hover.dimension !== before.dimension)
      this.#paint();
  }

  /** @param {Partial<Kept>} choice */
  #keep(choice) {
    this.#kept = {...this.#kept, ...choice};
    this.#paint();
  }

  /** @param {number} index */
  #pin(index) {
    const {token} = this.#data.selection;
    const same = token?.side === 'query' && token.index === index;
    this.#options.onPin?.(same ? null : {side: 'query', index});
  }

  /**
   * @param {PointerEvent | MouseEvent} event
   * @param {boolean} isKept
   */
  #pointAt(event, isKept) {
    const {layout, canvas} = this.#frame;
    if (!layout || !this.#head || !this.#scene) return;
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const spot = spotAt(this.#head, this.#scene, layout, x, y);
    const found = {key: spot?.key ?? null, dimension: spot?.dimension ?? null};
    if (isKept) this.#keep(found);
    else this.#point(found);
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
    this.#hover = {query: null, key: null, dimension: null};
    this.#kept = {key: null, dimension: null};
    if (this.#data.selection.token) this.#options.onPin?.(null);
    this.#compute();
  }
}
