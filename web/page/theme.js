/** @import {State} from '../scope/state.js' */

const storageKey = 'bertscope-theme';

/**
 * For a place beside the viewer, whose address does not say it: it outlives a reload there.
 *
 * @param {State['theme']} theme
 */
export function keepTheme(theme) {
  try {
    sessionStorage.setItem(storageKey, theme);
  } catch {
    // Without storage a reload there follows the system.
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
