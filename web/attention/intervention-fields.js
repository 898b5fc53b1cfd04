import {
  noInterventions,
  temperatures,
  withEdge,
  withHead,
  withItem,
  withTemperature,
} from './interventions.js';

/** @import {Interventions} from './interventions.js' */

/**
 * Writes interventions as fields of an address: `off=2,3.1,4.0x0.5` (a layer, a head, a head at half its strength),
 * `unseen=4.5` (tokens), `edges=3.1.4.5x0.2r` (layer, head, query, key, weight; `r`: renormalised),
 * `causal=1`, `temperature=0.5,3:2` (for all layers, and for layer 3), `scores=hidden`.
 *
 * @param {Interventions} interventions
 * @returns {Record<string, string>}
 */
export function formatInterventions(interventions) {
  const {heads, layersOff, maskedTokens, edges, causal} = interventions;
  const {temperature, layerTemperatures, scoreScale} = interventions;
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
  const written = [
    ...(temperature === 1 ? [] : [String(temperature)]),
    ...layerTemperatures.map((each) => `${each.layer}:${each.temperature}`),
  ];
  if (written.length) fields.temperature = written.join(',');
  if (scoreScale !== 'head') fields.scores = scoreScale;
  return fields;
}

/**
 * Each field has a reader: `separator` stands between its items, and `read` adds the change of one item. It returns
 * null for an item that names no possible change.
 *
 * @type {Record<string, {separator: string, read: (item: string, before: Interventions) => Interventions | null}>}
 */
const readers = {
  off: {
    separator: ',',
    read(item, before) {
      const [, layer, head, scale] = /^(\d{1,3})(?:\.(\d{1,3})(?:x(.+))?)?$/.exec(item) ?? [];
      if (layer === undefined) return null;
      if (head === undefined) {
        return {...before, layersOff: withItem(before.layersOff, Number(layer), true)};
      }
      const strength = scale === undefined ? 0 : parseNumber(scale, 0, 100);
      if (strength === null) return null;
      return withHead(before, {layer: Number(layer), head: Number(head), scale: strength});
    },
  },
  unseen: {
    separator: '.',
    read: (item, before) =>
      /^\d{1,4}$/.test(item)
        ? {...before, maskedTokens: withItem(before.maskedTokens, Number(item), true)}
        : null,
  },
  edges: {
    separator: ',',
    read(item, before) {
      const place = /^(\d{1,3})\.(\d{1,3})\.(\d{1,4})\.(\d{1,4})x([\d.e-]+)(r?)$/.exec(item);
      const weight = parseNumber(place?.[5] ?? '', 0, 1);
      if (!place || weight === null) return null;
      const [layer, head, query, key] = place.slice(1, 5).map(Number);
      return withEdge(before, {layer, head, query, key, weight, renormalise: place[6] === 'r'});
    },
  },
  causal: {
    separator: ',',
    read: (item, before) => (/^[01]$/.test(item) ? {...before, causal: item === '1'} : null),
  },
  temperature: {
    separator: ',',
    read(item, before) {
      const [, layer, value] = /^(?:(\d{1,3}):)?(.+)$/.exec(item) ?? [];
      const temperature = parseNumber(value ?? '', temperatures.least, temperatures.most);
      if (temperature === null) return null;
      return withTemperature(before, temperature, layer === undefined ? layer : Number(layer));
    },
  },
  scores: {
    separator: ',',
    read: (item, before) =>
      item === 'head' || item === 'hidden' || item === 'none'
        ? {...before, scoreScale: item}
        : null,
  },
};

/**
 * Reads the interventions in the fields of an address.
 *
 * @param {URLSearchParams} fields
 * @returns {{interventions: Interventions, unread: string[]}}  `unread`: each item that cannot be read, as `off=x`
 */
export function readInterventions(fields) {
  /** @type {Interventions} */
  let interventions = {...noInterventions};
  /** @type {string[]} */
  const unread = [];
  for (const [name, {separator, read}] of Object.entries(readers)) {
    for (const item of (fields.get(name) ?? '').split(separator)) {
      if (!item) continue;
      const next = read(item, interventions);
      if (next) interventions = next;
      else unread.push(`${name}=${item}`);
    }
  }
  return {interventions, unread};
}

/** Reads interventions and ignores items that cannot be read. @param {URLSearchParams} fields */
export const parseInterventions = (fields) => readInterventions(fields).interventions;

/**
 * @param {string} value
 * @param {number} least
 * @param {number} most
 */
function parseNumber(value, least, most) {
  if (!value.trim()) return null;
  const number = Number(value);
  return number >= least && number <= most ? number : null;
}
