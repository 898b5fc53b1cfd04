/** @import {Pass} from './pass.js' */
/** @import {StatisticName} from '../attention/head-statistics.js' */
/** @import {Snapshot} from '../attention/snapshot.js' */

/**
 * What is known of all heads.
 *
 * @typedef {object} Survey
 * @property {Partial<Record<StatisticName, ArrayLike<number>>>} statistics  `[layers * heads]` each
 * @property {readonly string[] | null} names  of what heads do, `[layers * heads]`
 */

/** While one types, the passes in between are not surveyed; ms. */
const pause = 120;

/** Looks at every head of what is shown, once it stays for a moment. */
export class Surveys {
  /** @type {WeakMap<Snapshot, Survey>} */
  #known = new WeakMap();
  /** @type {Snapshot | null} what is looked at now */
  #wanted = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #onChange;

  /** @param {() => void} onChange */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  /** @param {Snapshot} snapshot @returns {Survey | null} */
  of(snapshot) {
    return this.#known.get(snapshot) ?? null;
  }

  /**
   * Surveys a snapshot unless that is done already; the latest one asked for wins.
   *
   * @param {Pass} pass
   * @param {Snapshot} snapshot  the part of it that is shown
   */
  request(pass, snapshot) {
    if (snapshot === this.#wanted || this.#known.has(snapshot)) return;
    this.#wanted = snapshot;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#survey(pass, snapshot), pause);
  }

  /** @param {Pass} pass @param {Snapshot} snapshot */
  async #survey(pass, snapshot) {
    try {
      this.#known.set(snapshot, await pass.survey(snapshot));
    } catch {
      // The engine has failed or the model is gone, which whoever draws the picture will say.
      if (this.#wanted === snapshot) this.#wanted = null;
      return;
    }
    if (this.#wanted === snapshot) this.#onChange();
  }
}
