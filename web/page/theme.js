/** @import {State} from '../scope/state-fields.js' */

const storageKey = 'bertscope-theme';

/**
 * Stores the theme, so that it survives a reload in a section, whose address does not hold it.
 *
 * @param {State['theme']} theme
 */
export function keepTheme(theme) {
  try {
    sessionStorage.setItem(storageKey, theme);
  } catch {
    // Without storage, the theme follows the system after such a reload.
  }
}

/** @returns {State['theme']} */
export function keptTheme() {
  try {
    const theme = sessionStorage.getItem(storageKey);
    return theme === 'light' || theme === 'dark' ? theme : 'auto';
  } catch {
    return 'auto';
  }
}
