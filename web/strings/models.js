import {models} from './en/models.js';
import {language} from './index.js';

/** @import {ModelStrings} from './en/models.js' */

/**
 * What the dialog for choosing a model says.
 *
 * @type {ModelStrings}
 */
export const modelStrings =
  language === 'en' ? models : (await import(`./${language}/models.js`)).models;
