const key = 'bertscope-lessons';

/** The steps that a reader has seen, stored in this browser if it allows storage. */
export class Progress {
  /** @type {Set<string>} `lesson/step` */
  #seen = new Set(read());

  /** @param {string} lesson @param {string} step */
  has(lesson, step) {
    return this.#seen.has(`${lesson}/${step}`);
  }

  /** @param {string} lesson @param {string} step */
  add(lesson, step) {
    if (this.has(lesson, step)) return;
    this.#seen.add(`${lesson}/${step}`);
    this.#write();
  }

  clear() {
    this.#seen.clear();
    this.#write();
  }

  get isEmpty() {
    return this.#seen.size === 0;
  }

  #write() {
    try {
      localStorage.setItem(key, JSON.stringify([...this.#seen]));
    } catch {
      // Without storage, the steps are remembered until the page is closed.
    }
  }
}

/** @returns {string[]} */
function read() {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored.filter((entry) => typeof entry === 'string') : [];
  } catch {
    return [];
  }
}
