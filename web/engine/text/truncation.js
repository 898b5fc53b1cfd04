/**
 * How many tokens of each sentence stay, by the rule of `truncate_encodings` in Hugging Face's
 * tokenizers (strategy longest_first). If both sentences are cut, the first gets the smaller half
 * unless it is the longer one.
 * @param {number} first
 * @param {number} second
 * @param {number} room
 * @returns {[number, number]}
 */
export function longestFirst(first, second, room) {
  if (first + second <= room) return [first, second];
  const shorter = Math.min(first, second, Math.floor(room / 2));
  return first > second ? [room - shorter, shorter] : [shorter, room - shorter];
}
