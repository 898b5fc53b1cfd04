/** A change that is longer, in characters, is another text rather than other words. */
const most = 40;

/** A letter of a word that spaces separate from others. @param {string | undefined} sign */
const isLetter = (sign = '') =>
  /^[\p{L}\p{N}\p{M}'’]$/u.test(sign) &&
  !/^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]$/u.test(sign);

/**
 * Finds the words that one text has in place of those of another one.
 *
 * @param {string} before
 * @param {string} after  another text
 * @returns {{from: string, to: string} | null}  whole words, of which one may be empty; null if too much differs to be
 *   told in a few words
 */
export function changedWords(before, after) {
  const [a, b] = [[...before.trim()], [...after.trim()]];
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const cuts = (/** @type {number} */ at) =>
    isLetter(a[at - 1]) && (isLetter(a[at]) || isLetter(b[at]));
  while (start > 0 && cuts(start)) start--;
  const cutsBehind = () =>
    isLetter(a.at(-end)) && (isLetter(a.at(-end - 1)) || isLetter(b.at(-end - 1)));
  while (end > 0 && cutsBehind()) end--;
  const [from, to] = [a, b].map((text) =>
    text
      .slice(start, text.length - end)
      .join('')
      .trim(),
  );
  const isOther = start + end < shorter / 2 || Math.max(from.length, to.length) > most;
  return isOther || !(from || to) ? null : {from, to};
}
