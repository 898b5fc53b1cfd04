/** @import {Edge, HeadScale, Interventions as EngineInterventions, ScoreScale} from '../../engine/interventions.js' */

/**
 * What the reader changed in the model, in the form that `model.attend` takes: everything is said,
 * and one temperature holds in all layers. Nothing here is changed in place.
 *
 * @typedef {Required<Omit<EngineInterventions, 'temperature'>> & {temperature: number}} Interventions
 */

/** @type {Readonly<Interventions>} */
export const noInterventions = Object.freeze({
  heads: [],
  layersOff: [],
  maskedTokens: [],
  edges: [],
  causal: false,
  temperature: 1,
  scoreScale: 'head',
});

/** The strongest and the weakest temperature that the page offers. */
export const temperatures = Object.freeze({least: 0.1, most: 5});

/** @param {Interventions} interventions */
export function isUntouched(interventions) {
  return changesOf(interventions).length === 0;
}

/**
 * One change, and what is left when it is taken back.
 *
 * @typedef {{kind: 'head', change: HeadScale, without: Interventions}
 *   | {kind: 'layer', change: number, without: Interventions}
 *   | {kind: 'token', change: number, without: Interventions}
 *   | {kind: 'edge', change: Edge, without: Interventions}
 *   | {kind: 'causal', change: true, without: Interventions}
 *   | {kind: 'temperature', change: number, without: Interventions}
 *   | {kind: 'scoreScale', change: ScoreScale, without: Interventions}} Change
 */

/**
 * Every change, one by one.
 *
 * @param {Interventions} interventions
 * @returns {Change[]}
 */
export function changesOf(interventions) {
  const {heads, layersOff, maskedTokens, edges, causal, temperature, scoreScale} = interventions;
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
    const without = {...interventions, temperature: 1};
    changes.push({kind: 'temperature', change: temperature, without});
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
 * @returns {number}  1: as the model has it
 */
export function scaleOf({heads}, layer, head) {
  return heads.find((each) => each.layer === layer && each.head === head)?.scale ?? 1;
}

/**
 * Whether nothing of a head's output reaches the layers above, by itself or with its whole layer.
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
 * @param {HeadScale} wanted  a scale of 1 takes the change back
 * @returns {Interventions}
 */
export function withHead(interventions, wanted) {
  const {layer, head, scale} = wanted;
  const others = interventions.heads.filter((each) => each.layer !== layer || each.head !== head);
  const heads = scale === 1 ? others : [...others, wanted];
  heads.sort((a, b) => a.layer - b.layer || a.head - b.head);
  return {...interventions, heads};
}

/**
 * @param {Interventions} interventions
 * @param {Edge} wanted  in place of one between the same tokens
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
 * What a model has a place for; of tokens beyond a text's end the engine tells.
 *
 * @param {Interventions} interventions
 * @param {{layers: number, heads: number}} shape
 * @returns {Interventions}
 */
export function fit(interventions, {layers, heads}) {
  const hasHead = (/** @type {{layer: number, head: number}} */ {layer, head}) =>
    layer < layers && head < heads;
  return {
    ...interventions,
    heads: interventions.heads.filter(hasHead),
    layersOff: interventions.layersOff.filter((layer) => layer < layers),
    edges: interventions.edges.filter(hasHead),
  };
}

/**
 * As fields of an address: `off=2,3.1,4.0x0.5` (a layer, a head, a head at half its strength),
 * `unseen=4.5` (tokens), `edges=3.1.4.5x0.2r` (layer, head, query, key, weight; `r`: renormalised),
 * `causal=1`, `temperature=0.5`, `scores=hidden`.
 *
 * @param {Interventions} interventions
 * @returns {Record<string, string>}
 */
export function formatInterventions(interventions) {
  const {heads, layersOff, maskedTokens, edges, causal, temperature, scoreScale} = interventions;
  /** @type {Record<string, string>} */
  const fields = {};
  const off = [
    ...layersOff.map(String),
    ...heads.map(({layer, head, scale}) => `${layer}.${head}${scale === 0 ? '' : `x${scale}`}`),
  ];
  if (off.length) fields.off = off.join(',');
  if (maskedTokens.length) fields.unseen = maskedTokens.join('.');
  if (edges.length) {
    fields.edges = edges
      .map(({layer, head, query, key, weight, renormalise}) => {
        const place = [layer, head, query, key].join('.');
        return `${place}x${weight}${renormalise ? 'r' : ''}`;
      })
      .join(',');
  }
  if (causal) fields.causal = '1';
  if (temperature !== 1) fields.temperature = String(temperature);
  if (scoreScale !== 'head') fields.scores = scoreScale;
  return fields;
}

/**
 * Reads what it can; the rest is left out.
 *
 * @param {URLSearchParams} fields
 * @returns {Interventions}
 */
export function parseInterventions(fields) {
  const list = (/** @type {string} */ name) => (fields.get(name) ?? '').split(',');
  /** @type {Interventions} */
  let interventions = {...noInterventions};
  for (const item of list('off')) {
    const [, layer, head, scale] = /^(\d{1,3})(?:\.(\d{1,3})(?:x(.+))?)?$/.exec(item) ?? [];
    if (head !== undefined) {
      const strength = scale === undefined ? 0 : parseNumber(scale, 0, 100);
      if (strength === null) continue;
      const wanted = {layer: Number(layer), head: Number(head), scale: strength};
      interventions = withHead(interventions, wanted);
    } else if (layer !== undefined) {
      const layersOff = withItem(interventions.layersOff, Number(layer), true);
      interventions = {...interventions, layersOff};
    }
  }
  for (const item of (fields.get('unseen') ?? '').split('.')) {
    if (!/^\d{1,4}$/.test(item)) continue;
    const maskedTokens = withItem(interventions.maskedTokens, Number(item), true);
    interventions = {...interventions, maskedTokens};
  }
  for (const item of list('edges')) {
    const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,4})\.(\d{1,4})x([\d.e-]+)(r?)$/.exec(item);
    const weight = parseNumber(parts?.[5] ?? null, 0, 1);
    if (!parts || weight === null) continue;
    const [layer, head, query, key] = parts.slice(1, 5).map(Number);
    const renormalise = parts[6] === 'r';
    interventions = withEdge(interventions, {layer, head, query, key, weight, renormalise});
  }
  const scores = fields.get('scores');
  return {
    ...interventions,
    causal: fields.get('causal') === '1',
    temperature: parseNumber(fields.get('temperature'), temperatures.least, temperatures.most) ?? 1,
    scoreScale: scores === 'hidden' || scores === 'none' ? scores : 'head',
  };
}

/**
 * @param {string | null} value
 * @param {number} least
 * @param {number} most
 */
function parseNumber(value, least, most) {
  if (!value?.trim()) return null;
  const number = Number(value);
  return number >= least && number <= most ? number : null;
}
