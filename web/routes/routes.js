/**
 * The page has a viewer, and sections beside it: the lessons and the documentation. An address such as
 * `#/lessons/scores?text=…` names a section; any other address belongs to the viewer.
 *
 * @typedef {object} Route
 * @property {string} section  the first part of the address
 * @property {string[]} path  the parts after it
 * @property {URLSearchParams} fields
 *
 * A section of the page. It is loaded when the reader first goes there.
 *
 * @typedef {object} Section
 * @property {(route: Route) => void} show  is called at once, and at every change of the address within
 *   the section
 * @property {() => void} [leave]  is called when another section, or the viewer, is shown instead
 */

/**
 * @template T
 * @typedef {() => Promise<{open: (element: HTMLElement, scope: T) => Section}>} Load
 */

/**
 * @param {string} hash
 * @returns {Route | null}  null: the address is the viewer's
 */
export function parseRoute(hash) {
  if (!hash.startsWith('#/')) return null;
  const [path, fields = ''] = hash.slice(2).split(/\?(.*)/s);
  const [section, ...rest] = path.split('/').filter(Boolean).map(decode);
  return {section: section ?? '', path: rest, fields: new URLSearchParams(fields)};
}

/** @param {Route} route */
export function formatRoute({section, path, fields}) {
  const address = ['#', section, ...path.map(encodeURIComponent)].join('/');
  return fields.size ? `${address}?${fields}` : address;
}

/** Decodes a part of a path; a part that is not validly encoded stays as it is. @param {string} part */
function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Shows the viewer or a section, as the address says.
 *
 * @template T
 * @param {Record<string, Load<T>>} loaders  by the name of the section
 * @param {object} page
 * @param {HTMLElement} page.viewer
 * @param {T} page.scope  the element of the viewer, which the sections are handed
 * @param {HTMLElement} page.element  where sections are shown
 * @param {(section: string) => void} page.onSection  is told which is shown; empty: the viewer
 * @param {(route: Route | null) => string} page.problem  what to say of a section that does not exist, or
 *   null: that could not be loaded
 */
export function followRoutes(loaders, {viewer, scope, element, onSection, problem}) {
  /** @type {Map<string, Promise<{section: Section, root: HTMLElement}>>} */
  const opened = new Map();
  /** @type {Section | null} */
  let shown = null;

  const open = async (/** @type {string} */ name) => {
    const loaded = await loaders[name]();
    const root = document.createElement('div');
    return {section: loaded.open(root, scope), root};
  };

  const follow = async () => {
    const hash = location.hash;
    const route = parseRoute(hash);
    viewer.hidden = route !== null;
    element.hidden = route === null;
    onSection(route?.section ?? '');
    let found;
    if (route && Object.hasOwn(loaders, route.section)) {
      if (!opened.has(route.section)) opened.set(route.section, open(route.section));
      // A part of the page that could not be fetched is fetched again at the next visit.
      found = await opened.get(route.section)?.catch(() => void opened.delete(route.section));
      if (hash !== location.hash) return;
    }
    if (shown && shown !== found?.section) shown.leave?.();
    shown = found?.section ?? null;
    if (found) {
      if (found.root.parentNode !== element) element.replaceChildren(found.root);
      if (route) found.section.show(route);
    } else if (route) {
      const message = document.createElement('p');
      message.className = 'notice';
      message.setAttribute('role', 'alert');
      message.textContent = problem(Object.hasOwn(loaders, route.section) ? null : route);
      element.replaceChildren(message);
    }
  };

  addEventListener('popstate', () => void follow());
  void follow();
}
