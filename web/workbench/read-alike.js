import {keptAnswer} from './kept-explanations.js';

/** @import {Model} from '../session/shared-models.js' */
/** @import {Translation} from '../session/pass.js' */

/**
 * The unchanged model's pass in which the decoder has read what it read of the changed one before a token: what it wrote
 * itself, if that is the same until there. Any other pass is kept, and so are its explanations.
 *
 * @param {Model} model
 * @param {Translation} unchanged
 * @param {Translation} translation
 * @param {number} token
 * @param {AbortSignal} signal
 * @returns {Promise<Translation>}
 */
export async function readAlike(model, unchanged, translation, token, signal) {
  const {ids, encoder} = unchanged;
  const written = translation.ids.slice(0, token);
  const isSame = ids.length > token && written.every((id, at) => id === ids[at]);
  if (isSame) return unchanged;
  return keptAnswer(unchanged, {written}, () =>
    model.translate(encoder.text, {written, tokens: 1, signal}),
  );
}
