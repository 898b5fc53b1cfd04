import {namingOfModel} from '../attention/byte-level-tokens.js';

/** @import {Model} from '../session/shared-models.js' */
/** @import {Translation} from '../session/pass.js' */
/** @import {Question} from './guess.js' */

/** The number of words in the list. */
const offered = 5;

/**
 * Asks an encoder-decoder what it writes, and what it expected in the place of one of the tokens that it wrote.
 *
 * @param {Model} model
 * @param {Translation} shown  which may be of a changed model
 * @param {Translation | null} plain  that of the unchanged model, where there is one
 * @param {number | null} pinned  the row of the token; null: the first word
 * @returns {Question}
 */
export function questionOfWritten(model, shown, plain, pinned) {
  const {text, ids} = shown.encoder;
  const ask = async (/** @type {AbortSignal} */ signal) => {
    const before = plain ?? (await model.translate(text, {signal}));
    const usual = Math.max(0, before.specialTokens.indexOf(false));
    const index = pinned !== null && pinned < before.ids.length ? pinned : usual;
    const [{top}] = await before.decoder.predictions(offered, {places: [index]});
    const wanted = top.map(({id}) => id);
    const written = before.ids.slice(0, index);
    const askChanged = async (/** @type {object} */ options) => {
      const now = await model.translate(text, options);
      // A token is compared after the same beginning.
      const isSame = String(now.ids.slice(0, index)) === String(written);
      const of = isSame ? now : await model.translate(text, {...options, written, tokens: 1});
      const probabilities = await of.decoder.probabilities(index, wanted);
      return {probabilities, written: now.text};
    };
    const token = namingOfModel(model)(before.tokens[index]);
    return {token, written: before.text, top, ask: askChanged};
  };
  return {place: JSON.stringify([model.source, ids, pinned]), ask};
}
