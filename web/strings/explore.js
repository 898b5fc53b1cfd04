import {explore} from './en/explore.js';
import {language} from './index.js';

/** @import {ExploreStrings} from './en/explore.js' */

/**
 * What the page says around the picture. The element does not import this module.
 *
 * @type {ExploreStrings}
 */
export const exploreStrings =
  language === 'en' ? explore : (await import(`./${language}/explore.js`)).explore;
