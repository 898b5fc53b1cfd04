import {live} from './en/live.js';
import {language} from './index.js';

/** @import {LiveStrings} from './en/live.js' */

/**
 * What a live element says besides. The frozen element does not import this module, so saved pages do not have these
 * strings.
 *
 * @type {LiveStrings}
 */
export const liveStrings = language === 'en' ? live : (await import(`./${language}/live.js`)).live;
