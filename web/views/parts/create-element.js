/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} [className]
 * @param {...(Node | string)} children
 */
export function create(tag, className = '', ...children) {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...children);
  return element;
}

/**
 * Gives an element a text. The same text is not written again, since the browser would lay it out again.
 *
 * @param {Element} element
 * @param {string} text
 */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Gives an element a role and a name for a screen reader.
 *
 * @template {HTMLElement} E
 * @param {E} element
 * @param {string} role
 * @param {string} label
 */
export function labelled(element, role, label) {
  element.setAttribute('role', role);
  element.setAttribute('aria-label', label);
  return element;
}
