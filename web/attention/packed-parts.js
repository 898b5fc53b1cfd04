import {range} from './range.js';

/** @import {SnapshotParts} from './import-attention.js' */
/** @import {Snapshot, VectorKind} from './snapshot.js' */

/**
 * Snapshots as a worker sends them: their functions are replaced by lists of matrices, one for each layer and head.
 *
 * @typedef {(Float32Array | undefined)[]} Matrices
 * @typedef {Omit<Snapshot, 'attention' | 'has' | 'vectors' | 'before'> & {
 *   attention: Matrices,
 *   held?: boolean[],
 *   vectors?: Record<VectorKind, Matrices>,
 *   before?: PackedParts,
 * }} PackedSnapshot
 * @typedef {Partial<Record<keyof SnapshotParts, PackedSnapshot>>} PackedParts
 */

/** @param {SnapshotParts} parts  the parts of a file, which have all their matrices @returns {PackedParts} */
export const packParts = (parts) => mapParts(parts, packSnapshot);

/** @param {PackedParts} packed @returns {SnapshotParts} */
export const unpackParts = (packed) => mapParts(packed, unpackSnapshot);

/**
 * Finds the buffers of all matrices, so that they can be sent without a copy. Many matrices share one buffer.
 *
 * @param {PackedParts} packed
 * @returns {ArrayBuffer[]}
 */
export const buffersOf = (packed) => [...new Set(matricesOf(packed).map(({buffer}) => buffer))];

/** @param {PackedParts} packed @returns {(Float32Array & {buffer: ArrayBuffer})[]} */
function matricesOf(packed) {
  const all = Object.values(packed).flatMap(({attention, vectors, before}) => [
    ...attention,
    ...Object.values(vectors ?? {}).flat(),
    ...matricesOf(before ?? {}),
  ]);
  return /** @type {any} */ (all.filter(Boolean));
}

/**
 * @template Part, Mapped
 * @param {Partial<Record<keyof SnapshotParts, Part>>} parts
 * @param {(part: Part) => Mapped} map
 * @returns {Partial<Record<keyof SnapshotParts, Mapped>>}
 */
const mapParts = (parts, map) =>
  Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, map(part)]));

/** @param {Snapshot} snapshot @returns {PackedSnapshot} */
function packSnapshot({attention, has, vectors, before, ...plain}) {
  const places = range(plain.layers * plain.heads).map(
    (i) => /** @type {const} */ ([Math.floor(i / plain.heads), i % plain.heads]),
  );
  const ofKind = (/** @type {VectorKind} */ kind) =>
    places.map(([layer, head]) => vectors?.(kind, layer, head));
  return {
    ...plain,
    attention: places.map(([layer, head]) => attention(layer, head)),
    ...(has && {held: places.map(([layer, head]) => has(layer, head))}),
    ...(vectors && {
      vectors: {queries: ofKind('queries'), keys: ofKind('keys'), values: ofKind('values')},
    }),
    ...(before && {before: packParts(before)}),
  };
}

/** @param {PackedSnapshot} packed @returns {Snapshot} */
function unpackSnapshot({attention, held, vectors, before, ...plain}) {
  /** @type {<T>(list: T[], layer: number, head: number) => T | undefined} */
  const at = (list, layer, head) =>
    head < plain.heads ? list[layer * plain.heads + head] : undefined;
  return {
    ...plain,
    attention: (layer, head) => at(attention, layer, head),
    ...(held && {has: (layer, head) => at(held, layer, head) ?? false}),
    ...(vectors && {vectors: (kind, layer, head) => at(vectors[kind], layer, head)}),
    ...(before && {before: unpackParts(before)}),
  };
}
