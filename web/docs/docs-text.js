import {language} from '../strings/index.js';
import {docs} from '../strings/en/docs.js';

/** @import {DocsText} from '../strings/en/docs.js' */

/**
 * The words of the documentation, in the language of the document, which alone is loaded beside English.
 *
 * @type {DocsText}
 */
export const docsText =
  language === 'en' ? docs : (await import(`../strings/${language}/docs.js`)).docs;
