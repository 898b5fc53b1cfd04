import {explanation} from './en/explanation.js';
import {language} from './index.js';

/** @import {ExplanationStrings} from './en/explanation.js' */

/**
 * What the workbench says of why a model gives an answer.
 *
 * @type {ExplanationStrings}
 */
export const explanationStrings =
  language === 'en' ? explanation : (await import(`./${language}/explanation.js`)).explanation;
