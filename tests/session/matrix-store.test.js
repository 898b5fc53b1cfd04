import assert from 'node:assert/strict';
import {test} from 'node:test';
import {plainSnapshot} from '../../web/attention/snapshot.js';
import {MatrixStore} from '../../web/session/matrix-store.js';

/** @import {MatrixRef} from '../../web/attention/snapshot.js' */

const shape = {layers: 2, heads: 2};

/** A result of one token whose matrices hold their layer and head, and what it was asked for. */
function answering() {
  /** @type {MatrixRef['kind'][]} */
  const kinds = [];
  const result = {
    tokens: ['a'],
    pull: async (/** @type {MatrixRef[]} */ refs) =>
      refs.map(({kind, layer, head}) => {
        kinds.push(kind);
        return Float32Array.of(10 * layer + head);
      }),
  };
  return {result: /** @type {any} */ (result), kinds};
}

/** @type {(kind: MatrixRef['kind'], layer: number, head: number) => MatrixRef} */
const ref = (kind, layer, head) => ({kind, layer, head});

test('matrices arrive in the lists of a snapshot, which stays plain data', async () => {
  const store = new MatrixStore(answering().result, shape);
  const snapshot = plainSnapshot({tokens: ['a'], ...store.lists()});
  await store.fetch([ref('attention', 1, 0), ref('keys', 0, 1)]);
  const {attention, vectors} = structuredClone(snapshot);
  assert.deepEqual(attention, [undefined, undefined, Float32Array.of(10), undefined]);
  assert.deepEqual(vectors?.keys, [undefined, Float32Array.of(1), undefined, undefined]);
  assert.ok(store.has([ref('attention', 1, 0), ref('keys', 0, 1)]));
  assert.ok(!store.has([ref('attention', 1, 0), ref('values', 0, 1)]));
});

test('a measure of all heads has one matrix, which every head of its layer shows', async () => {
  const {result, kinds} = answering();
  const store = new MatrixStore(result, shape);
  const rollout = [0, 1].map((head) => ({...ref('attention', 1, head), measure: /** @type {const} */ ('rollout')})); // prettier-ignore
  await store.fetch(rollout);
  assert.equal(kinds.length, 1);
  const [, , first, second] = store.lists('rollout').attention;
  assert.ok(first && first === second);
});

test('vectors that are asked for beside norms are not divided as norms are', async () => {
  const store = new MatrixStore(answering().result, shape);
  const measure = /** @type {const} */ ('norm');
  await store.fetch([
    {...ref('attention', 1, 1), measure},
    {...ref('keys', 1, 1), measure},
  ]);
  const {attention, vectors} = store.lists('norm');
  assert.deepEqual([attention[3], vectors.keys?.[3]], [Float32Array.of(1), Float32Array.of(11)]);
});

test('a part of a translation has matrices that the engine calls otherwise', async () => {
  const {result, kinds} = answering();
  const store = new MatrixStore(result, shape, {attention: 'crossAttention', queries: 'crossQueries'}); // prettier-ignore
  await store.fetch([ref('attention', 0, 0), ref('queries', 0, 0), ref('keys', 0, 0)]);
  assert.deepEqual(kinds, ['crossAttention', 'crossQueries', 'keys']);
  assert.ok(store.lists().attention[0] && store.lists().vectors.queries[0]);
});
