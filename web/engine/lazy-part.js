import {BertscopeError} from './errors.js';

/**
 * Loads a part of the engine that few models or views need.
 * @template T
 * @param {() => Promise<T>} load Imports it. Bundlers must see the import where it is.
 * @returns {Promise<T>}
 */
export async function lazily(load) {
  try {
    return await load();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `expected a part of the engine, found ${reason}`;
    throw new BertscopeError('engine-unavailable', message, {cause: error});
  }
}
