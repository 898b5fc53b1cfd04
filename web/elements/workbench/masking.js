/**
 * Where the words of a text are, as BERT's tokenizer divides it before it looks for pieces: at
 * white space, around each punctuation mark and each Chinese character (Devlin et al. 2019,
 * `BasicTokenizer`).
 *
 * @param {string} text
 * @param {string} mask  the name of the mask token, one word wherever it stands
 * @returns {{start: number, end: number}[]}
 */
export function wordsOf(text, mask) {
  const alone = '\\p{P}$+<=>^`|~\\p{Script=Han}';
  const literal = mask.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const word = new RegExp(`${literal}|[${alone}]|[^\\s${alone}]+`, 'gu');
  return Array.from(text.matchAll(word), ({0: found, index}) => ({
    start: index,
    end: index + found.length,
  }));
}

/**
 * The text with a mask filled.
 *
 * @param {string} text
 * @param {readonly [number, number] | null} place  of the mask, as the engine finds it
 * @param {string} mask
 * @param {string} replacement
 * @returns {string | null}  null where another text was run
 */
export function replaceAt(text, place, mask, replacement) {
  if (!place || text.slice(...place) !== mask) return null;
  return text.slice(0, place[0]) + replacement + text.slice(place[1]);
}

/**
 * The text with one word masked.
 *
 * @param {string} text
 * @param {string} mask
 * @param {number} word  index of the word, as the tokenizer counts
 * @param {number} count  how many words the tokenizer found
 * @param {string} replacement
 * @returns {string | null}  null when the tokenizer divides the text in another way, so that nobody
 *   knows which word is meant
 */
export function replaceWord(text, mask, word, count, replacement) {
  const words = wordsOf(text, mask);
  if (words.length !== count || !words[word]) return null;
  const {start, end} = words[word];
  return text.slice(0, start) + replacement + text.slice(end);
}
