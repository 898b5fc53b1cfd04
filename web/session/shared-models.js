import {createEngine} from '../engine/index.js';
import {modelAddress} from '../engine/model-address.js';
import {pageConsent} from './consent.js';
import {datesModel} from './default-model.js';
import {pageModels} from './model-cache.js';
import {SharedEngine} from './shared-engine.js';
import {datesAddress, readSource} from './source-address.js';

export {defaultModel} from './default-model.js';

/** @typedef {import('./shared-engine.js').Engine} Engine */
/** @typedef {import('./shared-engine.js').Model} Model */
/** @typedef {import('./shared-engine.js').ModelSource} ModelSource */
/** @typedef {import('./shared-engine.js').Progress} Progress */

/** The engine of the page. A model that has an address, not a name, is downloaded while the engine starts. */
export const pageEngine = new SharedEngine(
  (url) => createEngine({preload: readSource(modelAddress(url)).isNamed ? undefined : url}),
  pageModels,
  (url) => pageConsent.check(url),
);

pageEngine.give(datesAddress, async () => datesModel);
