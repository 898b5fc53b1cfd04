/** Tests explanations, patching and comparing of texts across the worker, which is on a thread of Node's. */

import assert from 'node:assert/strict';
import {after, test} from 'node:test';
import {createEngine} from '../../web/engine/index.js';
import {join, loadGolden} from './support.js';
import {ThreadWorker} from './thread-worker.js';

Object.assign(globalThis, {Worker: ThreadWorker, self: {origin: 'null'}});

const local = await loadGolden('odd-sizes', 'int8');
const files = [{path: 'model.safetensors', file: new Blob([join(local.quantizedFile())])}];
const engine = await createEngine();
after(() => engine.dispose());
const model = await engine.load(files);

test('texts are patched and compared, and explanations tested, like in this thread', async () => {
  const [text, other] = ['time [MASK] like', 'fruit [MASK] like'];
  const [a, b] = [await local.attend(text), await local.attend(other)];
  let patches = 0;
  const onProgress = (/** @type {{done: number}} */ {done}) => (patches = done);
  const patched = await model.patch(text, other, {what: 'heads', onProgress});
  const {tokens, from, ...map} = patched;
  assert.deepEqual(map, await local.patch(a.pass, b.pass, {what: 'heads'}));
  assert.deepEqual([tokens, from], [a.tokens, b.tokens]);
  assert.equal(patches, map.map.length);
  const result = await model.attend(other);
  const target = /** @type {const} */ ('vector');
  const {map: ofVector} = await model.patch(text, result, {target});
  assert.deepEqual(ofVector, (await local.patch(a.pass, b.pass, {target})).map);

  const {tokens: both, ...similarity} = await model.sentenceSimilarity(result, text);
  assert.deepEqual(similarity, await local.sentenceSimilarity(b.pass, a.pass));
  assert.deepEqual(both, [b.tokens, a.tokens]);

  const {contributions} = await result.explain({method: 'gradient'});
  const curve = await result.deletionCurve(contributions, {seed: 2});
  assert.deepEqual(curve, await local.deletionCurve(b.pass, contributions, {seed: 2}));
  for (const call of /** @type {((options: any) => Promise<unknown>)[]} */ ([
    (options) => model.patch(text, other, options),
    (options) => model.sentenceSimilarity(text, other, options),
    (options) => result.deletionCurve(contributions, options),
  ])) {
    await assert.rejects(call({pairs: 1}), {code: 'bad-option', message: /found pairs/});
  }
});

test('a result of another model, or something that is no result, is refused', async () => {
  const other = await (await engine.load(files)).attend('time [MASK]');
  const own = await model.attend('time [MASK]');
  const any = (/** @type {any} */ value) => value;
  for (const [call, message] of /** @type {[() => Promise<unknown>, RegExp][]} */ ([
    [() => model.patch(own, other), /a result of it, found one of another model/],
    [() => model.headEffects(other), /found one of another model/],
    [() => own.similarity(other), /found one of another model/],
    [() => model.patch(own, any(null)), /found null/],
    [() => model.sentenceSimilarity('a', any(undefined)), /found nothing/],
    [() => model.sentenceSimilarity(any(5), 'a'), /found 5/],
  ])) {
    await assert.rejects(call(), {name: 'BertscopeError', code: 'bad-option', message});
  }
});
