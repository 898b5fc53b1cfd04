/** The paragraphs of a step, of which large type shows one at a time. The page after the last of them is the question. */
export class ProsePages {
  /** The page that is shown; one beyond the last stands for the last. */
  at = 0;
  /** Whether the reader comes back from the step after this one, to its end. */
  #isReturning = false;
  #root;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.#root = root;
  }

  /** Whether the paragraphs are shown one at a time. */
  get isOn() {
    return Boolean(this.#root.querySelector('.pages')?.checkVisibility());
  }

  /** Begins another step. */
  begin() {
    this.at = this.#isReturning ? Infinity : 0;
    this.#isReturning = false;
  }

  /** Prepares for another step. @param {1 | -1} by */
  leave(by) {
    this.#isReturning = this.isOn && by < 0;
  }

  /** Returns the next page or the one before; null if the step has none. @param {1 | -1} by */
  beside(by) {
    const last = this.#root.querySelectorAll('.telling > p').length;
    const page = Math.min(this.at, last) + by;
    return this.isOn && page >= 0 && page <= last ? page : null;
  }
}
