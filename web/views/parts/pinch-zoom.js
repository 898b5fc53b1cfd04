/** Reports zooming with two fingers, or with Ctrl and the wheel. */
export class PinchZoom {
  /** @type {Map<number, {x: number, y: number}>} */
  #fingers = new Map();
  #spread = 0;

  /**
   * @param {HTMLElement} element
   * @param {(factor: number, at: {x: number, y: number}) => void} onZoom  gets the factor by
   *   which the size changes, and the point in the window that stays in place
   */
  constructor(element, onZoom) {
    element.addEventListener(
      'wheel',
      (event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        onZoom(Math.exp(-event.deltaY / 200), {x: event.clientX, y: event.clientY});
      },
      {passive: false},
    );
    element.addEventListener('pointerdown', (event) => {
      if (event.pointerType !== 'touch') return;
      this.#fingers.set(event.pointerId, {x: event.clientX, y: event.clientY});
      this.#spread = this.#distance();
    });
    element.addEventListener('pointermove', (event) => {
      if (!this.#fingers.has(event.pointerId)) return;
      this.#fingers.set(event.pointerId, {x: event.clientX, y: event.clientY});
      const spread = this.#distance();
      if (!spread || !this.#spread) return;
      const [a, b] = this.#fingers.values();
      onZoom(spread / this.#spread, {x: (a.x + b.x) / 2, y: (a.y + b.y) / 2});
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
    return Math.hypot(a.x - b.x, a.y - b.y);
  }
}
