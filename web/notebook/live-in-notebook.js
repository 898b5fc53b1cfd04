import {live} from '../scope/live.js';
import {accessTo} from '../session/page-access.js';
import {pageEngine} from '../session/shared-models.js';
import {defaultModel} from './default-model.js';
import {bringPackageFile} from './package-line.js';
import {bringWorker} from './start-worker.js';

/** @import {LiveParts} from '../scope/live-parts.js' */

/** The parts of an element whose engine and models come from Python. @type {LiveParts} */
export const liveInNotebook = {
  ...live,
  engine: accessTo(async () => {
    await bringWorker();
    return {defaultModel, pageEngine};
  }),
};

pageEngine.give(defaultModel, async (onProgress, signal) => {
  const path = 'bertscope-default.safetensors';
  let loaded = 0;
  const onBytes = (/** @type {number} */ bytes, /** @type {number} */ total) =>
    onProgress({loaded: (loaded += bytes), total});
  return new File([await bringPackageFile(path, onBytes, signal)], path);
});
