/** The workers that help the engine's with its models. */

import {Bridge} from '../bridge.js';
import {BertscopeError} from '../errors.js';
import {Helpers} from './helpers.js';

/** @import {Encoder} from './encoder.js' */
/** @import {Helper} from './helper.js' */

export class Team {
  /** @type {Bridge<Helper>[]} */
  #bridges;

  /**
   * @param {MessagePort} losses Gets the index of each helper that is given up: its worker still holds its
   *   models, and only who has started it can end it.
   * @param {MessagePort[]} ports Each to a worker that serves a `Helper`.
   */
  constructor(losses, ports) {
    this.#bridges = ports.map((port, index) => {
      const terminate = () => {
        losses.postMessage(index);
        port.close();
      };
      const line = Object.assign(port, {terminate});
      /** @type {Bridge<Helper>} */
      const bridge = new Bridge(line, {moves: true});
      port.start();
      return bridge;
    });
  }

  /** @param {Encoder} encoder It is helped as soon as a helper has its weights. */
  share(encoder) {
    const helpers = new Helpers();
    for (const bridge of this.#bridges) {
      helpers.add(encoder, bridge).catch(() => {}); // a model gets on without a helper that fails
    }
    encoder.helpers = helpers;
  }

  /** @param {number} index The index of a helper that has ended. */
  lose(index) {
    this.#bridges[index].end(new BertscopeError('engine-crashed', 'a helping worker has ended'));
  }
}
