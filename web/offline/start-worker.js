import EngineWorker from '../engine/worker.js?worker&inline';

/** The engine's thread, from code that the page carries: a file may start none from beside it. */
export function startWorker() {
  return new EngineWorker();
}
