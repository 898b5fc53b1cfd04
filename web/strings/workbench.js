import {workbench} from './en/workbench.js';
import {language} from './index.js';

/** @import {WorkbenchStrings} from './en/workbench.js' */

/**
 * What the workbench says besides. Neither the element nor the page imports this module at its start.
 *
 * @type {WorkbenchStrings}
 */
export const workbenchStrings =
  language === 'en' ? workbench : (await import(`./${language}/workbench.js`)).workbench;
