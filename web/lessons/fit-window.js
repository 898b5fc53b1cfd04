/** From this width on, the text and the pictures of a step stand side by side, and a step fits the window. */
const isWide = matchMedia('(min-width: 64rem)');

/**
 * Shows all parts of a step at once if the window has room for them, else one at a time. A part that is not shown
 * keeps its size, so what fits does not depend on what is shown.
 */
export class WindowFit {
  #root;
  #observer = new ResizeObserver(() => this.update());

  /** @param {HTMLElement} root  of the lessons */
  constructor(root) {
    this.#root = root;
    addEventListener('resize', () => this.update());
  }

  /** Measures the step that is shown, and again whenever the size of something in it changes. */
  watch() {
    this.#observer.disconnect();
    for (const each of this.#root.querySelectorAll('.telling, .widget, .part'))
      this.#observer.observe(each);
    this.update();
  }

  update() {
    const parts = /** @type {HTMLElement | null} */ (this.#root.querySelector('.parts'));
    const bar = /** @type {HTMLElement | null} */ (this.#root.querySelector('.stepping'));
    if (!parts || !bar) return;
    const shown = /** @type {HTMLElement[]} */ ([...parts.querySelectorAll(':scope > .part')]);
    const gap = parseFloat(getComputedStyle(parts).rowGap) || 0;
    const top = parts.getBoundingClientRect().top + scrollY;
    const room = innerHeight - bar.offsetHeight - top - gap;
    const needed = shown.reduce((sum, part) => sum + part.offsetHeight, gap * (shown.length - 1));
    parts.classList.toggle('one-at-a-time', isWide.matches && shown.length > 1 && needed > room);
  }
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
