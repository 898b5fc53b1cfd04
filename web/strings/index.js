import {english} from './en.js';
import {documentLanguage} from './language.js';

/** @import {Strings} from './en.js' */

export const language = documentLanguage();

/**
 * Every string that a reader sees, in the language of the document, which does not change while the document is open.
 * Chinese is loaded only where it is used.
 *
 * @type {Strings}
 */
export const strings = language === 'zh' ? (await import('./zh.js')).chinese : english;
