import {openDialog} from '../controls/dialog.js';
import {strings} from '../strings/index.js';
import {create} from '../views/parts/create-element.js';
import {shortcuts} from './shortcuts.js';

/** Opens the dialog that lists all shortcuts. @param {ShadowRoot} root  of the element */
export function openShortcutDialog(root) {
  const lines = shortcuts.map(({keys, label}) =>
    create('div', '', create('dt', '', create('kbd', '', keys)), create('dd', '', label)),
  );
  const note = create('p', 'muted', strings.shortcuts.note);
  openDialog(root, 'shortcuts', strings.shortcuts, [create('dl', '', ...lines), note]);
}
