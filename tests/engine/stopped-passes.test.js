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
