/**
 * The places beside the viewer: `#/lessons/scores?text=…` is a place, any other address is the
 * viewer's own.
 *
 * @typedef {object} Route
 * @property {string} place  the first part: which place it is
 * @property {string[]} path  the parts after it
 * @property {URLSearchParams} fields
 *
 * A place of the page, loaded when it is first gone to.
 *
 * @typedef {object} Place
 * @property {(route: Route) => void} show  now, and at every change of the address within the place
 * @property {() => void} [leave]  another place, or the viewer, is shown instead
 *
 * @typedef {() => Promise<{open: (element: HTMLElement) => Place}>} Load
 */

/**
 * @param {string} hash
 * @returns {Route | null}  null: the address is the viewer's
 */
export function parseRoute(hash) {
  if (!hash.startsWith('#/')) return null;
  const [path, fields = ''] = hash.slice(2).split(/\?(.*)/s);
  const [place, ...rest] = path.split('/').filter(Boolean).map(decode);
  return {place: place ?? '', path: rest, fields: new URLSearchParams(fields)};
}

/** @param {Route} route */
export function formatRoute({place, path, fields}) {
  const address = ['#', place, ...path.map(encodeURIComponent)].join('/');
  return fields.size ? `${address}?${fields}` : address;
}

/** A part that is no valid encoding is taken as it is. @param {string} part */
function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Shows the viewer or a place, as the address says.
 *
 * @param {Record<string, Load>} loaders  by the name of the place
 * @param {object} page
 * @param {HTMLElement} page.viewer
 * @param {HTMLElement} page.element  where places are shown
 * @param {(place: string) => void} page.onPlace  which is shown; empty: the viewer
 * @param {(route: Route | null) => string} page.problem  what to say in place of one that is not there
 */
export function followRoutes(loaders, {viewer, element, onPlace, problem}) {
  /** @type {Map<string, Promise<{place: Place, root: HTMLElement}>>} */
  const opened = new Map();
  /** @type {Place | null} */
  let shown = null;

  const open = async (/** @type {string} */ name) => {
    const {open} = await loaders[name]();
    const root = document.createElement('div');
    return {place: open(root), root};
  };

  const follow = async () => {
    const hash = location.hash;
    const route = parseRoute(hash);
    viewer.hidden = route !== null;
    element.hidden = route === null;
    onPlace(route?.place ?? '');
    let found;
    if (route && Object.hasOwn(loaders, route.place)) {
      if (!opened.has(route.place)) opened.set(route.place, open(route.place));
      // A part of the page that could not be fetched is fetched again at the next visit.
      found = await opened.get(route.place)?.catch(() => void opened.delete(route.place));
      if (hash !== location.hash) return;
    }
    if (shown && shown !== found?.place) shown.leave?.();
    shown = found?.place ?? null;
    if (found) {
      if (found.root.parentNode !== element) element.replaceChildren(found.root);
      if (route) found.place.show(route);
    } else if (route) {
      const message = document.createElement('p');
      message.className = 'notice';
      message.setAttribute('role', 'alert');
      message.textContent = problem(Object.hasOwn(loaders, route.place) ? null : route);
      element.replaceChildren(message);
    }
  };

  addEventListener('popstate', follow);
  follow();
}
