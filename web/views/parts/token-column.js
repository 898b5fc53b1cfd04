import {labelled} from './create-element.js';
import {tokensOf} from '../../attention/selection.js';

/** @import {Side, Slice} from '../../attention/selection.js' */
/** @import {Snapshot} from '../../attention/snapshot.js' */

/**
 * Shows a column of tokens as buttons. The column is one Tab stop, and arrow keys move in it. After a click with the
 * pointer, the up and down keys choose the next token, and the left and right keys are left to listeners further out.
 *
 * @typedef {object} TokenColumnOptions
 * @property {Side} side
 * @property {string} label  its name for a screen reader
 * @property {(index: number | null) => void} onHover  gets the token under pointer or focus; null when left
 * @property {(index: number) => void} onClick
 * @property {(row: number) => void} onCross  gets the row of the other column that an arrow key leads to
 *
 * @typedef {object} TokenMarks  the present marks of tokens, by index
 * @property {number | null} current  the token in focus
 * @property {number | null} partner  the other end of the line under the pointer
 * @property {number | null} pinned
 * @property {((index: number) => string) | null} value  gives the number printed beside a token
 */
export class TokenColumn {
  element = document.createElement('div');
  #options;
  /** @type {HTMLButtonElement[]} */
  #rows = [];
  #first = 0;
  #tabStop = 0;
  /** The present marks. @type {TokenMarks} */
  #marks = {current: null, partner: null, pinned: null, value: null};
  /** The tokens shown. @type {{snapshot: Snapshot, slice: Slice} | null} */
  #shown = null;
  /** Whether the focus came here by a click with the pointer. */
  #isClicked = false;

  /** @param {TokenColumnOptions} options */
  constructor(options) {
    this.#options = options;
    const {element} = this;
    element.className = `tokens ${options.side}`;
    labelled(element, 'group', options.label);
    element.addEventListener('pointerover', (event) => {
      if (event.pointerType !== 'touch') options.onHover(this.#indexOf(event));
    });
    element.addEventListener('pointerleave', () => options.onHover(null));
    element.addEventListener('focusin', (event) => {
      const target = /** @type {Element} */ (event.target);
      if (target.matches(':focus-visible')) options.onHover(this.#indexOf(event));
    });
    element.addEventListener('focusout', ({relatedTarget}) => {
      if (!(relatedTarget instanceof Node && element.contains(relatedTarget)))
        this.#isClicked = false;
      options.onHover(null);
    });
    element.addEventListener('click', (event) => {
      const index = this.#indexOf(event);
      if (index === null) return;
      this.#setTabStop(index - this.#first);
      // A click that a key makes has no count.
      this.#isClicked = event.detail > 0;
      options.onClick(index);
    });
    element.addEventListener('keydown', (event) => this.#move(event));
  }

  /**
   * @param {Snapshot} snapshot
   * @param {Slice} slice  the tokens shown
   */
  update(snapshot, {start, end}) {
    const shown = this.#shown;
    if (shown?.snapshot === snapshot && shown.slice.start === start && shown.slice.end === end)
      return;
    this.#shown = {snapshot, slice: {start, end}};
    // All marks are removed, because the rows may now show other tokens.
    this.mark({current: null, partner: null, pinned: null, value: null});
    const {special, sentenceB} = snapshot;
    const {side} = this.#options;
    const tokens = tokensOf(snapshot, side);
    this.#first = start;
    while (this.#rows.length > end - start) this.#rows.pop()?.remove();
    while (this.#rows.length < end - start) {
      const row = createRow();
      this.#rows.push(row);
      this.element.append(row);
    }
    this.#rows.forEach((row, position) => {
      const index = start + position;
      const token = tokens[index].replaceAll('\n', '↵');
      const [piece] = row.children;
      if (piece.textContent !== token) {
        piece.textContent = token;
        row.title = token;
      }
      row.classList.toggle('special', special[side][index]);
      row.dataset.index = String(index);
      row.classList.toggle('second', index === sentenceB && position > 0);
    });
    this.#setTabStop(Math.min(this.#tabStop, this.#rows.length - 1));
  }

  /** @param {TokenMarks} marks */
  mark(marks) {
    const {current, partner, pinned, value} = marks;
    const before = this.#marks;
    this.#marks = marks;
    for (const index of [before.current, before.partner, before.pinned, current, partner, pinned]) {
      const row = index === null ? undefined : this.#rows[index - this.#first];
      row?.classList.toggle('current', index === current);
      row?.classList.toggle('partner', index === partner);
      row?.setAttribute('aria-pressed', String(index === pinned));
    }
    if (!value && !before.value) return;
    this.#rows.forEach((row, position) => {
      const text = value ? value(this.#first + position) : '';
      if (row.children[1].textContent !== text) row.children[1].textContent = text;
    });
  }

  /** @param {number} row  counted from the top of the column */
  focusRow(row) {
    this.#setTabStop(Math.min(row, this.#rows.length - 1));
    this.#rows[this.#tabStop].focus();
  }

  /** @param {number} row */
  #setTabStop(row) {
    this.#rows[this.#tabStop]?.setAttribute('tabindex', '-1');
    this.#tabStop = Math.max(0, row);
    this.#rows[this.#tabStop]?.setAttribute('tabindex', '0');
  }

  /** @param {Event} event */
  #indexOf(event) {
    const row = /** @type {Element} */ (event.target).closest('button');
    return row ? Number(row.dataset.index) : null;
  }

  /** @param {KeyboardEvent} event */
  #move(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const index = this.#indexOf(event);
    if (index === null) return;
    const row = index - this.#first;
    const last = this.#rows.length - 1;
    switch (event.key) {
      case 'ArrowUp':
        this.#step(row, Math.max(0, row - 1));
        break;
      case 'ArrowDown':
        this.#step(row, Math.min(last, row + 1));
        break;
      case 'Home':
        this.focusRow(0);
        break;
      case 'End':
        this.focusRow(last);
        break;
      case 'ArrowLeft':
      case 'ArrowRight':
        if (this.#isClicked) return;
        if ((event.key === 'ArrowLeft') === (this.#options.side === 'query')) return;
        this.#options.onCross(row);
        break;
      default:
        return;
    }
    event.preventDefault();
  }

  /** @param {number} from @param {number} to */
  #step(from, to) {
    this.focusRow(to);
    if (this.#isClicked && to !== from) this.#options.onClick(this.#first + to);
  }
}

function createRow() {
  const row = document.createElement('button');
  row.type = 'button';
  row.className = 'token';
  row.tabIndex = -1;
  row.setAttribute('aria-pressed', 'false');
  for (const name of ['piece', 'value']) {
    const part = document.createElement('span');
    part.className = name;
    row.append(part);
  }
  return row;
}

/**
 * Gives the position of the middle of a token's row, in CSS pixels below the top of the first row.
 *
 * @param {Slice} slice  the tokens of the column
 * @param {number} index
 * @param {number} rowHeight
 */
export function rowCentre(slice, index, rowHeight) {
  return (index - slice.start + 0.5) * rowHeight;
}
