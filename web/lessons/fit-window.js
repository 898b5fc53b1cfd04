/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {TensorBlock} from './parts/tensor-block.js' */

/** From this width on, the text and the pictures of a step stand side by side, and a step fits the window. */
const isWide = matchMedia('(min-width: 64rem)');

/** Pictures, and rows of tokens in them, are never made lower, in CSS pixels. */
const lowestPicture = 96;
const lowestRow = 13;
const lowestNeuronRow = 17;
/** In front of an audience, tokens are not smaller than the type around them; this is with type of the usual size. */
const lowestPresentedRow = 20;
/** A view shows all its rows up to this height, also where the step is too high for the window then. */
const highestFloor = 240;
/** How often a height is corrected at once. */
const mostRounds = 12;
/** What stands above and below a view's rows, besides its caption, in CSS pixels. */
const aroundRows = 4;

/**
 * Makes a step fit a wide window. All its parts are shown at once if there is room for them, else one at a time; and
 * what a part draws is as high as the window allows. A part that is not shown keeps its size, so what fits does not
 * depend on what is shown.
 */
export class WindowFit {
  #root;
  #observer = new ResizeObserver(() => this.#update());
  /** @type {Set<Element>} */
  #observed = new Set();
  /** How high the pictures of a part may be. @type {WeakMap<Element, number>} */
  #heights = new WeakMap();

  /** @param {HTMLElement} root  of the lessons */
  constructor(root) {
    this.#root = root;
    addEventListener('resize', () => this.#update());
    // The number of tokens of a view is known with its result; the event does not bubble.
    root.addEventListener('result', () => this.#update(), {capture: true});
  }

  /** Measures the step that is shown, and again whenever the size of something in it changes. */
  watch() {
    for (const each of this.#observed) {
      if (each.isConnected) continue;
      this.#observer.unobserve(each);
      this.#observed.delete(each);
    }
    for (const each of this.#root.querySelectorAll('.parts, .step-part, .asking')) {
      if (this.#observed.has(each)) continue;
      this.#observed.add(each);
      this.#observer.observe(each);
    }
  }

  #update() {
    this.#tighten();
    const parts = /** @type {HTMLElement | null} */ (this.#root.querySelector('.parts'));
    const bar = /** @type {HTMLElement | null} */ (this.#root.querySelector('.stepping'));
    if (!parts || !bar) return;
    const all = /** @type {HTMLElement[]} */ ([...parts.querySelectorAll(':scope > .step-part')]);
    const gap = parseFloat(getComputedStyle(parts).rowGap) || 0;
    const room = innerHeight - bar.offsetHeight - parts.getBoundingClientRect().top - scrollY - gap;
    const choice = /** @type {HTMLElement | null} */ (parts.querySelector('.part-choice'));
    const roomOfOne = room - (choice ? choice.offsetHeight + gap : 0);
    if (isWide.matches) for (const part of all) this.#limit(part, roomOfOne);
    const needed = all.reduce((sum, part) => sum + part.offsetHeight, gap * (all.length - 1));
    // In a narrow window nothing stands beside the parts, and all of them would be a long way to scroll.
    const isTooMuch = !isWide.matches || needed > room;
    parts.classList.toggle('one-at-a-time', all.length > 1 && isTooMuch);
  }

  /** Sets an answer closer that would not fit below its question. */
  #tighten() {
    const asking = /** @type {HTMLElement | null} */ (this.#root.querySelector('.asking'));
    const bar = /** @type {HTMLElement | null} */ (this.#root.querySelector('.stepping'));
    if (!asking || !bar) return;
    asking.classList.remove('tight');
    const end = asking.getBoundingClientRect().bottom + scrollY;
    const isRevealed = asking.querySelector('.revealed') !== null;
    asking.classList.toggle(
      'tight',
      isWide.matches && isRevealed && end > innerHeight - bar.offsetHeight,
    );
  }

  /**
   * Makes the pictures of a part lower by what it is too high, or as high again as there is room.
   *
   * @param {HTMLElement} part
   * @param {number} room
   */
  #limit(part, room) {
    const stacked = Math.max(1, part.querySelectorAll(':scope > tensor-block').length);
    const lowest = lowestIn(part);
    let height = Math.max(lowest, Math.min(room, this.#heights.get(part) ?? room));
    this.#apply(part, height);
    // A picture that is lower than it may be does not follow at once.
    for (let round = 0; round < mostRounds; round++) {
      const spare = (room - part.offsetHeight) / stacked;
      const next = Math.max(lowest, Math.min(room, Math.floor(height + spare)));
      if (next === height) break;
      this.#apply(part, next);
      height = next;
      if (spare > 0) break;
    }
    if (height === this.#heights.get(part)) return;
    this.#heights.set(part, height);
    for (const block of part.querySelectorAll('tensor-block'))
      /** @type {TensorBlock} */ (block).requestUpdate();
  }

  /**
   * Limits the pictures of a part, and makes the rows of a view lower if not all tokens have room.
   *
   * @param {HTMLElement} part
   * @param {number} height
   */
  #apply(part, height) {
    part.style.setProperty('--picture', `${height}px`);
    const view = viewIn(part);
    if (!view) return;
    const fitting = Math.max(view.lowestRow, Math.floor((height - view.caption) / view.rows));
    view.scope.style.setProperty('--view-row-height', `${Math.min(view.row, fitting)}px`);
  }
}

/**
 * The view in a part, the number of its rows, and the heights of its caption and of a row.
 *
 * @param {HTMLElement} part
 */
function viewIn(part) {
  const scope = /** @type {BertScope | null} */ (part.querySelector('bert-scope'));
  if (!scope?.rows) return null;
  const isNeuron = scope.view === 'neuron';
  const style = getComputedStyle(scope);
  const heightOf = (/** @type {string} */ name) => parseFloat(style.getPropertyValue(name));
  // A presentation scales its type, and so the rows.
  const page = document.documentElement;
  const scale = parseFloat(getComputedStyle(page).fontSize) / 16;
  const lowest = isNeuron ? lowestNeuronRow : lowestRow;
  return {
    scope,
    // The neuron view has a row more, for the sums, and two things in a row.
    rows: scope.rows + (isNeuron ? 1 : 0),
    lowestRow: 'present' in page.dataset ? Math.max(lowest, scale * lowestPresentedRow) : lowest,
    caption: scale * (heightOf('--caption-height') + aroundRows),
    row: scale * heightOf('--usual-row'),
  };
}

/** How high the pictures of a part are at least. @param {HTMLElement} part */
function lowestIn(part) {
  const view = viewIn(part);
  const needed = view ? view.caption + view.rows * view.lowestRow : 0;
  return Math.max(lowestPicture, Math.min(needed, highestFloor));
}

/**
 * Scrolls to what is below or above.
 *
 * @param {1 | -1} direction
 * @param {number} barHeight  of the bar that covers the lower edge of the window
 * @returns {boolean}  false if there is no more
 */
export function scrollOn(direction, barHeight) {
  const {scrollTop, scrollHeight, clientHeight} = document.documentElement;
  const left = direction > 0 ? scrollHeight - clientHeight - scrollTop : scrollTop;
  if (left < 2) return false;
  scrollBy({top: direction * (clientHeight - barHeight) * 0.9});
  return true;
}
