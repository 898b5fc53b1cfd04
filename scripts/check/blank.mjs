/** Makes a text with a blank of a sentence. */

/** @import {LoadedModel} from '../../web/engine/host/loaded-model.js' */

/**
 * @param {LoadedModel} model
 * @param {string} sentence
 * @param {number} index Of the sentence: in each another word becomes the blank.
 * @returns {Promise<string>} The sentence with a word of one token masked.
 */
export async function withBlank(model, sentence, index) {
  const {words, offsets} = await model.attend(sentence, {specialTokens: false});
  const whole = offsets.filter(
    (offset, token) =>
      offset &&
      words.indexOf(words[token]) === words.lastIndexOf(words[token]) &&
      /^\p{L}+$/u.test(sentence.slice(...offset)),
  );
  const [start, end] = /** @type {[number, number]} */ (whole[(index * 7) % whole.length]);
  return `${sentence.slice(0, start)}${model.maskToken}${sentence.slice(end)}`;
}
