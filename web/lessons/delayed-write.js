/** Milliseconds between changes of the address, since browsers refuse frequent ones. */
const delay = 200;

/** Writes the address of a step a moment after the reader has changed something, or at once. */
export class DelayedWrite {
  #write;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #pending;

  /** @param {() => void} write */
  constructor(write) {
    this.#write = write;
    // Before a link is followed, so that Back leads to the latest input.
    document.addEventListener('click', () => this.now(), {capture: true});
    addEventListener('pagehide', () => this.now());
  }

  soon() {
    this.#pending ??= setTimeout(() => this.now(), delay);
  }

  /** Writes now, if that is still to be done. */
  now() {
    if (this.#pending === undefined) return;
    this.drop();
    this.#write();
  }

  drop() {
    clearTimeout(this.#pending);
    this.#pending = undefined;
  }
}
