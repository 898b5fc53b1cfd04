import {viewAttributes} from './state-fields.js';

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
