/**
 * Starts a worker whose script comes from another origin, such as a CDN. A page may not start a worker from there, so
 * it starts one of its own that imports the script.
 *
 * @param {URL} script
 * @returns {Worker | null}  null if the script has the page's own origin
 */
export function startForeignWorker(script) {
  if (script.origin === self.origin) return null;
  const code = importing(script.href);
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
