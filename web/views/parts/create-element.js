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
