/** @import {Edge, HeadScale, Interventions as EngineInterventions, ScoreScale} from '../engine/interventions.js' */

/**
 * The changes that the reader made. Every field is set; `temperature` holds for all layers without one of their
 * own in `layerTemperatures`. `fit` converts interventions for `model.attend`. No function changes its arguments.
 *
 * @typedef {{layer: number, temperature: number}} LayerTemperature
 *
 * @typedef {Required<Omit<EngineInterventions, 'temperature'>>
 *   & {temperature: number, layerTemperatures: LayerTemperature[]}} Interventions
 */

/** @type {Readonly<Interventions>} */
export const noInterventions = Object.freeze({
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

/** @param {Interventions} interventions */
export function isUntouched(interventions) {
  return changesOf(interventions).length === 0;
}

/**
 * One change, and `without`: the interventions when it is undone.
 *
 * @typedef {{kind: 'head', change: HeadScale, without: Interventions}
 *   | {kind: 'layer', change: number, without: Interventions}
 *   | {kind: 'token', change: number, without: Interventions}
 *   | {kind: 'edge', change: Edge, without: Interventions}
 *   | {kind: 'causal', change: true, without: Interventions}
 *   | {kind: 'temperature', change: number, without: Interventions}
 *   | {kind: 'layerTemperature', change: LayerTemperature, without: Interventions}
 *   | {kind: 'scoreScale', change: ScoreScale, without: Interventions}} Change
 */

/**
 * Lists every change.
 *
 * @param {Interventions} interventions
 * @returns {Change[]}
 */
export function changesOf(interventions) {
  const {heads, layersOff, maskedTokens, edges, causal} = interventions;
  const {temperature, layerTemperatures, scoreScale} = interventions;
  /** @template T @param {readonly T[]} list @param {T} item */
  const except = (list, item) => list.filter((other) => other !== item);
  /** @type {Change[]} */
  const changes = [];
  for (const change of layersOff) {
    const without = {...interventions, layersOff: except(layersOff, change)};
    changes.push({kind: 'layer', change, without});
  }
  for (const change of heads) {
    changes.push({kind: 'head', change, without: {...interventions, heads: except(heads, change)}});
  }
  for (const change of maskedTokens) {
    const without = {...interventions, maskedTokens: except(maskedTokens, change)};
    changes.push({kind: 'token', change, without});
  }
  for (const change of edges) {
    changes.push({kind: 'edge', change, without: {...interventions, edges: except(edges, change)}});
  }
  if (causal) {
    changes.push({kind: 'causal', change: true, without: {...interventions, causal: false}});
  }
  if (temperature !== 1) {
    const without = withTemperature(interventions, 1);
    changes.push({kind: 'temperature', change: temperature, without});
  }
  for (const change of layerTemperatures) {
    const without = {...interventions, layerTemperatures: except(layerTemperatures, change)};
    changes.push({kind: 'layerTemperature', change, without});
  }
  if (scoreScale !== 'head') {
    const without = /** @type {Interventions} */ ({...interventions, scoreScale: 'head'});
    changes.push({kind: 'scoreScale', change: scoreScale, without});
  }
  return changes;
}

/**
 * @param {Interventions} interventions
 * @param {number} layer
 * @param {number} head
 * @returns {number}  1: the head is unchanged
 */
export function scaleOf({heads}, layer, head) {
  return heads.find((each) => each.layer === layer && each.head === head)?.scale ?? 1;
}

/**
 * Tells whether a head is switched off, alone or with its whole layer.
 *
 * @param {Interventions} interventions
 * @param {number} layer
 * @param {number} head
 */
export function isOff(interventions, layer, head) {
  return interventions.layersOff.includes(layer) || scaleOf(interventions, layer, head) === 0;
}

/**
 * @param {Interventions} interventions
 * @param {HeadScale} wanted  a scale of 1 undoes the change
 * @returns {Interventions}
 */
export function withHead(interventions, wanted) {
  const {layer, head, scale} = wanted;
  const others = interventions.heads.filter((each) => each.layer !== layer || each.head !== head);
  const heads = scale === 1 ? others : [...others, wanted];
  heads.sort((a, b) => a.layer - b.layer || a.head - b.head);
  return {...interventions, heads};
}

/** @param {Interventions} interventions @param {number} layer */
export function temperatureOf({temperature, layerTemperatures}, layer) {
  return layerTemperatures.find((each) => each.layer === layer)?.temperature ?? temperature;
}

/**
 * @param {Interventions} interventions
 * @param {number} temperature
 * @param {number} [layer]  the only layer that gets it; unless given, all without one of their own get it
 * @returns {Interventions}
 */
export function withTemperature(interventions, temperature, layer) {
  const all = layer === undefined ? temperature : interventions.temperature;
  const own = interventions.layerTemperatures.filter((each) => each.layer !== layer);
  if (layer !== undefined) own.push({layer, temperature});
  const layerTemperatures = own
    .filter((each) => each.temperature !== all)
    .sort((a, b) => a.layer - b.layer);
  return {...interventions, temperature: all, layerTemperatures};
}

/**
 * @param {Interventions} interventions
 * @param {Edge} wanted  replaces an edge of the same head between the same tokens
 * @returns {Interventions}
 */
export function withEdge(interventions, wanted) {
  const place = (/** @type {Edge} */ {layer, head, query, key}) =>
    `${layer}.${head}.${query}.${key}`;
  const others = interventions.edges.filter((each) => place(each) !== place(wanted));
  return {...interventions, edges: [...others, wanted]};
}

/**
 * @param {readonly number[]} list  ascending
 * @param {number} item
 * @param {boolean} on
 */
export function withItem(list, item, on) {
  const others = list.filter((other) => other !== item);
  return on ? [...others, item].sort((a, b) => a - b) : others;
}

/**
 * Tells whether a model has the layers and heads of a change. The engine reports tokens beyond the end of a text.
 *
 * @param {Change} change
 * @param {{layers: number, heads: number}} shape
 */
export function hasPlace({kind, change}, {layers, heads}) {
  switch (kind) {
    case 'layer':
      return change < layers;
    case 'head':
    case 'edge':
      return change.layer < layers && change.head < heads;
    case 'layerTemperature':
      return change.layer < layers;
    default:
      return true;
  }
}

/**
 * Returns the interventions without changes of layers and heads that a model does not have.
 *
 * @param {Interventions} interventions
 * @param {{layers: number, heads: number}} shape
 * @returns {Interventions}
 */
export function placed(interventions, shape) {
  const extra = changesOf(interventions).find((change) => !hasPlace(change, shape));
  return extra ? placed(extra.without, shape) : interventions;
}

/**
 * Returns the interventions that a model has a place for, in the form that `model.attend` takes.
 *
 * @param {Interventions} interventions
 * @param {{layers: number, heads: number}} shape
 */
export function fit(interventions, shape) {
  const left = placed(interventions, shape);
  const {layerTemperatures, temperature, ...others} = left;
  if (!layerTemperatures.length) return {...others, temperature};
  const byLayer = Array.from({length: shape.layers}, (_, layer) => [
    layer,
    temperatureOf(left, layer),
  ]);
  return {...others, temperature: Object.fromEntries(byLayer)};
}
