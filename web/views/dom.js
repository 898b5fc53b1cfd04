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

/** @param {number} weight */
export function formatWeight(weight) {
  return unsigned(weight.toFixed(3));
}

/** @param {number} difference */
export function formatDifference(difference) {
  const text = formatWeight(difference);
  return Number(text) > 0 ? `+${text}` : text;
}

/** Zero has no sign. @param {string} number */
export function unsigned(number) {
  return Number(number) === 0 ? number.replace('-', '') : number;
}

/** @param {number} weight */
export function formatPercent(weight) {
  return `${(weight * 100).toFixed(0)}\u00a0%`;
}
