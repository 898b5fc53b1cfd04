/** @import {Edge, HeadScale, Interventions, ModelPart, ScoreScale} from '../engine/interventions.js' */
/** @import {Filter} from './selection.js' */
/** @import {Shape} from './shape.js' */

/**
 * The changes that the reader made. Every field is set; `temperature` holds for all layers without one of their
 * own in `layerTemperatures`, however many layers the next model has. `toInterventions` converts them to those of the
 * engine, which names every layer. No function changes its arguments.
 *
 * @typedef {{layer: number, temperature: number}} LayerTemperature
 *
 * @typedef {Required<Omit<Interventions, 'temperature'>>
 *   & {temperature: number, layerTemperatures: LayerTemperature[]}} ReaderChanges
 */

/** @type {Readonly<ReaderChanges>} */
export const noReaderChanges = Object.freeze({
  heads: [],
  layersOff: [],
  maskedTokens: [],
  edges: [],
  causal: false,
  temperature: 1,
  layerTemperatures: [],
  scoreScale: 'head',
});

/** The lowest and the highest temperature that the page offers. */
export const temperatures = Object.freeze({least: 0.1, most: 5});

/** @typedef {Pick<HeadScale, 'layer' | 'head' | 'part'>} HeadPlace  a head; without a part, one of an encoder */

/** Names the part of an encoder-decoder that a filter shows. @param {Filter} filter @returns {{part?: ModelPart}} */
export const partShown = (filter) =>
  filter === 'decoder' || filter === 'cross' ? {part: filter} : {};

/** @param {HeadPlace} place */
const keyOfHead = ({layer, head, part = 'encoder'}) => `${part}.${layer}.${head}`;

/** @param {ReaderChanges} changes */
export function isUntouched(changes) {
  return changesOf(changes).length === 0;
}

/**
 * One change, and `without`: the changes when it is undone, which are made when they are asked for, since a link
 * may make many changes.
 *
 * @typedef {{kind: 'head', change: HeadScale, without: ReaderChanges}
 *   | {kind: 'layer', change: number, without: ReaderChanges}
 *   | {kind: 'token', change: number, without: ReaderChanges}
 *   | {kind: 'edge', change: Edge, without: ReaderChanges}
 *   | {kind: 'causal', change: true, without: ReaderChanges}
 *   | {kind: 'temperature', change: number, without: ReaderChanges}
 *   | {kind: 'layerTemperature', change: LayerTemperature, without: ReaderChanges}
 *   | {kind: 'scoreScale', change: ScoreScale, without: ReaderChanges}} Change
 */

/**
 * Lists every change.
 *
 * @param {ReaderChanges} changes
 * @returns {Change[]}
 */
export function changesOf(changes) {
  const {heads, layersOff, maskedTokens, edges, causal} = changes;
  const {temperature, layerTemperatures, scoreScale} = changes;
  /** @param {Change['kind']} kind @param {any} change @param {() => Partial<ReaderChanges>} undone @returns {Change} */
  const made = (kind, change, undone) => ({
    kind,
    change,
    get without() {
      return {...changes, ...undone()};
    },
  });
  /** @template T @param {readonly T[]} list @param {T} item */
  const except = (list, item) => list.filter((other) => other !== item);
  return [
    ...layersOff.map((each) => made('layer', each, () => ({layersOff: except(layersOff, each)}))),
    ...heads.map((each) => made('head', each, () => ({heads: except(heads, each)}))),
    ...maskedTokens.map((each) =>
      made('token', each, () => ({maskedTokens: except(maskedTokens, each)})),
    ),
    ...edges.map((each) => made('edge', each, () => ({edges: except(edges, each)}))),
    ...(causal ? [made('causal', true, () => ({causal: false}))] : []),
    ...(temperature === 1
      ? []
      : [made('temperature', temperature, () => withTemperature(changes, 1))]),
    ...layerTemperatures.map((each) =>
      made('layerTemperature', each, () => ({layerTemperatures: except(layerTemperatures, each)})),
    ),
    ...(scoreScale === 'head'
      ? []
      : [made('scoreScale', scoreScale, () => ({scoreScale: 'head'}))]),
  ];
}

/**
 * @param {ReaderChanges} changes
 * @param {HeadPlace} place
 * @returns {number}  1: the head is unchanged
 */
export function scaleOf({heads}, place) {
  return heads.find((each) => keyOfHead(each) === keyOfHead(place))?.scale ?? 1;
}

/**
 * Tells whether a head is switched off, alone or with its whole layer.
 *
 * @param {ReaderChanges} changes
 * @param {HeadPlace} place
 */
export function isOff(changes, place) {
  const isLayerOff = !place.part && changes.layersOff.includes(place.layer);
  return isLayerOff || scaleOf(changes, place) === 0;
}

/**
 * @param {ReaderChanges} changes
 * @param {readonly HeadScale[]} wanted  a later one of a head replaces an earlier one; a scale of 1 undoes the change
 * @returns {ReaderChanges}
 */
export function withHeads(changes, wanted) {
  const heads = replaced(changes.heads, wanted, keyOfHead)
    .filter(({scale}) => scale !== 1)
    .sort((a, b) => a.layer - b.layer || a.head - b.head);
  return {...changes, heads};
}

/** @param {ReaderChanges} changes @param {HeadScale} wanted */
export const withHead = (changes, wanted) => withHeads(changes, [wanted]);

/**
 * Adds items to a list, each in place of those with the same key.
 *
 * @template T
 * @param {readonly T[]} list
 * @param {readonly T[]} added
 * @param {(item: T) => string} keyOf
 */
function replaced(list, added, keyOf) {
  /** @type {Map<string, T>} */
  const items = new Map();
  for (const item of [...list, ...added]) {
    const key = keyOf(item);
    items.delete(key); // the new one stands at the end
    items.set(key, item);
  }
  return [...items.values()];
}

/** @param {ReaderChanges} changes @param {number} layer */
export function temperatureOf({temperature, layerTemperatures}, layer) {
  return layerTemperatures.find((each) => each.layer === layer)?.temperature ?? temperature;
}

/**
 * @param {ReaderChanges} changes
 * @param {number} temperature
 * @param {number} [layer]  the only layer that gets it; unless given, all without one of their own get it
 * @returns {ReaderChanges}
 */
export function withTemperature(changes, temperature, layer) {
  const all = layer === undefined ? temperature : changes.temperature;
  const own = changes.layerTemperatures.filter((each) => each.layer !== layer);
  if (layer !== undefined) own.push({layer, temperature});
  const layerTemperatures = own
    .filter((each) => each.temperature !== all)
    .sort((a, b) => a.layer - b.layer);
  return {...changes, temperature: all, layerTemperatures};
}

/**
 * @param {ReaderChanges} changes
 * @param {readonly Edge[]} wanted  each replaces an edge of the same head between the same tokens
 * @returns {ReaderChanges}
 */
export function withEdges(changes, wanted) {
  const edges = replaced(changes.edges, wanted, (edge) =>
    [keyOfHead(edge), edge.query, edge.key].join('.'),
  );
  return {...changes, edges};
}

/** @param {ReaderChanges} changes @param {Edge} wanted */
export const withEdge = (changes, wanted) => withEdges(changes, [wanted]);

/** @param {readonly number[]} list @param {readonly number[]} items @returns {number[]} all of them, ascending */
export const withItems = (list, items) => [...new Set([...list, ...items])].sort((a, b) => a - b);

/**
 * @param {readonly number[]} list  ascending
 * @param {number} item
 * @param {boolean} on
 */
export const withItem = (list, item, on) =>
  on ? withItems(list, [item]) : list.filter((other) => other !== item);

/**
 * The layers and heads of a model, and of its decoder if it is an encoder-decoder.
 *
 * @typedef {{shape: Shape, decoderShape?: Shape | null}} Places
 */

/**
 * Returns the layers and heads of a part; without one, those of an encoder.
 *
 * @param {Places} model
 * @param {ModelPart} [part]
 * @returns {Shape | null}  null: the model has no decoder
 */
export const shapeOfPart = ({shape, decoderShape = null}, part = 'encoder') =>
  part === 'encoder' ? shape : decoderShape;

/**
 * Tells whether a model has the layers and heads of a change. The engine reports tokens beyond the end of a text.
 *
 * @param {Change} change
 * @param {Places} model
 */
export function hasPlace({kind, change}, model) {
  switch (kind) {
    case 'layer':
      return change < model.shape.layers;
    case 'head':
    case 'edge': {
      const own = shapeOfPart(model, change.part);
      return Boolean(own && change.layer < own.layers && change.head < own.heads);
    }
    case 'layerTemperature':
      return change.layer < model.shape.layers;
    default:
      return true;
  }
}

/**
 * Returns the changes without those of layers and heads that a model does not have.
 *
 * @param {ReaderChanges} changes
 * @param {Places} model
 * @returns {ReaderChanges}
 */
export function withoutUnknownPlaces(changes, model) {
  const {layersOff, heads, edges, layerTemperatures} = changes;
  const has = (/** @type {Change['kind']} */ kind) => (/** @type {any} */ change) =>
    hasPlace(/** @type {Change} */ ({kind, change}), model);
  return {
    ...changes,
    layersOff: layersOff.filter(has('layer')),
    heads: heads.filter(has('head')),
    edges: edges.filter(has('edge')),
    layerTemperatures: layerTemperatures.filter(has('layerTemperature')),
  };
}

/**
 * Returns the changes that a model has a place for, in the form that `model.attend` takes.
 *
 * @param {ReaderChanges} changes
 * @param {Places} model
 */
export function toInterventions(changes, model) {
  const left = withoutUnknownPlaces(changes, model);
  const {layerTemperatures, temperature, ...others} = left;
  if (!layerTemperatures.length) return {...others, temperature};
  const byLayer = Array.from({length: model.shape.layers}, (_, layer) => [
    layer,
    temperatureOf(left, layer),
  ]);
  return {...others, temperature: Object.fromEntries(byLayer)};
}
