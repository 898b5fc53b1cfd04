/** @import {Selection, TokenRef} from '../../attention/selection.js' */
/** @import {Snapshot} from '../../attention/snapshot.js' */

/**
 * Finds out when the link that a headline tells is to be brought into sight: once for each text, head and pinned token.
 * Where the reader scrolls to afterwards stays, and a token that they pin in the picture is in sight already.
 */
export class LinkInSight {
  /** Whether the link is still to be brought into sight; the view says when it is. */
  isSought = false;
  #known = '';
  /** What the reader has just pinned. */
  #own = '';

  /** @param {TokenRef} token  is pinned by the reader */
  pin(token) {
    this.#own = JSON.stringify(token);
  }

  /** @param {Snapshot} snapshot @param {Selection} selection */
  follow(snapshot, selection) {
    this.isSought ||= this.#isNew(snapshot, selection);
  }

  /** Whether the link is another one than the last time. @param {Snapshot} snapshot @param {Selection} selection */
  #isNew({queryTokens, keyTokens}, {layer, heads, token}) {
    const link = JSON.stringify([token, layer, heads, queryTokens, keyTokens]);
    const isOther = link !== this.#known;
    const isOwn = JSON.stringify(token) === this.#own;
    this.#known = link;
    this.#own = '';
    return token !== null && isOther && !isOwn;
  }
}

/**
 * Returns how far to scroll so that two rows are in sight: not at all if they are, and if there is no room for both, to
 * the pinned one and as many rows towards the other as fit.
 *
 * @param {{pinned: number, partner: number}} rows  counted from the first
 * @param {{size: number, scrolled: number, room: number}} place  in CSS pixels; `size`: of a row
 */
export function scrolledTo({pinned, partner}, {size, scrolled, room}) {
  const top = Math.min(pinned, partner) * size;
  const bottom = (Math.max(pinned, partner) + 1) * size;
  if (top >= scrolled && bottom <= scrolled + room) return scrolled;
  if (bottom - top <= room) return Math.max(0, (top + bottom - room) / 2);
  return pinned < partner ? top : bottom - room;
}

/** With less of an element in the window, in CSS pixels, it is to be scrolled to. */
const least = 120;

/**
 * Returns the height of an element's rows that the window shows.
 *
 * @param {HTMLElement} scroller
 * @param {number} above  the height of what stays above the rows
 */
export function roomInWindow(scroller, above) {
  const room = scroller.clientHeight - above;
  const inWindow = innerHeight - scroller.getBoundingClientRect().top - above;
  return inWindow < least ? room : Math.min(room, inWindow);
}
