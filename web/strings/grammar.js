import {grammar} from './en/grammar.js';
import {language} from './index.js';

/** @import {GrammarStrings} from './en/grammar.js' */

/**
 * What the panel of grammatical relations says. Neither the element nor the page imports this module at its start.
 *
 * @type {GrammarStrings}
 */
export const grammarStrings =
  language === 'en' ? grammar : (await import(`./${language}/grammar.js`)).grammar;
