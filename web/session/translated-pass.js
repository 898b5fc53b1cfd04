import {range} from '../attention/range.js';
import {holds} from '../attention/shape.js';
import {plainSnapshot} from '../attention/snapshot.js';
import {vectorKindsOf} from '../engine/measures.js';
import {toInterventions, isUntouched} from '../attention/reader-changes.js';
import {liveStrings} from '../strings/live.js';
import {MatrixStore} from './matrix-store.js';
import {savedPass} from './saved-pass.js';

/** @import {Origin} from './pass-origin.js' */
/** @import {Pass, Result} from './pass.js' */
/** @import {Model} from './shared-engine.js' */
/** @import {Shape} from '../attention/shape.js' */
/** @import {MatrixRef} from '../attention/snapshot.js' */

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
  const interventions = isChanged ? toInterventions(origin.interventions, model) : undefined;
  const translation = await model.translate(origin.text, {signal, interventions});
  const {encoder, decoder, tokens, text: written} = translation;
  const decoderShape = /** @type {Shape} */ (model.decoderShape);
  const stores = {
    encoder: new MatrixStore(encoder, model.shape),
    decoder: new MatrixStore(decoder, decoderShape),
    // No distance is defined between tokens of two texts.
    cross: new MatrixStore(decoder, {...decoderShape, hasPositionScores: false}, crossKinds),
  };
  const each = Object.values(stores);
  await Promise.all(each.map((store) => store.fetch(allAttention(store.shape), signal)));
  const {isByteLevel} = model;
  const parts = {
    encoder: plainSnapshot({isByteLevel, ...tokensOf(encoder), ...stores.encoder.lists()}),
    decoder: plainSnapshot({isByteLevel, ...tokensOf(decoder), ...stores.decoder.lists()}),
    cross: plainSnapshot({
      ...{isByteLevel, tokens, keyTokens: encoder.tokens},
      ...stores.cross.lists(),
    }),
  };
  const {before, after} = liveStrings.changes;
  const pass = savedPass(`${origin.text} → ${written}`, parts, origin);
  // All attention is here. Vectors are many, and only the neuron view shows them.
  const vectorsIn = (/** @type {MatrixRef[]} */ refs, /** @type {MatrixStore} */ {shape}) =>
    refs.filter(
      ({kind, layer, head}) =>
        vectorKindsOf(shape).some((known) => known === kind) && holds(shape, layer, head),
    );
  return {
    ...pass,
    name: isChanged ? after : isBesideChanged ? before : pass.name,
    model,
    translation,
    has: (refs) => each.every((store) => store.has(vectorsIn(refs, store))),
    async fetch(refs, fetchSignal) {
      await Promise.all(each.map((store) => store.fetch(vectorsIn(refs, store), fetchSignal)));
    },
  };
}

/** What the engine calls the matrices of the cross attention. */
const crossKinds = /** @type {const} */ ({
  attention: 'crossAttention',
  queries: 'crossQueries',
  keys: 'crossKeys',
  values: 'crossValues',
});

/** @param {Shape} shape @returns {MatrixRef[]} */
const allAttention = ({layers, heads}) =>
  range(layers).flatMap((layer) => range(heads).map((head) => ({kind: 'attention', layer, head})));

/** @param {Result} result */
const tokensOf = ({tokens, specialTokens: special, offsets}) => ({tokens, special, offsets});
