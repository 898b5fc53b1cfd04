import {Bridge} from '../bridge.js';
import {BertscopeError} from '../errors.js';
import {startWorker} from './start-worker.js';

/** @import {Kernel} from '../host/runtime.js' */
/** @import {Host} from '../host/worker.js' */

const givenUp = new BertscopeError('engine-crashed', 'the engine has given up a helping worker');

/**
 * Starts workers that help the worker of the engine. It does not wait for them, and the engine
 * works without those that fail.
 * @param {Bridge<Host>} engine
 * @param {number} count
 * @param {Kernel} kernel
 * @returns {Bridge<Host>[]}
 */
export function startHelpers(engine, count, kernel) {
  const lines = Array.from({length: count}, () => new MessageChannel());
  const ignore = () => {}; // the engine has ended
  const losses = new MessageChannel();
  engine.host.useHelpers(losses.port1, ...lines.map(({port1}) => port1)).catch(ignore);
  const helpers = lines.map(({port2}, index) => {
    /** @type {Bridge<Host>} */
    const helper = new Bridge(startWorker(), {
      onEnd() {
        if (!engine.hasEnded) engine.host.loseHelper(index).catch(ignore);
      },
    });
    helper.host.help(kernel, port2).catch((error) => helper.end(error));
    return helper;
  });
  losses.port2.onmessage = ({data}) => helpers[data].end(givenUp);
  return helpers;
}
