import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {npz} from '../../web/engine/files/npz-writer.js';
import {buffersOf} from '../../web/engine/serve.js';
import {importFile} from '../../web/attention/file-formats.js';
import {attentionOf, plainSnapshot} from '../../web/attention/snapshot.js';
import {jsonFile, npzFile} from '../../web/export/data-files.js';
import {tries} from '../support/tries.js';

/** Sends what a worker has read to the page. @template {object} T @param {T} read @returns {T} */
const sent = (read) => structuredClone(read, {transfer: buffersOf(read)});

/** A snapshot with random weights, of which a file holds some heads. @param {{layers: number, heads: number, tokens: string[], keys: string[] | null, headDim: number, seed: number}} drawn */
function fileContent({layers, heads, tokens, keys, headDim, seed}) {
  const columns = (keys ?? tokens).length;
  const ofEach = (/** @type {(place: number) => Float32Array} */ make) =>
    Array.from({length: layers * heads}, (_, place) => make(place));
  const attention = ofEach((place) =>
    Float32Array.from({length: tokens.length * columns}, (_, i) =>
      Number(i % columns === (seed + place) % columns),
    ),
  );
  const ofKind = (/** @type {number} */ kind) =>
    ofEach((place) => new Float32Array(tokens.length * headDim).fill(kind + place));
  const vectors = keys ? undefined : {queries: ofKind(1), keys: ofKind(2), values: ofKind(3)};
  const special = tokens.map(() => false);
  const snapshot = plainSnapshot({
    ...{tokens, special, layers, heads, attention, headDim, vectors},
    ...(keys && {keyTokens: keys}),
  });
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

test('a snapshot of any file survives a structured clone', () => {
  fc.assert(
    fc.property(file, (bytes) => {
      const parts = sent(importFile(bytes));
      assert.deepEqual(parts, importFile(bytes));
      for (const {queryTokens, keyTokens, special} of Object.values(parts))
        assert.equal(queryTokens === keyTokens, special.query === special.key);
    }),
    tries(300),
  );
});

test('the matrices of a file are sent in one buffer for each array, and are not copied', () => {
  const values = new Float32Array(2 * 3 * 4).fill(0.5);
  const bytes = npz({attention: {values, shape: [2, 3, 2, 2]}, tokens: {values: ['a', 'b'], shape: [2]}}); // prettier-ignore
  const parts = importFile(bytes);
  const [buffer, ...others] = buffersOf(parts);
  assert.deepEqual(others, []);
  const {all} = sent(parts);
  assert.equal(/** @type {ArrayBuffer} */ (buffer).byteLength, 0);
  assert.ok(all);
  assert.deepEqual(attentionOf(all, 1, 2), Float32Array.of(0.5, 0.5, 0.5, 0.5));
});
