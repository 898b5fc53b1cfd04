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
 * The text with the word of a token masked, or with a mask filled.
 *
 * @param {string} text
 * @param {string} mask
 * @param {readonly [number, number]} place  of the token, as the engine finds it
 * @param {string} replacement
 * @returns {string | null}  null for what has no letter of its own there
 */
export function replaceWord(text, mask, [from, to], replacement) {
  const word = wordsOf(text, mask).find(({start, end}) => start <= from && from < end);
  if (!word || from === to) return null;
  return text.slice(0, word.start) + replacement + text.slice(word.end);
}
