/**
 * Makes a loader load once, and again only after a failure. WebKit gives whoever imports a module while it still runs
 * its first top-level `await` a module without values (https://bugs.webkit.org/show_bug.cgi?id=242740).
 *
 * @template T
 * @param {() => Promise<T>} load
 * @returns {() => Promise<T>}
 */
export function loadOnce(load) {
  /** @type {Promise<T> | undefined} */
  let loaded;
  return () => {
    loaded ??= load().catch((error) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}
