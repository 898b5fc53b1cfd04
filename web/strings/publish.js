import {publish} from './en/publish.js';
import {language} from './index.js';

/** @import {PublishStrings} from './en/publish.js' */

/**
 * What is said of a picture that a reader takes along: the export dialog, captions, names of files.
 *
 * @type {PublishStrings}
 */
export const publishStrings =
  language === 'en' ? publish : (await import(`./${language}/publish.js`)).publish;
