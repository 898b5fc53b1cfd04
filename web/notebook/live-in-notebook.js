import {givenModels} from '../session/given-models.js';
import {live} from '../scope/live.js';
import {defaultModel} from './default-model.js';
import {bringPackageFile} from './package-line.js';
import {bringWorker} from './start-worker.js';

/** @import {LiveParts} from '../scope/live-parts.js' */

/** The parts of an element whose engine and models come from Python. @type {LiveParts} */
export const liveInNotebook = {
  ...live,
  engine: {
    ...live.engine,
    async loadModel(address, use) {
      await bringWorker();
      use.signal.throwIfAborted();
      return live.engine.loadModel(address, use);
    },
  },
};

givenModels.set(defaultModel, async (onProgress, signal) => {
  const path = 'bertscope-default.safetensors';
  let loaded = 0;
  const onBytes = (/** @type {number} */ bytes, /** @type {number} */ total) =>
    onProgress({loaded: (loaded += bytes), total});
  return new File([await bringPackageFile(path, onBytes, signal)], path);
});
