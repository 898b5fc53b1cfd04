/**
 * A list of numbers in words, such as `0, 2, 6 to 11`.
 *
 * @typedef {{text: string, isOne: boolean}} NumberList  `isOne`: whether it has one number
 */

/**
 * Writes a list of numbers; three or more consecutive ones become a range.
 *
 * @param {readonly number[]} numbers  ascending
 * @param {{comma: string, to: string}} words
 * @returns {NumberList}
 */
export function numberList(numbers, {comma, to}) {
  /** @type {number[][]} */
  const runs = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run?.at(-1) === number - 1) run?.push(number);
    else runs.push([number]);
  }
  const text = runs
    .map((run) => (run.length > 2 ? `${run[0]}${to}${run.at(-1)}` : run.join(comma)))
    .join(comma);
  return {text, isOne: numbers.length === 1};
}
