import {carried} from './default-model.js';
import EngineWorker from './worker.js?worker&inline';

/** The engine's thread, from code that the page carries: a file may start none from beside it. */
export function startWorker() {
  const worker = new EngineWorker();
  if (carried) worker.postMessage({carried});
  return worker;
}
