/** @import {Result} from '../../session/pass.js' */

/**
 * Asks what a model guesses for the first blank of a text. A model that predicts the next token guesses in every place,
 * but knows no blank.
 *
 * @param {{maskToken: string | null}} model
 * @param {Pick<Result, 'tokens' | 'predictions'>} result
 * @param {number} count  of guesses
 * @returns {Promise<Awaited<ReturnType<Result['predictions']>>[number] | undefined>}  undefined without a blank
 */
export async function blankGuess({maskToken}, result, count) {
  const at = maskToken === null ? -1 : result.tokens.indexOf(maskToken);
  if (at < 0) return undefined;
  const [prediction] = await result.predictions(count, {places: [at]});
  return prediction;
}
