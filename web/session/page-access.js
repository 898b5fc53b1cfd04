import {modelAddress} from '../engine/model-address.js';
import {pageConsent} from './consent.js';
import {forgiveEnds, noteEnd} from './ended-models.js';
import {runPass} from './live-pass.js';
import {pageModels} from './model-cache.js';

/** @import {EngineAccess} from './engine-access.js' */
/** @import {SharedEngine} from './shared-engine.js' */

/** What finds the model that the address of a page on a hub is about, for whoever needs nothing else of an engine. */
export const pageAddresses = {modelAddress};

/**
 * The engine and the models that all elements of a page share. The reader of files is loaded when it is needed.
 *
 * @param {() => Promise<{defaultModel: string, pageEngine: SharedEngine}>} bring  loads the engine if a page has it not yet
 * @returns {EngineAccess}
 */
export const accessTo = (bring) => ({
  async loadModel(address, use) {
    const {defaultModel, pageEngine} = await bring();
    return pageEngine.model(address || defaultModel, use);
  },
  modelAddress,
  mayFetch: (address) => pageConsent.check(address),
  holdModel: (user, model) => pageModels.hold(user, model),
  releaseModel: (user) => pageModels.release(user),
  noteEnd,
  forgiveEnds,
  runPass,
  async readFile(url, signal) {
    const {readAttention} = await import('../attention/read-in-worker.js');
    return readAttention(url, {signal});
  },
});
