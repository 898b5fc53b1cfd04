/** Tests engines of several workers, with the workers on threads of Node's. */

import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {once} from 'node:events';
import {createServer} from 'node:http';
import {after, test} from 'node:test';
import {createEngine} from '../../web/engine/index.js';
import {eventually} from '../support/eventually.js';
import {fromRoot} from './support.js';
import {ThreadWorker} from './thread-worker.js';

/** @import {AddressInfo} from 'node:net' */
/** @import {Model, Result} from '../../web/engine/index.js' */

// The page has the origin of its scripts, which is "null" for files.
Object.assign(globalThis, {Worker: ThreadWorker, self: {origin: 'null'}});

const file = await readFile(fromRoot('web/models/default/bertscope-default.safetensors'));
const server = createServer((_, response) => void response.end(file));
await once(server.listen(0, 'localhost'), 'listening');
after(() => server.close());
const url = `http://localhost:${/** @type {AddressInfo} */ (server.address()).port}/m.safetensors`;

const longText = 'time flies like an arrow , and fruit flies like a banana . '.repeat(12);
let texts = 0;

/** @param {Model} model @param {number} threads @returns {Promise<Result>} */
const runBy = (model, threads) =>
  eventually(`${threads} workers`, async () => {
    const result = await model.attend(`${texts++} ${longText}`);
    assert.equal(result.threads, threads);
    return result;
  });

/** @param {Model} model @param {Result} found */
async function hasNumbersOf(model, found) {
  const expected = await model.attend(found.text);
  assert.equal(expected.threads, 1);
  const {layers} = model.shape;
  for (let layer = 0; layer < layers; layer++) {
    assert.deepEqual(await found.layerAttention(layer), await expected.layerAttention(layer));
    assert.deepEqual(await found.hiddenStates(layer + 1), await expected.hiddenStates(layer + 1));
  }
}

test('two workers give the numbers of one, and one goes on when the other dies', async (t) => {
  const [one, two] = [await createEngine(), await createEngine({threads: 2})];
  t.after(() => [one, two].forEach((engine) => engine.dispose()));
  const helper = /** @type {ThreadWorker} */ (ThreadWorker.all.at(-1));
  const [expected, model] = [await one.load(url), await two.load(url)];
  const result = await runBy(model, 2);
  assert(result.tokens.length > 128);
  await hasNumbersOf(expected, result);
  assert.equal((await model.attend('time flies')).threads, 1);

  const running = Array.from({length: 5}, (_, i) => model.attend(`${i} ${longText}`));
  helper.postMessage('crash');
  for (const found of await Promise.all(running)) await hasNumbersOf(expected, found);
  await hasNumbersOf(expected, await runBy(model, 1));
  assert.equal(two.hasEnded, false);
});

test('a helper whose wasm has trapped is ended, and the others go on', async (t) => {
  const engine = await createEngine({threads: 2});
  t.after(() => engine.dispose());
  const helper = /** @type {ThreadWorker} */ (ThreadWorker.all.at(-1));
  const model = await engine.load(url);
  const found = await runBy(model, 2);
  helper.postMessage('trap');
  await runBy(model, 1);
  await helper.ended;
  await hasNumbersOf(model, found);
  assert.equal(engine.hasEnded, false);
});

test('an engine ends its helpers with itself', async () => {
  const engine = await createEngine({threads: 3});
  const workers = ThreadWorker.all.slice(-3);
  const ended = Promise.all(workers.map((worker) => worker.ended));
  engine.dispose();
  await ended;
});

for (const threads of /** @type {any[]} */ ([0, -1, 1.5, NaN, Infinity, '2', null])) {
  test(`threads: ${JSON.stringify(threads)} is refused`, async () => {
    const started = ThreadWorker.all.length;
    await assert.rejects(createEngine({threads}), {
      name: 'BertscopeError',
      code: 'bad-option',
      message: /^createEngine: expected a whole number from 1 to 64 as threads, found/,
    });
    assert.equal(ThreadWorker.all.length, started);
  });
}
