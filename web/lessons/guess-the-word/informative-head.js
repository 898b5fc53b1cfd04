/** @import {Model} from '../../session/shared-models.js' */

/**
 * The head that a guess rests on most.
 *
 * @typedef {object} Informative
 * @property {number} layer
 * @property {number} head
 * @property {number} key  the token of the text that it looks at most from the blank
 * @property {number} share  of its attention that goes there
 */

/**
 * Finds the head without which the likeliest guess loses most, of those that look from the blank at a word of the text
 * more than at anything else.
 *
 * @param {Model} model
 * @param {Awaited<ReturnType<Model['attend']>>} result
 * @param {number} blank  the place of the blank
 * @param {AbortSignal} signal
 * @returns {Promise<Informative | null>}  null if no head looks at a word
 */
export async function informativeHead(model, result, blank, signal) {
  const {heads, layers, logChange} = await model.headEffects(result, {signal});
  const {tokens} = result;
  const size = tokens.length;
  const byLayer = await Promise.all(
    Array.from({length: layers}, (_, layer) => result.layerAttention(layer)),
  );
  const order = [...logChange.keys()].sort((a, b) => logChange[a] - logChange[b]);
  for (const at of order) {
    const [layer, head] = [Math.floor(at / heads), at % heads];
    const start = (head * size + blank) * size;
    const row = byLayer[layer].subarray(start, start + size);
    const key = row.indexOf(Math.max(...row));
    if (isWord(tokens[key])) return {layer, head, key, share: row[key]};
  }
  return null;
}

/** Whether a token is a word or a part of one, not a sign or a special token. @param {string} token */
const isWord = (token) => /^(##)?\p{L}+$/u.test(token);
