import {BertscopeError} from '../errors.js';

/** Bundlers copy the file of a `new URL(…, import.meta.url)`; this constant keeps them from it. */
const here = import.meta.url;

/**
 * Starts the engine's thread. A page whose scripts come from another origin, such as a CDN, may not
 * start a worker from there. It starts a worker of its own that imports the script.
 *
 * @returns {Worker}
 */
export function startWorker() {
  if (typeof Worker === 'undefined' || typeof self === 'undefined') {
    const message =
      'expected a browser, whose pages and workers start workers, found none; in Node.js there is the command line: npx bertscope --help';
    throw new BertscopeError('engine-unavailable', message);
  }
  if (new URL(here).origin === self.origin) {
    return new Worker(new URL('../host/worker.js', import.meta.url), {type: 'module'});
  }
  const code = importing(new URL('worker.js', here).href);
  return new Worker(URL.createObjectURL(new Blob([code], {type: 'text/javascript'})));
}

/**
 * A classic script, since a document without an origin may not start a module. It keeps the
 * messages that arrive before the module is loaded, and then passes them on.
 *
 * @param {string} address
 */
const importing = (address) => `
  const early = [];
  const keep = (event) => early.push(event);
  addEventListener('message', keep);
  import(${JSON.stringify(address)}).then(
    () => {
      removeEventListener('message', keep);
      for (const {data, ports} of early) dispatchEvent(new MessageEvent('message', {data, ports}));
    },
    (error) => setTimeout(() => { throw error; }),
  );`;
