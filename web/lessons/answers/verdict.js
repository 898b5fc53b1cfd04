/** @import {Asked, Found} from '../step.js' */
/** @import {Verdict} from './answer-fields.js' */

/**
 * Compares what a reader predicted with what the engine found.
 *
 * @param {Asked | undefined} asked  undefined: nothing is computed that could be compared
 * @param {string} said
 * @param {Found | null} found  null: the sentence gives no answer
 * @returns {Verdict}
 */
export function verdictOf(asked, said, found) {
  if (!asked || found === null) return 'open';
  const isRight =
    typeof found === 'number'
      ? Math.abs(readNumber(said) - found) <= (asked.margin ?? 0) * Math.abs(found)
      : [found].flat().some((each) => plain(each) === plain(said));
  return isRight ? 'right' : 'wrong';
}

/** The first number that a reader typed, with or without marks between thousands. @param {string} said */
function readNumber(said) {
  const joined = said.replace(/(?<=\d)[\s,.'’](?=\d{3}(?!\d))/g, '');
  return Number(joined.match(/\d+(\.\d+)?/)?.[0] ?? NaN);
}

/** @param {string} word */
const plain = (word) => word.normalize('NFKC').toLocaleLowerCase('en').trim();
