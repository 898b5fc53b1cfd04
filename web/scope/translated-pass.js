import {range} from '../attention/range.js';
import {createSnapshot} from '../attention/snapshot.js';
import {fit, isUntouched} from '../attention/interventions.js';
import {liveStrings} from '../strings/live.js';
import {savedPass} from './saved-pass.js';

/** @import {Origin} from './pass-origin.js' */
/** @import {Pass, Result} from './pass.js' */
/** @import {Model} from './shared-engine.js' */
/** @import {Shape} from '../attention/shape.js' */

/**
 * Lets an encoder-decoder write what it makes of a text. The pass has the three parts of a file with its attention. A
 * row of the cross attention is the token that was written while the decoder looked there.
 *
 * @param {Model} model
 * @param {Origin} origin
 * @param {{signal: AbortSignal, isBesideChanged?: boolean}} options
 * @returns {Promise<Pass>}
 */
export async function runTranslation(model, origin, {signal, isBesideChanged}) {
  const isChanged = !isUntouched(origin.interventions);
  const interventions = isChanged ? fit(origin.interventions, model) : undefined;
  const translation = await model.translate(origin.text, {signal, interventions});
  const {encoder, decoder, tokens, text: written} = translation;
  const shape = /** @type {Shape} */ (model.decoderShape);
  const [ofEncoder, ofDecoder, ofCross] = await Promise.all([
    attentionOf(encoder, model.shape, 'attention', signal),
    attentionOf(decoder, shape, 'attention', signal),
    attentionOf(decoder, shape, 'crossAttention', signal),
  ]);
  const parts = {
    encoder: createSnapshot({...tokensOf(encoder), ...model.shape, attention: ofEncoder}),
    decoder: createSnapshot({...tokensOf(decoder), ...shape, attention: ofDecoder}),
    cross: createSnapshot({tokens, keyTokens: encoder.tokens, ...shape, attention: ofCross}),
  };
  const {before, after} = liveStrings.changes;
  const pass = savedPass(`${origin.text} → ${written}`, parts, origin);
  const name = isChanged ? after : isBesideChanged ? before : pass.name;
  return {...pass, name, model, translation};
}

/** @param {Result} result */
const tokensOf = ({tokens, specialTokens: special, offsets}) => ({tokens, special, offsets});

/**
 * @param {Result} result
 * @param {Shape} shape
 * @param {'attention' | 'crossAttention'} kind
 * @param {AbortSignal} signal
 */
async function attentionOf(result, {layers, heads}, kind, signal) {
  const refs = range(layers).flatMap((layer) => range(heads).map((head) => ({kind, layer, head})));
  const matrices = await result.pull(refs, {signal});
  return (/** @type {number} */ layer, /** @type {number} */ head) =>
    matrices[layer * heads + head];
}
