import {spellingOfModel} from '../attention/byte-level-tokens.js';
import {wordText} from '../attention/display.js';

/** @import {Result} from '../session/pass.js' */

/**
 * Finds the words of a text. It divides the text as BERT's tokenizer does before it looks for pieces: at white space,
 * around each punctuation mark and each Chinese character (Devlin et al. 2019, `BasicTokenizer`).
 *
 * @param {string} text
 * @param {string} mask  the name of the mask token, which is always one word
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
 * Replaces the word of a token in a text: masks it, or fills a mask.
 *
 * @param {string} text
 * @param {string} mask
 * @param {readonly [number, number]} place  the offsets of the token
 * @param {string} replacement
 * @returns {string | null}  null for a token without letters of its own in the text
 */
export function replaceWord(text, mask, [from, to], replacement) {
  const word = wordsOf(text, mask).find(({start, end}) => start <= from && from < end);
  if (!word || from === to) return null;
  return text.slice(0, word.start) + replacement + text.slice(word.end);
}

/**
 * Masks the word of a token in the texts that were run.
 *
 * @param {Result} result
 * @param {number} index  of the word's first token
 * @param {string} mask
 * @returns {{text: string, pair: string | undefined} | null}  null for a token that is not a word of the text
 */
export function maskedAt({text, pair, sentences, offsets}, index, mask) {
  const isSecond = sentences[index] === 1;
  const place = offsets[index];
  const masked = place && mask ? replaceWord(isSecond ? pair : text, mask, place, mask) : null;
  if (masked === null) return null;
  return {text: isSecond ? text : masked, pair: (isSecond ? masked : pair) || undefined};
}

/**
 * Returns the text of a token in place of a mask.
 *
 * @param {{token: string, startsWord: boolean}} candidate
 * @param {string} before  the text up to the mask
 * @param {{isByteLevel: boolean} | null} model
 * @returns {string | null}  null where it gives no word: for a piece that continues a word (`##ing`, or one
 *   without a mark after a space), and for bytes that are only part of a letter
 */
export function fillOf({token, startsWord}, before, model) {
  const spelt = spellingOfModel(model)(token);
  const bytes = spelt === token ? /^<0x[0-9A-F]{2}>$/ : /<0x[0-9A-F]{2}>/;
  if (token.startsWith('##') || bytes.test(spelt)) return null;
  const touches = /\S$/u.test(before);
  // Byte-level pieces mark a word by the space before it, which the first word of a text does not have.
  const isUnmarked = Boolean(model?.isByteLevel) && !before.trim();
  if (!startsWord && !touches && !isUnmarked) return null;
  const word = wordText([spelt], (pieces) => pieces.join(''));
  if (/^▁*$/.test(word)) return null;
  return touches && spelt.startsWith('▁') ? ` ${word}` : word;
}
