import {savedBaseline} from '../session/baseline-session.js';
import {originOf} from '../session/pass-origin.js';
import {viewAttributes} from './state-fields.js';

/** @import {BertScope} from './bert-scope.js' */
/** @import {Pass} from '../session/pass.js' */

/**
 * Shows saved attention as its picture was when it was saved. The attributes that an element has are left as they are.
 *
 * @param {Element} scope
 * @param {string} [shown]  what the file says: attributes, as an address has them
 */
export function showAsSaved(scope, shown) {
  for (const [name, value] of new URLSearchParams(shown)) {
    if (viewAttributes.includes(name) && !scope.hasAttribute(name)) scope.setAttribute(name, value);
  }
}

/** Compares with the baseline of a saved comparison, unless something is compared already. @param {BertScope} scope @param {Pass} pass */
export function compareAsSaved(scope, pass) {
  const saved = savedBaseline(pass);
  if (!saved || scope.compare) return;
  scope.change({compare: {...originOf({file: saved.name}), mode: 'side'}}, false);
}
