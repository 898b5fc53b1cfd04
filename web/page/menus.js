/**
 * Closes a menu when the reader clicks elsewhere, presses Escape or has chosen something in it. A menu is a `<details>`;
 * in the researcher view its content always stands open, without a summary.
 *
 * @param {readonly HTMLDetailsElement[]} menus
 */
export function closeMenus(menus) {
  const close = (/** @type {HTMLDetailsElement} */ menu) => {
    if (!menu.open || document.documentElement.dataset.dense === 'true') return;
    if (menu.contains(document.activeElement)) menu.querySelector('summary')?.focus();
    menu.open = false;
  };
  for (const menu of menus) {
    document.addEventListener('pointerdown', ({target}) => {
      if (target instanceof Node && !menu.contains(target)) close(menu);
    });
    menu.addEventListener('keydown', ({key}) => {
      if (key === 'Escape') close(menu);
    });
    // The menu closes before its button acts, so that a dialog gives the focus back to the menu's own button.
    const onClick = (/** @type {Event} */ {target}) => {
      if (target instanceof Element && target.closest('button')) close(menu);
    };
    menu.addEventListener('click', onClick, {capture: true});
  }
}
