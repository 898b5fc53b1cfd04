/**
 * Gives a page, or an element of its own, style sheets that arrive with the script that needs them: of a script that is
 * loaded later, a file of style could fail to arrive alone.
 *
 * @param {DocumentOrShadowRoot} root
 * @param {string[]} texts
 */
export function adoptStyles(root, ...texts) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(texts.join('\n'));
  root.adoptedStyleSheets.push(sheet);
}
