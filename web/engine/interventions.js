/**
 * Interventions: what a reader changes in a pass, as plain data that fits into JSON and into an
 * address. `src/model/interventions.h` says what each does.
 */

import {BertscopeError} from './errors.js';
import {isRecord} from './json.js';
import {flag, index, inside, listOf, number, oneOf, optional, recordOf} from './reading.js';

/** @import {Read} from './reading.js' */

/**
 * @typedef {'encoder' | 'decoder' | 'cross'} ModelPart Which heads of an encoder-decoder are meant: those of
 *   its encoder, those with which its decoder looks at what it wrote, or at the encoder's text.
 */

/**
 * @typedef {object} HeadScale
 * @property {number} layer
 * @property {number} head
 * @property {number} scale A factor for the head's output; 0 switches the head off.
 * @property {ModelPart} [part] The default is the encoder.
 */

/**
 * @typedef {object} Edge One attention weight.
 * @property {number} layer
 * @property {number} head
 * @property {number} query The index of a token; of a decoder's part, that of a token it writes.
 * @property {number} key The index of a token.
 * @property {number} weight The new weight, from 0 to 1.
 * @property {boolean} [renormalise] Whether the other weights of the row are scaled so that the row
 *   sums to 1; the default is false.
 * @property {ModelPart} [part] The default is the encoder.
 */

/** @typedef {'head' | 'hidden' | 'none'} ScoreScale What scores are divided by: √d, √H or 1. */

/**
 * @typedef {object} Interventions What is left out stays as the model has it.
 * @property {HeadScale[]} [heads]
 * @property {number[]} [layersOff] Layers that are skipped.
 * @property {number[]} [maskedTokens] Tokens that no token attends to, nor a decoder.
 * @property {Edge[]} [edges]
 * @property {boolean} [causal] Whether tokens attend only to themselves and to tokens before them.
 * @property {number | Record<number, number>} [temperature] What scores are divided by, in every
 *   layer or layer by layer; from 0.01 to 100.
 * @property {ScoreScale} [scoreScale]
 */

/**
 * @typedef {object} Patch What a pass takes over from the pass that the engine has kept: the hidden
 *   state of a token, or the output of a head, for one token or for every token.
 * @property {number} layer The layer of a head, or the index of a hidden state, as for `hiddenStates`.
 * @property {number} [head]
 * @property {number} [token]
 */

/**
 * @typedef {Required<Omit<Interventions, 'temperature' | 'heads' | 'edges'>> & {heads: (HeadScale & {cross?: boolean})[], edges: (Edge & {cross?: boolean})[], layerTemperature: number[], maskedSource?: number[], patches?: Patch[]}} Changes
 *   Interventions of one side of a model, with every field. `layerTemperature` has a number for each
 *   layer, or is empty. `maskedSource` lists tokens of the text that a decoder looks into.
 */

/**
 * @typedef {object} Dropped An intervention that does not fit the text.
 * @property {'token-beyond-text' | 'edge-beyond-text' | 'no-keys-left'} code
 * @property {string} message
 */

/** @type {Readonly<Changes>} */
export const NO_CHANGES = Object.freeze({
  heads: [],
  layersOff: [],
  maskedTokens: [],
  edges: [],
  causal: false,
  layerTemperature: [],
  scoreScale: 'head',
});

const TEMPERATURE = number(0.01, 100);
const SCORE_SCALES = ['head', 'hidden', 'none'];

/** Accepts any token index: the number of tokens is checked later, by `fitToText`. */
const ANY_TOKEN = index(2 ** 31);

/** @param {Changes} changes */
export const changesNothing = (changes) => JSON.stringify(changes) === JSON.stringify(NO_CHANGES);

/**
 * @param {unknown} given
 * @param {{layers: number, heads: number}} shape The shape of the encoder.
 * @param {ModelPart[]} [parts] Those that the model has.
 * @param {{layers: number, heads: number}} [largest] What any of them has; by default, `shape`.
 * @returns {Changes}
 */
export function parseInterventions(given, shape, parts = ['encoder'], largest = shape) {
  if (given === undefined || given === null) return NO_CHANGES;
  const part = {part: optional(oneOf(parts), 'encoder')};
  const place = {layer: index(largest.layers), head: index(largest.heads)};
  /** @type {Record<string, Read<any>>} */
  const fields = {
    heads: listOf(recordOf({...place, scale: number(-100, 100), ...part})),
    layersOff: listOf(index(shape.layers)),
    maskedTokens: listOf(ANY_TOKEN),
    edges: listOf(
      recordOf({
        ...place,
        query: ANY_TOKEN,
        key: ANY_TOKEN,
        weight: number(0, 1),
        renormalise: optional(flag, false),
        ...part,
      }),
    ),
    causal: flag,
    temperature: temperatureOf(shape.layers),
    scoreScale: oneOf(SCORE_SCALES),
  };
  const optionals = Object.entries(fields).map(([name, read]) => [name, optional(read, undefined)]);
  const {temperature, ...changes} = recordOf(Object.fromEntries(optionals))(given, {
    code: 'bad-intervention',
    path: 'interventions',
  });
  const said = Object.entries(changes).filter(([, value]) => value !== undefined);
  return {...NO_CHANGES, ...Object.fromEntries(said), layerTemperature: temperature ?? []};
}

/**
 * The changes of a decoder among those of its model.
 * @param {Changes} changes
 * @param {number} sourceTokens
 * @param {number} positions How many the decoder has.
 */
export function changesOfDecoder({heads, edges, maskedTokens}, sourceTokens, positions) {
  /** @template {{part?: ModelPart}} T @param {T[]} list */
  const own = (list) =>
    list
      .filter(({part}) => part !== 'encoder')
      .map((each) => ({...each, cross: each.part === 'cross'}));
  /** @type {Dropped[]} */
  const dropped = [];
  const left = own(edges).filter((edge) => {
    const reason = whyDropped(edge, sourceTokens, positions);
    if (reason) dropped.push(droppedEdge(edge, reason));
    return !reason;
  });
  checkRows(left);
  /** @type {Changes} */
  const changes = {...NO_CHANGES, heads: own(heads), edges: left};
  if (maskedTokens.length > 0) changes.maskedSource = maskedTokens;
  return {changes, dropped};
}

/**
 * @param {Edge & {cross: boolean}} edge
 * @param {number} sourceTokens
 * @param {number} positions
 * @returns {string} Empty if the decoder has a place for the edge.
 */
function whyDropped({query, key, cross}, sourceTokens, positions) {
  if (query >= positions) return `the decoder has ${positions} positions`;
  if (cross) return key < sourceTokens ? '' : `the text has ${sourceTokens} tokens`;
  return key <= query ? '' : 'a decoder sees no later token';
}

/**
 * @param {Edge} edge
 * @param {string} reason
 * @returns {Dropped}
 */
export const droppedEdge = ({layer, head, query, key}, reason) => ({
  code: 'edge-beyond-text',
  message: `the edge from token ${query} to token ${key} in layer ${layer}, head ${head} is not set: ${reason}`,
});

/**
 * Drops what does not fit, since the text may have become shorter after the reader intervened.
 * @param {Changes} changes
 * @param {number} tokens
 * @param {boolean} [isCausal] Whether the model is so without a change.
 * @returns {{changes: Changes, dropped: Dropped[]}}
 */
export function fitToText(changes, tokens, isCausal = false) {
  /** @type {Dropped[]} */
  const dropped = [];
  let maskedTokens = changes.maskedTokens.filter((token) => {
    if (token >= tokens) {
      const message = `token ${token} is not masked: the text has ${tokens} tokens`;
      dropped.push({code: 'token-beyond-text', message});
    }
    return token < tokens;
  });
  const edges = changes.edges.filter((edge) => {
    const fits = edge.query < tokens && edge.key < tokens;
    if (!fits) dropped.push(droppedEdge(edge, `the text has ${tokens} tokens`));
    return fits;
  });
  checkRows(edges);
  const first = changes.causal || isCausal ? 1 : tokens; // a causal pass leaves token 0 only itself
  if (Array.from({length: first}, (_, token) => token).every((t) => maskedTokens.includes(t))) {
    const message = 'no token is masked: token 0 would have nothing left to attend to';
    dropped.push({code: 'no-keys-left', message});
    maskedTokens = [];
  }
  return {changes: {...changes, maskedTokens, edges}, dropped};
}

/** A sum of numbers in 32 bits may be off by so much, as `kRounding` of C++ says. */
const ROUNDING = 1e-6;

/**
 * Refuses rows of which more than the whole is set while their other weights are to share the rest.
 * @param {Edge[]} edges
 */
function checkRows(edges) {
  /** @type {Map<string, {sum: number, renormalise: boolean}>} */
  const rows = new Map();
  for (const {layer, head, query, weight, renormalise, part = 'encoder'} of edges) {
    const place = `${part === 'encoder' ? '' : `the ${part}'s `}layer ${layer}, head ${head}, query ${query}`;
    const before = rows.get(place) ?? {sum: 0, renormalise: false};
    const shares = before.renormalise || Boolean(renormalise);
    rows.set(place, {sum: before.sum + weight, renormalise: shares});
  }
  for (const [place, {sum, renormalise}] of rows) {
    if (renormalise && sum > 1 + ROUNDING)
      throw new BertscopeError(
        'bad-intervention',
        `the weights set in the row of ${place}, whose other weights share the rest of 1: expected a sum of at most 1, found ${Number(sum.toFixed(7))}`,
      );
  }
}

/** @param {number} layers @returns {Read<number[]>} */
const temperatureOf = (layers) => (value, place) => {
  if (!isRecord(value)) return Array(layers).fill(TEMPERATURE(value, place));
  const temperatures = Array(layers).fill(1);
  for (const [layer, temperature] of Object.entries(value)) {
    const at = index(layers)(layer === '' ? NaN : Number(layer), inside(place, ': a layer'));
    temperatures[at] = TEMPERATURE(temperature, inside(place, `[${at}]`));
  }
  return temperatures;
};
