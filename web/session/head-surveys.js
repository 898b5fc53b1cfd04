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
  /** Ends the survey of `#wanted`. */
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
    const {signal} = (this.#work = new AbortController());
    setTimeout(() => signal.aborted || void this.#survey(pass, snapshot, signal), pause);
  }

  /** Ends the survey of a text that is replaced, so that the engine is free for the next one. */
  stop() {
    this.#work.abort();
    this.#wanted = null;
  }

  /** @param {Pass} pass @param {Snapshot} snapshot @param {AbortSignal} signal */
  async #survey(pass, snapshot, signal) {
    try {
      this.#known.set(snapshot, await pass.survey(snapshot, signal));
      if (!signal.aborted) this.#onChange();
    } catch {
      // The engine has failed or the model is gone. The session reports this when it fetches matrices.
      if (!signal.aborted) this.#wanted = null;
    }
  }
}
