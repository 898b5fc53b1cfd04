/**
 * Writes a list of numbers; three or more consecutive ones become a range.
 *
 * @param {readonly number[]} numbers  ascending
 * @param {{comma: string, to: string}} words
 * @returns {string}  `0, 2, 6 to 11`
 */
export function numberList(numbers, {comma, to}) {
  /** @type {number[][]} */
  const runs = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run?.at(-1) === number - 1) run?.push(number);
    else runs.push([number]);
  }
  return runs
    .map((run) => (run.length > 2 ? `${run[0]}${to}${run.at(-1)}` : run.join(comma)))
    .join(comma);
}
