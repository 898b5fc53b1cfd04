import {carried} from './default-model.js';
import EngineWorker from './worker.js?worker&inline';

/** Starts the engine's worker from code in the page: a page opened as a file may not start one from another file. */
export function startWorker() {
  const worker = new EngineWorker();
  worker.postMessage({carried});
  return worker;
}
