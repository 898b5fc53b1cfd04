import {spellingOfModel} from '../attention/byte-level-tokens.js';
import {wordText} from '../attention/display.js';

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

/**
 * What a token would be in place of a mask.
 *
 * @param {{token: string, startsWord: boolean}} candidate
 * @param {string} before  the text up to the mask
 * @param {{isByteLevel: boolean} | null} model
 * @returns {string | null}  null for what is no word there: a piece that continues one, unless the mask
 *   stands where pieces do, or some bytes of a letter
 */
export function fillOf({token, startsWord}, before, model) {
  const spelt = spellingOfModel(model)(token);
  const bytes = spelt === token ? /^<0x[0-9A-F]{2}>$/ : /<0x[0-9A-F]{2}>/;
  if (token.startsWith('##') || bytes.test(spelt)) return null;
  const touches = /\S$/u.test(before);
  // The first word of a text has no space before it, so nothing marks it among bytes.
  const isUnmarked = Boolean(model?.isByteLevel) && !before.trim();
  if (!startsWord && !touches && !isUnmarked) return null;
  const word = wordText([spelt], (pieces) => pieces.join(''));
  if (/^▁*$/.test(word)) return null;
  return touches && spelt.startsWith('▁') ? ` ${word}` : word;
}
