/**
 * Whether a text was replaced by another one, and not edited: less than half of it is left at its beginning and end.
 *
 * @param {string} before
 * @param {string} after
 */
export function isReplaced(before, after) {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return start + end < before.length / 2;
}
