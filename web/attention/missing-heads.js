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
 * Replaces each missing (null) head by another head, so that the lists have one shape. `withGaps` hides them again.
 *
 * @param {unknown} lists  [layer][head]
 * @returns {{lists: unknown, gaps: Set<string>}}  `gaps`: the missing heads, as `layer.head`
 */
export function withoutGaps(lists) {
  /** @type {Set<string>} */
  const gaps = new Set();
  const layers = Array.isArray(lists) && lists.every(Array.isArray) ? lists : [];
  const present = layers.flat().find((head) => Array.isArray(head));
  if (!present || !layers.flat().includes(null)) return {lists, gaps};
  const whole = layers.map((heads, layer) =>
    heads.map((/** @type {unknown} */ matrix, /** @type {number} */ head) => {
      if (matrix !== null) return matrix;
      gaps.add(`${layer}.${head}`);
      return present;
    }),
  );
  return {lists: whole, gaps};
}

/** @param {Snapshot} whole @param {Set<string>} gaps @returns {Snapshot} */
export function withGaps(whole, gaps) {
  if (!gaps.size) return whole;
  return moved(whole, whole, (layer, head) =>
    gaps.has(`${layer}.${head}`) ? null : [layer, head],
  );
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
