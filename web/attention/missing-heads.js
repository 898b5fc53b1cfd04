import {range} from './range.js';
import {SnapshotError} from './snapshot.js';

/** @import {Matrices, PlainSnapshot} from './snapshot.js' */
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
 * @typedef {{layers: number, heads: number, at: (number | undefined)[]}} Places  `at`: where the heads that are there
 *   stand among themselves, `[layers * heads]`
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
  let count = 0;
  const at = all.map((head) => (head === null ? undefined : count++));
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
  checkHeads(of.layers, of.heads);
  return {layers, heads, of};
}

/** The largest models have a few thousand. The numbers of layers and heads in a file may claim any count. */
const mostHeads = 2 ** 14;

/** @param {number} layers @param {number} heads */
export function checkHeads(layers, heads) {
  if (layers * heads <= mostHeads) return;
  throw new SnapshotError(`At most ${mostHeads} heads can be drawn, found ${layers} × ${heads}.`);
}

/**
 * Puts the heads of a file at their places in the model.
 *
 * @param {PlainSnapshot} part
 * @param {HeadNumbers | null} numbers
 * @returns {PlainSnapshot}
 */
export function atHeadNumbers(part, numbers) {
  if (!numbers) return part;
  const {layers, heads, of} = numbers;
  const isWhole = of.layers === part.layers && of.heads === part.heads;
  if (isWhole && [layers, heads].every((list) => list.every((number, i) => number === i)))
    return part;
  const at = range(of.layers * of.heads).map((place) => {
    const row = layers.indexOf(Math.floor(place / of.heads));
    const column = heads.indexOf(place % of.heads);
    return row < 0 || column < 0 ? -1 : row * part.heads + column;
  });
  const moved = (/** @type {Matrices} */ list) => at.map((from) => list[from]);
  const {attention, vectors} = part;
  return {
    ...part,
    ...of,
    held: at.map((from) => from >= 0),
    attention: moved(attention),
    vectors:
      vectors &&
      Object.fromEntries(Object.entries(vectors).map(([kind, list]) => [kind, moved(list)])),
  };
}

/**
 * Returns the matrices of all heads; of those that a file lacks, undefined.
 *
 * @param {NumberArray} tensor  [layers, heads, rows, columns] of the heads that are there
 * @param {Places | null} places
 * @returns {Matrices}
 */
export function matricesOf({values, shape: [layers, heads, rows, columns]}, places) {
  const size = rows * columns;
  return (places?.at ?? range(layers * heads)).map((at) =>
    at === undefined ? undefined : values.subarray(at * size, (at + 1) * size),
  );
}
