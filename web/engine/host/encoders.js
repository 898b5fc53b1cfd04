import {BertscopeError} from '../errors.js';

/** @import {Encoder, PassInput} from './encoder.js' */

/**
 * The encoders of one model. They have the same weights, and each keeps the trace of its own latest
 * pass. So a pass that is asked for more is rarely run again.
 */
export class Encoders {
  #plain;
  /** @type {Encoder | undefined} Runs the passes with interventions. */
  #changed;
  /** @type {Encoder | undefined} Runs again older passes that are asked for more. */
  #older;
  /** @type {Encoder | undefined} */
  #probe;

  /** @param {Encoder} encoder Runs the passes without interventions. */
  constructor(encoder) {
    this.#plain = encoder;
  }

  /**
   * Passes with and without interventions are shown together, so each kind has an encoder.
   * @param {Pick<PassInput, 'changes'>} pass
   */
  of({changes}) {
    if (!changes) return this.#plain;
    return (this.#changed ??= this.#plain.sibling());
  }

  /**
   * The texts of a comparison are asked for in turn, so an older pass has an encoder too: neither has
   * to run again. Without memory for its trace, it runs again in place of the latest.
   * @template T
   * @param {PassInput} pass
   * @param {(encoder: Encoder) => Promise<T>} ask
   */
  async ask(pass, ask) {
    const encoder = this.of(pass);
    if (encoder.isLatest(pass)) return ask(encoder);
    const older = (this.#older ??= this.#plain.sibling());
    try {
      return await ask(older);
    } catch (error) {
      if (!(error instanceof BertscopeError && error.code === 'out-of-memory')) throw error;
      if (this.#older === older) this.#older = undefined;
      await older.dispose();
      return ask(encoder);
    }
  }

  /** Runs the passes of statistics, which no view asks for. */
  get probe() {
    return (this.#probe ??= this.#plain.sibling());
  }

  dispose() {
    const encoders = [this.#plain, this.#changed, this.#older, this.#probe];
    for (const encoder of encoders) void encoder?.dispose();
    this.#plain.helpers?.dispose();
  }
}
