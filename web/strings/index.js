import {english} from './en.js';
import {documentLanguage} from './language.js';

/** @import {Strings} from './en.js' */

export const language = documentLanguage();

/**
 * Every string a reader sees, in the language of the document, which stays for as long as the
 * document does. Only that language is loaded.
 *
 * @type {Strings}
 */
export const strings = language === 'zh' ? (await import('./zh.js')).chinese : english;
