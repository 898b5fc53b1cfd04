import {saved} from './en/saved.js';
import {documentLanguage} from './language.js';
import {savedIn} from './saved-in.js';

/** @import {Strings} from './en/saved.js' */

export const language = documentLanguage();

/**
 * What an element with a saved picture says, in the language of the document, which does not change while the
 * document is open. Every language but English is loaded only where it is used.
 *
 * @type {Strings}
 */
export const strings = language === 'en' ? saved : await savedIn(language);
