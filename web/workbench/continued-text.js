import {wholeCharacters} from '../attention/byte-level-tokens.js';

/** @import {Model} from '../session/shared-models.js' */
/** @import {Result} from '../session/pass.js' */
/** @import {State} from '../scope/state-fields.js' */

/**
 * Returns the state whose text goes on with tokens that a model has written. Bytes that are no whole character are in no
 * text. The tokens stay where the tokenizer would divide the text otherwise; a pair has those of its tokenizer.
 *
 * @param {Model} model
 * @param {Result} result
 * @param {readonly number[]} added
 * @param {number} [end]  the number of tokens that they follow; all, unless given
 * @returns {Promise<Partial<State>>}
 */
export async function continuedText(model, result, added, end = result.ids.length) {
  const {text, pair, words, sentences, offsets} = result;
  const ids = result.ids.slice(0, end);
  const isSecond = sentences[end - 1] === 1;
  const own = ids.filter((_, at) => words[at] !== null && sentences[at] === Number(isSecond));
  const all = [...own, ...added];
  const spelt = async (/** @type {ArrayLike<number>} */ each) =>
    wholeCharacters(await model.decode(each));
  const [before, whole] = await Promise.all([spelt(own), spelt(all)]);
  const more = whole.slice(before.length);
  const sentence = isSecond ? pair : text;
  const kept = end < result.ids.length ? sentence.slice(0, offsets[end - 1]?.[1]) : sentence;
  const continued = kept + more;
  if (isSecond) return {textPair: continued};
  const {ids: usual} = await model.tokenize([continued], {specialTokens: false});
  const isUsual = String(usual.data) === String(all) || (await spelt(usual.data)) !== whole;
  return {text: continued, textPair: '', ids: isUsual ? [] : all};
}
