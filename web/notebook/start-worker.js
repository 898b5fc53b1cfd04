import {bringPackageFile} from './package-line.js';

/** The address of the worker's script, once it has been brought. */
let address = '';

/** Brings the engine's worker from the Python package, unless it is there. */
export async function bringWorker() {
  if (address) return;
  const file = await bringPackageFile('worker.js');
  const script = new Blob([file], {type: 'text/javascript'});
  // Some notebooks allow workers from `blob:` addresses, others from `data:` addresses.
  address = (await startsFromBlobs()) ? URL.createObjectURL(script) : await dataUrl(script);
}

/** Starts the engine's worker, which has been brought before. */
export const startWorker = () => new Worker(address);

/** Whether the page may start a worker from `blob:` addresses. @returns {Promise<boolean>} */
async function startsFromBlobs() {
  const url = URL.createObjectURL(new Blob(['postMessage(0)'], {type: 'text/javascript'}));
  try {
    const worker = new Worker(url);
    const isStarted = await new Promise((resolve) => {
      worker.onmessage = () => resolve(true);
      worker.onerror = () => resolve(false);
    });
    worker.terminate();
    return isStarted;
  } catch {
    return false;
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** @param {Blob} blob @returns {Promise<string>} */
function dataUrl(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(/** @type {string} */ (reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
