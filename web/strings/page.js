import {page} from './en/live.js';
import {language} from './index.js';

/** @import {PageStrings} from './en/live.js' */

/**
 * What the page, its workbench and its lessons say besides. The element does not import this module, so other pages
 * that have the element do not load these strings.
 *
 * @type {PageStrings}
 */
export const pageStrings = language === 'en' ? page : (await import(`./${language}/live.js`)).page;
