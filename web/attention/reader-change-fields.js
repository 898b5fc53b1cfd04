import {
  noReaderChanges,
  temperatures,
  withEdges,
  withHeads,
  withItems,
  withTemperature,
} from './reader-changes.js';

/** @import {ModelPart} from '../engine/interventions.js' */
/** @import {ReaderChanges} from './reader-changes.js' */

/** The items of a field that are read. No model has more heads, and no reader of a link sees so many changes. */
const mostItems = 2 ** 14;

/**
 * Writes changes as fields of an address: `off=2,3.1,4.0x0.5` (a layer, a head, a head at half its strength),
 * `off=cross:3.1` (the part of an encoder-decoder, if it is not the encoder; also for edges), `unseen=4.5` (tokens),
 * `edges=3.1.4.5x0.2r` (layer, head, query, key, weight; `r`: renormalised), `causal=1`, `temperature=0.5,3:2` (for
 * all layers, and for layer 3), `scores=hidden`.
 *
 * @param {ReaderChanges} changes
 * @returns {Record<string, string>}
 */
export function formatChanges(changes) {
  const {heads, layersOff, maskedTokens, edges, causal} = changes;
  const {temperature, layerTemperatures, scoreScale} = changes;
  /** @type {Record<string, string>} */
  const fields = {};
  const off = [
    ...layersOff.map(String),
    ...heads.map(
      ({layer, head, scale, part}) =>
        `${prefixOf(part)}${layer}.${head}${scale === 0 ? '' : `x${scale}`}`,
    ),
  ];
  if (off.length) fields.off = off.join(',');
  if (maskedTokens.length) fields.unseen = maskedTokens.join('.');
  if (edges.length) {
    fields.edges = edges
      .map(({layer, head, query, key, weight, renormalise, part}) => {
        const place = [layer, head, query, key].join('.');
        return `${prefixOf(part)}${place}x${weight}${renormalise ? 'r' : ''}`;
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
 * Each field has a reader: `separator` stands between its items, `read` reads an item, or returns null if it names no
 * possible change, and `add` makes the changes of all items.
 *
 * @type {Record<string, {separator: string, read: (item: string) => any, add: (before: ReaderChanges, items: any[]) => ReaderChanges}>}
 */
const readers = {
  off: {
    separator: ',',
    read(item) {
      const [, part, layer, head, scale] =
        /^(?:(decoder|cross):(?=\d+\.))?(\d{1,3})(?:\.(\d{1,3})(?:x(.+))?)?$/.exec(item) ?? [];
      if (layer === undefined) return null;
      if (head === undefined) return {layer: Number(layer)};
      const strength = scale === undefined ? 0 : parseNumber(scale, 0, 100);
      if (strength === null) return null;
      return {layer: Number(layer), head: Number(head), scale: strength, ...partOf(part)};
    },
    add(before, items) {
      const heads = items.filter(({head}) => head !== undefined);
      const layers = items.filter(({head}) => head === undefined).map(({layer}) => layer);
      return withHeads({...before, layersOff: withItems(before.layersOff, layers)}, heads);
    },
  },
  unseen: {
    separator: '.',
    read: (item) => (/^\d{1,4}$/.test(item) ? Number(item) : null),
    add: (before, items) => ({...before, maskedTokens: withItems(before.maskedTokens, items)}),
  },
  edges: {
    separator: ',',
    read(item) {
      const place =
        /^(?:(decoder|cross):)?(\d{1,3})\.(\d{1,3})\.(\d{1,4})\.(\d{1,4})x([\d.e-]+)(r?)$/.exec(
          item,
        );
      const weight = parseNumber(place?.[6] ?? '', 0, 1);
      if (!place || weight === null) return null;
      const [layer, head, query, key] = place.slice(2, 6).map(Number);
      const renormalise = place[7] === 'r';
      return {layer, head, query, key, weight, renormalise, ...partOf(place[1])};
    },
    add: withEdges,
  },
  causal: {
    separator: ',',
    read: (item) => (/^[01]$/.test(item) ? item === '1' : null),
    add: (before, items) => ({...before, causal: items.at(-1)}),
  },
  temperature: {
    separator: ',',
    read(item) {
      const [, layer, value] = /^(?:(\d{1,3}):)?(.+)$/.exec(item) ?? [];
      const temperature = parseNumber(value ?? '', temperatures.least, temperatures.most);
      return temperature && {temperature, layer: layer === undefined ? layer : Number(layer)};
    },
    add: (before, items) =>
      items.reduce((all, {temperature, layer}) => withTemperature(all, temperature, layer), before),
  },
  scores: {
    separator: ',',
    read: (item) => (['head', 'hidden', 'none'].includes(item) ? item : null),
    add: (before, items) => ({...before, scoreScale: items.at(-1)}),
  },
};

/**
 * Reads the changes in the fields of an address.
 *
 * @param {URLSearchParams} fields
 * @returns {{changes: ReaderChanges, unread: string[]}}  `unread`: each item that cannot be read, as `off=x`
 */
export function readChanges(fields) {
  /** @type {ReaderChanges} */
  let changes = {...noReaderChanges};
  /** @type {string[]} */
  const unread = [];
  for (const [name, {separator, read, add}] of Object.entries(readers)) {
    const items = (fields.get(name) ?? '').split(separator).filter(Boolean);
    const rest = items.splice(mostItems).join(separator);
    const known = items.map(read);
    const found = known.filter((change) => change !== null);
    if (found.length) changes = add(changes, found);
    unread.push(
      ...items.filter((_, at) => known[at] === null).map((item) => `${name}=${item}`),
      ...(rest ? [`${name}=${rest}`] : []),
    );
  }
  return {changes, unread};
}

/** Reads changes and ignores items that cannot be read. @param {URLSearchParams} fields */
export const parseChanges = (fields) => readChanges(fields).changes;

/** @param {ModelPart} [part] */
const prefixOf = (part = 'encoder') => (part === 'encoder' ? '' : `${part}:`);

/** @param {string} [written] @returns {{part?: ModelPart}} */
const partOf = (written) => (written ? {part: /** @type {ModelPart} */ (written)} : {});

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
