import {modelAddress} from '../engine/model-address.js';
import {pageConsent} from './consent.js';
import {forgiveEnds, noteEnd} from './ended-models.js';
import {givenEngine} from './given-engine.js';
import {runPass} from './live-pass.js';
import {pageModels} from './model-cache.js';

/** @import {EngineAccess} from './engine-access.js' */

/**
 * The engine and the models that all elements of a page share. The engine and the reader of files are loaded when they
 * are needed.
 *
 * @type {EngineAccess}
 */
export const pageAccess = {
  async loadModel(address, use) {
    const {defaultModel, pageEngine} = givenEngine ?? (await import('./shared-models.js'));
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
};
