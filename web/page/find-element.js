/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {{new (): T}} type
 * @returns {T}
 */
export function find(id, type) {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new TypeError(`#${id} should be a ${type.name}`);
  return element;
}
