/** Runs actions one after the other, each after the last one has ended. */
export class ActionQueue {
  /** Settles when the last action has ended. */
  #last = Promise.resolve();

  /**
   * @template T
   * @param {() => T | Promise<T>} action
   * @returns {Promise<T>}
   */
  add(action) {
    const result = this.#last.then(action);
    // The next one runs also after one that has failed.
    this.#last = result.then(
      () => {},
      () => {},
    );
    return result;
  }
}
