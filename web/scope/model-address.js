/**
 * What `src` names: a model of the hub or one that is kept by its name, all else by its address.
 *
 * @typedef {object} Source
 * @property {string} url  or the name; empty: the embedded model
 * @property {boolean} isNamed
 * @property {boolean} isSnapshot  of saved attention, which needs no engine
 *
 * @param {string} src  perhaps relative to the page
 * @returns {Source}
 */
export function readSource(src) {
  const isNamed = src === '' || /^(hub|kept):/.test(src);
  if (isNamed) return {url: src, isNamed, isSnapshot: false};
  const {href, pathname} = new URL(src, document.baseURI);
  return {url: href, isNamed, isSnapshot: /\.(json|npz)$/.test(pathname)};
}

/** @param {string} src  which may be no address at all */
export const namesSnapshot = (src) =>
  URL.canParse(src, document.baseURI) && readSource(src).isSnapshot;
