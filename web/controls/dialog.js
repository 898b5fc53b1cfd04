import {create} from '../views/parts/create-element.js';

/**
 * Opens a modal dialog. Its last row has the actions and a button that closes it; Escape and a click beside the dialog
 * close it too. The browser then gives the focus back, and the dialog is removed. A dialog that is open before is closed.
 *
 * @param {HTMLElement | ShadowRoot} root
 * @param {string} name  the class of the dialog
 * @param {{title: string, close: string}} words
 * @param {readonly Node[]} content
 * @param {readonly Node[]} [actions]
 */
export function openDialog(root, name, {title, close}, content, actions = []) {
  // One that was closed just now is still there.
  /** @type {HTMLDialogElement | null} */ (root.querySelector('dialog[open]'))?.close();
  const closing = create('button', '', close);
  const row = create('div', 'actions', ...actions, closing);
  const dialog = create(
    'dialog',
    name,
    create('div', '', create('h2', '', title), ...content, row),
  );
  dialog.ariaLabel = title;
  // A press that begins inside, for example to select text, may end beside the dialog and does not close it.
  let isBeside = false;
  dialog.addEventListener('pointerdown', ({target}) => (isBeside = target === dialog));
  dialog.addEventListener('click', ({target}) => {
    if (target === closing || (isBeside && target === dialog)) dialog.close();
  });
  dialog.addEventListener('close', () => dialog.remove());
  root.append(dialog);
  dialog.showModal();
  // The first thing that can have the focus may be far down.
  dialog.scrollTop = 0;
  return dialog;
}
