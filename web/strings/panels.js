import {panels} from './en/panels.js';
import {language} from './index.js';

/** @import {PanelStrings} from './en/panels.js' */

/**
 * What the panels beside the picture say. They arrive with the panels.
 *
 * @type {PanelStrings}
 */
export const panelStrings =
  language === 'en' ? panels : (await import(`./${language}/panels.js`)).panels;
