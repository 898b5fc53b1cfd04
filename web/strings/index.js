import {english} from './en.js';
import {documentLanguage} from './language.js';
import {chinese} from './zh.js';

/** @import {Strings} from './en.js' */
/** @import {Language} from './language.js' */

/** The catalogue: every string a reader sees. @type {Readonly<Record<Language, Strings>>} */
export const catalogue = {en: english, zh: chinese};

export const language = documentLanguage();

/** In the language of the document, which stays for as long as the document does. */
export const strings = catalogue[language];
