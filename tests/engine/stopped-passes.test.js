/** Tests passes that the worker has run only as far as a picture needs, with the worker on a thread of Node's. */

import assert from 'node:assert/strict';
import {once} from 'node:events';
import {createServer} from 'node:http';
import {after, test} from 'node:test';
import {createEngine} from '../../web/engine/index.js';
import {join, loadGolden} from './support.js';
import {ThreadWorker} from './thread-worker.js';

/** @import {AddressInfo} from 'node:net' */

// The page has the origin of its scripts, which is "null" for files.
Object.assign(globalThis, {Worker: ThreadWorker, self: {origin: 'null'}});

const local = await loadGolden('odd-sizes', 'int8');
const quantized = join(local.quantizedFile());
const server = createServer((_, response) => void response.end(quantized));
await once(server.listen(0, 'localhost'), 'listening');
const {port} = /** @type {AddressInfo} */ (server.address());
const engine = await createEngine();
after(() => {
  engine.dispose();
  server.close();
});
const model = await engine.load(`http://localhost:${port}/model.safetensors`);

const firstHead = {kind: /** @type {const} */ ('attention'), layer: 0, head: 0};
const someValues = {kind: /** @type {const} */ ('values'), layer: 1, head: 0};

test('a result whose pass has stopped for a picture answers everything else', async () => {
  const {pass} = await local.attend('time [MASK]', {pair: 'an arrow'});
  const stopped = async () => {
    await model.attend('a b');
    return model.attend('time [MASK]', {pair: 'an arrow', matrices: [firstHead]});
  };
  const result = await stopped();
  assert.deepEqual(result.matrices, [await local.pull(pass, 'attention', [0, 0])]);
  // All at once, and not in the order of the layers.
  const answers = await Promise.all([
    result.predictions(3),
    result.attention(1, 2),
    result.headStatistics(),
    result.values(2, 0),
    result.hiddenStates(1),
  ]);
  assert.deepEqual(answers, [
    await local.predictions(pass, 3),
    await local.pull(pass, 'attention', [1, 2]),
    await local.headStatistics(pass),
    await local.pull(pass, 'values', [2, 0]),
    await local.pull(pass, 'hiddenStates', [1]),
  ]);
  const explained = await (await stopped()).explain({method: 'decompx'});
  assert.deepEqual(explained, await local.explain(pass, 'decompx'));
  const states = await (await stopped()).similarity(result);
  assert.deepEqual(states, await local.similarity(pass, pass));
});

test('passes that have stopped are right whatever overtakes the rest of them', async () => {
  const texts = Array.from({length: 12}, (_, n) => `time flies ${'a '.repeat(n)}`);
  let controller = new AbortController();
  const asked = texts.map(async (text, n) => {
    controller.abort();
    controller = new AbortController();
    const {signal} = n % 3 === 0 ? new AbortController() : controller;
    const result = await model.attend(text, {signal, matrices: [firstHead]});
    const pulled = result.pull([someValues], {signal}).catch(() => null);
    const rest = await Promise.all([result.hiddenStates(3), result.attention(2, 1), pulled]);
    return /** @type {const} */ ([result.matrices, ...rest]);
  });
  const settled = await Promise.allSettled(asked);
  for (const [n, each] of settled.entries()) {
    if (each.status === 'rejected') {
      assert.equal(each.reason.name, 'AbortError');
      assert.notEqual(n % 3, 0);
      continue;
    }
    const {pass} = await local.attend(texts[n]);
    const [first, last, high, values] = each.value;
    assert.deepEqual(first, await local.matrices(pass, [firstHead]));
    assert.deepEqual(last, await local.pull(pass, 'hiddenStates', [3]));
    assert.deepEqual(high, await local.pull(pass, 'attention', [2, 1]));
    if (values) assert.deepEqual(values, await local.matrices(pass, [someValues]));
  }
  assert.equal(settled.at(-1)?.status, 'fulfilled');
});

test('a search and a survey that are aborted end, leave the pass right, and give what they give on this thread', async () => {
  const {pass, tokens} = await local.attend('time flies like an arrow');
  const kinds = Uint8Array.from({length: tokens.length ** 2}, (_, at) => at % 7);
  const words = new Uint8Array(tokens.length).fill(1);
  const token = /** @type {const} */ ({side: 'key', index: 2});
  const result = await model.attend('time flies like an arrow', {matrices: [firstHead]});
  const asks = [
    (/** @type {AbortSignal} */ signal) => result.strongestLinks(kinds, {signal}),
    (/** @type {AbortSignal} */ signal) => result.tokenLinks(token, words, {signal}),
    (/** @type {AbortSignal} */ signal) => result.headStatistics({signal}),
  ];
  for (const ask of asks) {
    const controller = new AbortController();
    const asked = ask(controller.signal);
    controller.abort();
    await assert.rejects(asked, {name: 'AbortError'});
  }
  const {signal} = new AbortController();
  assert.deepEqual(await Promise.all(asks.map((ask) => ask(signal))), [
    await local.strongestLinks(pass, kinds),
    await local.tokenLinks(pass, token, words),
    await local.headStatistics(pass),
  ]);
});

test('a search refuses kinds, words and tokens that do not fit the text', async () => {
  const result = await model.attend('time flies');
  const size = result.tokens.length;
  const words = new Uint8Array(size);
  const token = (/** @type {any} */ side, /** @type {any} */ index) => ({side, index});
  const refused = {code: 'bad-option'};
  await assert.rejects(result.strongestLinks(new Uint8Array(size)), refused);
  await assert.rejects(result.tokenLinks(token('query', 0), new Uint8Array(size + 1)), refused);
  for (const wrong of [token('query', size), token('key', -1), token('key', 0.5), token('row', 0)])
    await assert.rejects(result.tokenLinks(wrong, words), refused);
});
