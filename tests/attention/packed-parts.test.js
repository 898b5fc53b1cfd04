import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {npz} from '../../web/engine/files/npz-writer.js';
import {importFile} from '../../web/attention/file-formats.js';
import {buffersOf, packParts, unpackParts} from '../../web/attention/packed-parts.js';
import {range} from '../../web/attention/range.js';
import {jsonFile, npzFile} from '../../web/export/data-files.js';
import {tries} from '../support/tries.js';

/** @import {SnapshotParts} from '../../web/attention/import-attention.js' */
/** @import {Snapshot} from '../../web/attention/snapshot.js' */

/** Sends what a worker reads from a file to the page. @param {Uint8Array} bytes */
function readElsewhere(bytes) {
  const packed = packParts(importFile(bytes));
  return unpackParts(structuredClone(packed, {transfer: buffersOf(packed)}));
}

/** What a view can ask of snapshots, as plain data. @param {SnapshotParts} parts @returns {unknown} */
const contentOf = (parts) =>
  Object.entries(parts).map(([name, snapshot]) => {
    const {attention, vectors, has, before, ...plain} = snapshot;
    const {layers, heads, queryTokens, keyTokens, special} = snapshot;
    const places = range(layers + 1).flatMap((layer) => range(heads + 1).map((head) => ({layer, head}))); // prettier-ignore
    const held = places.filter(({layer, head}) => layer < layers && head < heads);
    return {
      ...{name, plain},
      isSelf: [queryTokens === keyTokens, special.query === special.key],
      has: has && held.map(({layer, head}) => has(layer, head)),
      matrices: places.map(({layer, head}) => attention(layer, head)),
      vectors: vectors && held.map(({layer, head}) => (/** @type {const} */ (['queries', 'keys', 'values'])).map((kind) => vectors(kind, layer, head))), // prettier-ignore
      before: before && contentOf(before),
    };
  });

/** A snapshot with random weights, of which a file holds some heads. @param {{layers: number, heads: number, tokens: string[], keys: string[] | null, headDim: number, seed: number}} drawn */
function fileContent({layers, heads, tokens, keys, headDim, seed}) {
  const columns = (keys ?? tokens).length;
  /** @param {number} layer @param {number} head */
  const attention = (layer, head) =>
    Float32Array.from({length: tokens.length * columns}, (_, i) =>
      Number(i % columns === (seed + layer + head) % columns),
    );
  /** @type {Snapshot} */
  const snapshot = {
    ...{queryTokens: tokens, keyTokens: keys ?? tokens, layers, heads, attention, sentenceB: null},
    special: {query: tokens.map(() => false), key: (keys ?? tokens).map(() => false)},
    headDim,
    vectors: keys ? undefined : (kind, layer, head) => new Float32Array(tokens.length * headDim).fill(kind.length + layer + head), // prettier-ignore
  };
  return {snapshot, text: 'x', model: 'm'};
}

const small = fc.integer({min: 1, max: 3});
const names = fc.array(fc.string({maxLength: 4}), {minLength: 1, maxLength: 4});
const content = fc
  .record({
    layers: small,
    heads: small,
    tokens: names,
    keys: fc.option(names),
    headDim: small,
    seed: fc.nat(9),
  }) // prettier-ignore
  .map(fileContent);
const file = fc
  .record({
    after: content,
    before: fc.option(content),
    layer: fc.option(fc.constant(0)),
    isNpz: fc.boolean(),
  })
  .map(({after, before, layer, isNpz}) => {
    const extent = {vectors: true, ...(layer === null ? {} : {layers: [layer]})};
    const difference = {...after, extent};
    const saved = {...after, extent, ...(before && {before: {...before, extent}, difference})};
    return isNpz ? npzFile(saved) : new TextEncoder().encode(jsonFile(saved));
  });

test('a file that a worker has read and sent is the same as one that the page reads', () => {
  fc.assert(
    fc.property(file, (bytes) => {
      assert.deepEqual(contentOf(readElsewhere(bytes)), contentOf(importFile(bytes)));
    }),
    tries(300),
  );
});

test('the matrices of a file are sent in one buffer for each array, and are not copied', () => {
  const values = new Float32Array(2 * 3 * 4).fill(0.5);
  const bytes = npz({attention: {values, shape: [2, 3, 2, 2]}, tokens: {values: ['a', 'b'], shape: [2]}}); // prettier-ignore
  const packed = packParts(importFile(bytes));
  const [buffer, ...others] = buffersOf(packed);
  assert.deepEqual(others, []);
  const {all} = unpackParts(structuredClone(packed, {transfer: [buffer]}));
  assert.equal(buffer.byteLength, 0);
  assert.deepEqual(all?.attention(1, 2), Float32Array.of(0.5, 0.5, 0.5, 0.5));
});
