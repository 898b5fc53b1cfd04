import {language} from './index.js';

/** By this BCP 47 tag numbers are written. The Spanish of the catalogue is that of Mexico, where decimals follow a point. */
export const locale = language === 'es' ? 'es-MX' : language;
