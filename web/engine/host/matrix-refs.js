import {BertscopeError} from '../errors.js';
import {quote} from '../json.js';

const kinds = [
  'attention',
  'crossAttention',
  'queries',
  'keys',
  'values',
  'positionScores',
  'crossQueries',
  'crossKeys',
  'crossValues',
];

/** Refuses what does not list matrices of a pass. @param {unknown} refs */
export function checkRefs(refs) {
  if (!Array.isArray(refs)) {
    const message = `matrices: expected a list, found ${quote(refs)}`;
    throw new BertscopeError('bad-option', message);
  }
  const wrong = refs.find((ref) => !kinds.includes(ref?.kind));
  if (wrong === undefined && !refs.includes(undefined)) return;
  const message = `matrices: expected a kind of ${kinds.join(', ')}, found ${quote(wrong)}`;
  throw new BertscopeError('bad-option', message);
}
