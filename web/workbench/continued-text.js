import {wholeCharacters} from '../attention/byte-level-tokens.js';

/** @import {Model} from '../scope/shared-models.js' */
/** @import {Result} from '../scope/pass.js' */
/** @import {State} from '../scope/state-fields.js' */

/**
 * Returns the state whose text goes on with tokens that a model has written. Bytes that are no whole character are in no
 * text. The tokens stay where the tokenizer would divide the text otherwise; a pair has those of its tokenizer.
 *
 * @param {Model} model
 * @param {Result} result
 * @param {readonly number[]} added
 * @returns {Promise<Partial<State>>}
 */
export async function continuedText(model, result, added) {
  const {text, pair, ids, words, sentences} = result;
  const isSecond = sentences.at(-1) === 1;
  const own = ids.filter((_, at) => words[at] !== null && sentences[at] === Number(isSecond));
  const all = [...own, ...added];
  const spelt = async (/** @type {ArrayLike<number>} */ each) =>
    wholeCharacters(await model.decode(each));
  const [before, whole] = await Promise.all([spelt(own), spelt(all)]);
  const more = whole.slice(before.length);
  if (isSecond) return {textPair: pair + more};
  const continued = text + more;
  const {ids: usual} = await model.tokenize([continued], {specialTokens: false});
  const isUsual = String(usual.data) === String(all) || (await spelt(usual.data)) !== whole;
  return {text: continued, textPair: '', ids: isUsual ? [] : all};
}
