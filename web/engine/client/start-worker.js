import {BertscopeError} from '../errors.js';

/** Other than `import.meta.url`, no bundler takes this for the address of a file to copy. */
const here = import.meta.url;

/**
 * The engine's thread. A page whose scripts come from another origin, a CDN say, may not start a
 * worker from there, but one of its own that imports the other's.
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
 * A classic script, since a document without an origin may start no module; what arrives before the
 * module is there waits for it.
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
