/** @import {Model} from '../../session/shared-models.js' */

/**
 * The text of a pass with another word in place of the one that a token belongs to.
 *
 * @param {Awaited<ReturnType<Model['attend']>>} result
 * @param {number} token
 * @param {string} other
 */
export function withWord({text, words, sentences, offsets}, token, other) {
  const places = offsets.filter(
    (_, at) => words[at] === words[token] && sentences[at] === sentences[token],
  );
  const [first, last] = [places[0], places[places.length - 1]];
  if (!first || !last || !other.trim()) return text;
  return `${text.slice(0, first[0])}${other.trim()}${text.slice(last[1])}`;
}
