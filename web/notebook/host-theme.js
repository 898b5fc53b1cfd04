/** What notebooks mark their dark colours with: JupyterLab, VS Code, marimo and Colab. */
const darkMarks = '[data-jp-theme-light="false"], .vscode-dark, .dark, [theme="dark"]';
const lightMarks = '[data-jp-theme-light="true"], .vscode-light, .light, [theme="light"]';

/**
 * Gives an element the colours of the notebook, now and whenever they change.
 *
 * @param {HTMLElement} element
 * @param {() => void} onChange
 * @returns {() => void}  ends it
 */
export function followTheme(element, onChange) {
  const places = [document.documentElement, document.body];
  const update = () => {
    const isMarked = (/** @type {string} */ marks) => places.some((place) => place.matches(marks));
    const scheme = isMarked(darkMarks) ? 'dark' : isMarked(lightMarks) ? 'light' : '';
    if (element.style.colorScheme === scheme) return;
    element.style.colorScheme = scheme;
    onChange();
  };
  update();
  const observer = new MutationObserver(update);
  for (const place of places) observer.observe(place, {attributes: true});
  return () => observer.disconnect();
}
