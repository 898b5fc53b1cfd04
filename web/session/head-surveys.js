/** @import {Pass} from './pass.js' */
/** @import {Habit} from '../views/parts/inspector.js' */
/** @import {StatisticName} from '../attention/head-statistics.js' */
/** @import {Snapshot} from '../attention/snapshot.js' */

/**
 * The statistics and habits of all heads.
 *
 * @typedef {object} Survey
 * @property {Partial<Record<StatisticName, ArrayLike<number>>>} statistics  `[layers * heads]` each
 * @property {readonly Habit[] | null} habits  what the heads do, `[layers * heads]`; null if not known
 */

/** A pass that is replaced within this time, in ms, is not surveyed: the reader is typing. */
const pause = 120;

/** Computes the statistics of every head of a snapshot that stays for a moment. */
export class Surveys {
  /** @type {WeakMap<Snapshot, Survey>} */
  #known = new WeakMap();
  /** @type {Snapshot | null} the snapshot to survey */
  #wanted = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** Ends the survey that runs. */
  #work = new AbortController();
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
   * Surveys a snapshot unless that is done already. The latest request wins.
   *
   * @param {Pass} pass
   * @param {Snapshot} snapshot  the part of the pass that is shown
   */
  request(pass, snapshot) {
    if (snapshot === this.#wanted || this.#known.has(snapshot)) return;
    this.stop();
    this.#wanted = snapshot;
    this.#timer = setTimeout(() => void this.#survey(pass, snapshot), pause);
  }

  /** Ends the survey of a text that is replaced, so that the engine is free for the next one. */
  stop() {
    clearTimeout(this.#timer);
    this.#work.abort();
    this.#wanted = null;
  }

  /** @param {Pass} pass @param {Snapshot} snapshot */
  async #survey(pass, snapshot) {
    const {signal} = (this.#work = new AbortController());
    try {
      this.#known.set(snapshot, await pass.survey(snapshot, signal));
    } catch {
      // The engine has failed or the model is gone. The session reports this when it fetches matrices.
      if (this.#wanted === snapshot) this.#wanted = null;
      return;
    }
    if (this.#wanted === snapshot) this.#onChange();
  }
}
