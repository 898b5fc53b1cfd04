import {oneOf} from './codecs.js';
import {formatFields, initialOf, parseFields} from './field-table.js';
import {originFields} from './origin-fields.js';

/** @import {BaselineOrigin} from '../session/pass-origin.js' */
/** @import {Codec} from './codecs.js' */

const compareModes = oneOf(['side', 'difference']);

const initialOrigin = initialOf(originFields);

/** @type {Codec<BaselineOrigin | null>} */
export const baseline = {
  parse(text) {
    if (!text) return null;
    const parameters = new URLSearchParams(text);
    const mode = compareModes.parse(parameters.get('mode') ?? '');
    return mode && {...parseFields(originFields, parameters, initialOrigin), mode};
  },
  format: (origin) =>
    origin &&
    `${new URLSearchParams([['mode', origin.mode], ...formatFields(originFields, origin)])}`,
  expected: 'mode=side&text=…, mode=difference&model=…',
};

/** Reads and writes a baseline that is the unchanged model: it has a mode only. @type {Codec<BaselineOrigin | null>} */
export const contrast = {
  parse: (text) =>
    text && !compareModes.parse(text) ? undefined : baseline.parse(text && `mode=${text}`),
  format: (origin) =>
    origin && baseline.format(origin) === `mode=${origin.mode}` ? origin.mode : null,
  expected: compareModes.expected,
};
