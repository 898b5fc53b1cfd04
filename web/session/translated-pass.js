import {range} from '../attention/range.js';
import {holds} from '../attention/shape.js';
import {createSnapshot} from '../attention/snapshot.js';
import {toEngineOptions, isUntouched} from '../attention/interventions.js';
import {liveStrings} from '../strings/live.js';
import {savedPass} from './saved-pass.js';

/** @import {Origin} from './pass-origin.js' */
/** @import {Pass, Result} from './pass.js' */
/** @import {Model} from './shared-engine.js' */
/** @import {Shape} from '../attention/shape.js' */
/** @import {MatrixRef, VectorKind} from '../attention/snapshot.js' */

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
  const interventions = isChanged ? toEngineOptions(origin.interventions, model) : undefined;
  const translation = await model.translate(origin.text, {signal, interventions});
  const {encoder, decoder, tokens, text: written} = translation;
  const decoderShape = /** @type {Shape} */ (model.decoderShape);
  const [ofEncoder, ofDecoder, ofCross] = await Promise.all([
    attentionOf(encoder, model.shape, 'attention', signal),
    attentionOf(decoder, decoderShape, 'attention', signal),
    attentionOf(decoder, decoderShape, 'crossAttention', signal),
  ]);
  const vectors = {
    encoder: new Vectors(encoder, model.shape),
    decoder: new Vectors(decoder, decoderShape),
    cross: new Vectors(decoder, decoderShape, crossKinds),
  };
  const {isByteLevel} = model;
  const parts = {
    encoder: createSnapshot({
      isByteLevel,
      ...tokensOf(encoder),
      ...model.shape,
      attention: ofEncoder,
      vectors: vectors.encoder.of,
    }),
    decoder: createSnapshot({
      isByteLevel,
      ...tokensOf(decoder),
      ...decoderShape,
      attention: ofDecoder,
      vectors: vectors.decoder.of,
    }),
    cross: createSnapshot({
      isByteLevel,
      tokens,
      keyTokens: encoder.tokens,
      ...decoderShape,
      attention: ofCross,
      vectors: vectors.cross.of,
    }),
  };
  const {before, after} = liveStrings.changes;
  const pass = savedPass(`${origin.text} → ${written}`, parts, origin);
  const each = Object.values(vectors);
  return {
    ...pass,
    name: isChanged ? after : isBesideChanged ? before : pass.name,
    model,
    translation,
    has: (refs) => each.every((those) => those.missing(refs).length === 0),
    async fetch(refs, fetchSignal) {
      await Promise.all(each.map((those) => those.fetch(refs, fetchSignal)));
    },
  };
}

/** The vectors that a view may ask for, by what the cross attention calls them. */
const crossKinds = /** @type {const} */ ({
  queries: 'crossQueries',
  keys: 'crossKeys',
  values: 'crossValues',
});

/** The queries, keys and values of one part. They are many, and only the neuron view shows them. */
class Vectors {
  /** @type {Map<string, Float32Array>} */
  #known = new Map();
  #result;
  #shape;
  #kinds;

  /**
   * @param {Result} result
   * @param {Shape} shape
   * @param {Partial<Record<MatrixRef['kind'], MatrixRef['kind']>>} [kinds]  what the engine calls them
   */
  constructor(result, shape, kinds = {}) {
    this.#result = result;
    this.#shape = shape;
    this.#kinds = kinds;
  }

  of = (/** @type {VectorKind} */ kind, /** @type {number} */ layer, /** @type {number} */ head) =>
    this.#known.get(nameOf({kind, layer, head}));

  /** @param {MatrixRef[]} refs */
  missing(refs) {
    return refs.filter(
      (ref) =>
        ref.kind !== 'attention' &&
        holds(this.#shape, ref.layer, ref.head) &&
        !this.#known.has(nameOf(ref)),
    );
  }

  /** @param {MatrixRef[]} refs @param {AbortSignal} [signal] */
  async fetch(refs, signal) {
    const missing = this.missing(refs);
    if (!missing.length) return;
    const asked = missing.map((ref) => ({...ref, kind: this.#kinds[ref.kind] ?? ref.kind}));
    const matrices = await this.#result.pull(asked, {signal});
    missing.forEach((ref, at) => this.#known.set(nameOf(ref), matrices[at]));
  }
}

/** @param {MatrixRef} ref */
const nameOf = ({kind, layer, head}) => `${kind}.${layer}.${head}`;

/** @param {Result} result */
const tokensOf = ({tokens, specialTokens: special, offsets, scoreBiases}) => ({
  ...{tokens, special, offsets, scoreBiases},
});

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
