import {SnapshotError} from './snapshot.js';

/** @import {Snapshot} from './snapshot.js' */
/** @import {NumberArray} from './numbers-of-lists.js' */

/**
 * A file may hold only some of a model's heads. In nested lists, the others are null. NumPy's arrays hold only the
 * heads that are there, and further arrays have the numbers of their layers and heads.
 *
 * @typedef {object} HeadNumbers
 * @property {number[]} layers  the numbers of the layers in the model, in the order of the arrays
 * @property {number[]} heads  the same for heads
 * @property {{layers: number, heads: number}} of  how many layers and heads the model has
 */

/**
 * Takes the heads that are there out of lists in which others are null.
 *
 * @typedef {{layers: number, heads: number, at: Map<string, number>}} Places  `at`: the number of each head that is
 *   there, by `layer.head`
 *
 * @param {unknown} lists  [layer][head]
 * @returns {{lists: unknown, places: Places | null}}  one layer of the heads that are there; or the lists as they are,
 *   if no head is null
 */
export function presentHeads(lists) {
  const layers = Array.isArray(lists) && lists.every(Array.isArray) ? lists : [];
  const heads = layers[0]?.length;
  const all = layers.flat();
  const present = all.filter((head) => head !== null);
  const isMatrix = Array.isArray(present[0]?.[0]) && !Array.isArray(present[0][0][0]);
  const isWhole = present.length === all.length;
  if (isWhole || !isMatrix || layers.some(({length}) => length !== heads)) {
    return {lists, places: null};
  }
  const at = new Map();
  for (const [index, head] of all.entries()) {
    if (head !== null) at.set(`${Math.floor(index / heads)}.${index % heads}`, at.size);
  }
  return {lists: [present], places: {layers: layers.length, heads, at}};
}

/**
 * @param {Record<string, unknown>} fields  the fields of a file: `layers` and `heads` list numbers,
 *   `model_shape` says how many of each the model has
 * @param {{layers: number, heads: number}} found  how many the file holds
 * @returns {HeadNumbers | null}  null where the file does not say
 */
export function headNumbersOf(fields, found) {
  const [layers, heads, shape] = ['layers', 'heads', 'model_shape'].map((name) => {
    const array = /** @type {Partial<NumberArray>} */ (fields[name] ?? {});
    return array.shape?.length === 1 && array.values ? Array.from(array.values) : null;
  });
  if (!layers || !heads) return null;
  const of = {
    layers: shape?.[0] ?? 1 + Math.max(...layers),
    heads: shape?.[1] ?? 1 + Math.max(...heads),
  };
  for (const [name, numbers] of /** @type {const} */ ([
    ['layers', layers],
    ['heads', heads],
  ])) {
    const isKnown = numbers.every(
      (number) => Number.isInteger(number) && number >= 0 && number < of[name],
    );
    if (numbers.length === found[name] && new Set(numbers).size === numbers.length && isKnown)
      continue;
    throw new SnapshotError(
      `“${name}” should number the ${found[name]} ${name} of the attention, each below ${of[name]}; found ${numbers.join(', ')}.`,
    );
  }
  return {layers, heads, of};
}

/** @param {Snapshot} part @param {HeadNumbers | null} places @returns {Snapshot} */
export function atHeadNumbers(part, places) {
  if (!places) return part;
  const {layers, heads, of} = places;
  const isWhole = of.layers === part.layers && of.heads === part.heads;
  if (isWhole && [layers, heads].every((list) => list.every((number, i) => number === i)))
    return part;
  return moved(part, of, (layer, head) => {
    const [row, column] = [layers.indexOf(layer), heads.indexOf(head)];
    return row < 0 || column < 0 ? null : [row, column];
  });
}

/**
 * Gives each head of a snapshot another place.
 *
 * @param {Snapshot} part
 * @param {{layers: number, heads: number}} shape
 * @param {(layer: number, head: number) => [number, number] | null} placeOf  where the part holds a head; null: nowhere
 * @returns {Snapshot}
 */
function moved({attention, vectors, ...rest}, {layers, heads}, placeOf) {
  return {
    ...rest,
    layers,
    heads,
    has: (layer, head) => placeOf(layer, head) !== null,
    attention(layer, head) {
      const place = placeOf(layer, head);
      return place ? attention(...place) : undefined;
    },
    vectors:
      vectors &&
      ((kind, layer, head) => {
        const place = placeOf(layer, head);
        return place ? vectors(kind, ...place) : undefined;
      }),
  };
}
