import {strings} from '../../strings/index.js';
import {formatNumber} from '../../views/formats.js';

/** A change of a probability, in percentage points. @param {number} change */
export function inPoints(change) {
  const number = formatNumber(change * 100, Math.abs(change) < 0.1 ? 1 : 0);
  return strings.lab.points(change > 0 && Number(number) !== 0 ? `+${number}` : number);
}
