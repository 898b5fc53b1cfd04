/** @import {WindowPoint} from './element-size.js' */

/** Reports zooming with two fingers, or with Ctrl and the wheel. */
export class PinchZoom {
  /** @type {Map<number, WindowPoint>} */
  #fingers = new Map();
  #spread = 0;

  /**
   * @param {HTMLElement} element
   * @param {(factor: number, at: WindowPoint) => void} onZoom  gets the factor by
   *   which the size changes, and the point in the window that stays in place
   */
  constructor(element, onZoom) {
    element.addEventListener(
      'wheel',
      (event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        onZoom(Math.exp(-event.deltaY / 200), event);
      },
      {passive: false},
    );
    element.addEventListener('pointerdown', (event) => {
      if (event.pointerType !== 'touch') return;
      this.#fingers.set(event.pointerId, event);
      this.#spread = this.#distance();
    });
    element.addEventListener('pointermove', (event) => {
      if (!this.#fingers.has(event.pointerId)) return;
      this.#fingers.set(event.pointerId, event);
      const spread = this.#distance();
      if (!spread || !this.#spread) return;
      const [a, b] = this.#fingers.values();
      onZoom(spread / this.#spread, {
        clientX: (a.clientX + b.clientX) / 2,
        clientY: (a.clientY + b.clientY) / 2,
      });
      this.#spread = spread;
    });
    for (const type of /** @type {const} */ (['pointerup', 'pointercancel', 'pointerleave'])) {
      element.addEventListener(type, ({pointerId}) => {
        this.#fingers.delete(pointerId);
        this.#spread = 0;
      });
    }
  }

  /** The distance between two fingers; 0 unless there are two. */
  #distance() {
    if (this.#fingers.size !== 2) return 0;
    const [a, b] = this.#fingers.values();
    return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
  }
}
