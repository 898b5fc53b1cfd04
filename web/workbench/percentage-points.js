import {workbenchStrings} from '../strings/workbench.js';
import {formatNumber} from '../views/parts/number-format.js';

/** Writes a change of a probability in percentage points, with more digits where it is small. @param {number} change */
export function inPoints(change) {
  const size = Math.abs(change * 100);
  const number = formatNumber(change * 100, size < 1 ? 2 : size < 10 ? 1 : 0);
  return workbenchStrings.points(change > 0 && Number(number) !== 0 ? `+${number}` : number);
}
