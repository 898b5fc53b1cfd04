import {pageModels} from '../session/model-cache.js';
import {pageEngine} from '../session/shared-models.js';

/** @import {Step} from './step.js' */

/** Keeps the models that steps are about while lessons are shown, so that they work if the network goes away. */
export class StepModels {
  /** The users of the models, by the addresses of these. @type {Map<string, object>} */
  #users = new Map();
  #shown = new AbortController();

  /** @param {(() => Promise<unknown>)[]} loads  loads the steps of each lesson */
  async keep(loads) {
    const {signal} = this.#shown;
    const lessons = /** @type {Record<string, Step>[]} */ (
      await Promise.all(loads.map((load) => load().catch(() => ({}))))
    );
    if (signal.aborted) return;
    for (const {model} of lessons.flatMap((steps) => Object.values(steps))) {
      if (!model || this.#users.has(model)) continue;
      const user = {};
      this.#users.set(model, user);
      // A step that needs it tries again, and shows the failure.
      pageEngine
        .model(model, {user, signal, onProgress() {}})
        .catch(() => this.#users.delete(model));
    }
  }

  release() {
    this.#shown.abort();
    this.#shown = new AbortController();
    for (const user of this.#users.values()) pageModels.release(user);
    this.#users.clear();
  }
}
