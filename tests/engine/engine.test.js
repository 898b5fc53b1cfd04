/** Tests the engine's public side, with its worker on a thread of Node's. */

import assert from 'node:assert/strict';
import {once} from 'node:events';
import {createServer} from 'node:http';
import {after, before, test} from 'node:test';
import {BertscopeError, createEngine} from '../../web/engine/index.js';
import {badModels} from '../support/bad-models.js';
import {goldenFolder, join, loadGolden} from './support.js';
import {ThreadWorker} from './thread-worker.js';

/** @import {AddressInfo} from 'node:net' */
/** @import {Engine} from '../../web/engine/index.js' */

// The page has the origin of its scripts, which is "null" for files.
Object.assign(globalThis, {Worker: ThreadWorker, self: {origin: 'null'}});

const local = await loadGolden('odd-sizes', 'int8');
const quantized = join(local.quantizedFile());

/** @type {string[]} The paths asked for. */
const requests = [];
const server = createServer((request, response) => {
  const path = new URL(request.url ?? '', 'http://localhost').pathname;
  requests.push(path);
  if (path === '/model.safetensors') response.end(quantized);
  else if (path === '/cut.safetensors') response.end(quantized.subarray(0, 5000));
  else if (path === '/broken.safetensors') {
    // The rest, which is requested as a range, is no longer there.
    if (request.headers.range) return response.writeHead(404).end();
    response.writeHead(200, {'content-length': quantized.length});
    response.write(quantized.subarray(0, 5000), () => response.destroy());
  } else if (path === '/endless.safetensors') response.write(quantized.subarray(0, 5000));
  else response.writeHead(404).end();
});
await once(server.listen(0, 'localhost'), 'listening');
const address = `http://localhost:${/** @type {AddressInfo} */ (server.address()).port}`;

/** @type {Engine} */
let engine;
before(async () => (engine = await createEngine()));
after(() => {
  engine.dispose();
  server.closeAllConnections();
  server.close();
});

const url = `${address}/model.safetensors`;

test('a model from an address attends like one in this thread', async () => {
  assert.equal(engine.kernel, 'simd128');
  /** @type {import('../../web/engine/host/load-encoders.js').Progress[]} */
  const told = [];
  const model = await engine.load(url, {onProgress: (progress) => told.push(progress)});
  assert.equal(told.at(-1)?.loaded, quantized.length);
  assert.equal(told.at(-1)?.total, quantized.length);
  assert.equal(model.name, 'model');
  assert.deepEqual(model.shape, local.shape);
  assert.deepEqual(model.config, local.config);
  assert.deepEqual(model.notes, []);

  const result = await model.attend('time [MASK]', {pair: 'an arrow'});
  const expected = await local.attend('time [MASK]', {pair: 'an arrow'});
  assert.deepEqual(result.tokens, expected.tokens);
  assert.deepEqual(result.ids, expected.ids);
  assert.deepEqual(result.tokenTypeIds, expected.tokenTypeIds);
  assert.deepEqual(result.words, expected.words);
  assert.equal(result.truncated, 0);
  assert(result.milliseconds > 0);
  const {pass} = expected;
  assert.deepEqual(await result.attention(1, 2), await local.pull(pass, 'attention', [1, 2]));
  assert.deepEqual(await result.queries(1, 2), await local.pull(pass, 'queries', [1, 2]));
  assert.deepEqual(await result.keys(1, 2), await local.pull(pass, 'keys', [1, 2]));
  assert.deepEqual(await result.values(1, 2), await local.pull(pass, 'values', [1, 2]));
  assert.deepEqual(await result.hiddenStates(3), await local.pull(pass, 'hiddenStates', [3]));
  assert.deepEqual(await result.predictions(3), await local.predictions(pass, 3));
  assert.deepEqual(await result.headStatistics(), await local.headStatistics(pass));

  const interventions = {heads: [{layer: 1, head: 2, scale: 0}], maskedTokens: [90]};
  const changed = await model.attend('time [MASK]', {pair: 'an arrow', interventions});
  const changedHere = await local.attend('time [MASK]', {pair: 'an arrow', interventions});
  assert.deepEqual(changed.dropped, changedHere.dropped);
  assert.deepEqual(await changed.predictions(3), await local.predictions(changedHere.pass, 3));
  assert.notDeepEqual(await changed.predictions(3), await result.predictions(3));

  const here = local.predict;
  assert.deepEqual(await result.logitLens(1, 2), await here.atEveryLayer(pass, 1, 2));
  assert.deepEqual(await result.probabilities(1, [7]), await here.probabilities(pass, 1, [7]));
  assert.deepEqual(await result.surprise({topK: 1}), await local.surprise(pass, {topK: 1}));
  assert.deepEqual(
    await changed.similarity(result),
    await local.similarity(changedHere.pass, pass),
  );
  await assert.rejects(result.classes(), {code: 'no-classifier'});

  for (const [measure, layer, head] of /** @type {const} */ ([
    ['weight', 1, 2],
    ['norm', 1, 2],
    ['norm', 1],
    ['rollout', 2],
    ['flow', 2],
  ])) {
    const found = await changed.measure(measure, layer, head);
    assert.deepEqual(found, await local.measure(changedHere.pass, measure, layer, head));
  }
  const explained = await changed.explain({method: 'decompx'});
  assert.deepEqual(explained, await local.explain(changedHere.pass, 'decompx'));
  const ofText = {method: /** @type {const} */ ('norm'), pair: 'an arrow', interventions};
  const norms = await model.explain('time [MASK]', {...ofText, target: 'vector'});
  assert.deepEqual(norms, await local.explain(changedHere.pass, 'norm', 'vector'));

  const sentences = ['time flies', 'an arrow'];
  assert.deepEqual(await model.headGuide({sentences}), await local.headGuide({sentences}));

  let heads = 0;
  const onProgress = (/** @type {{done: number}} */ {done}) => (heads = done);
  const effects = await model.headEffects(result, {onProgress});
  assert.deepEqual(effects, await local.headEffects(pass, undefined));
  assert.equal(heads, local.shape.layers * local.shape.heads);
  const effectsOfText = await model.headEffects('time [MASK]', {target: {token: 2}});
  assert.equal(effectsOfText.change.length, heads);
});

for (const [what, source, code, message] of /** @type {[string, any, string, RegExp][]} */ ([
  ['a name that leaves the hub', 'hub:google/../x', 'bad-source', /found hub:google\/\.\.\/x/],
  ['a model that is not kept', 'kept:nothing', 'not-kept', /found none called kept:nothing/],
  ['an invalid address', 'http://', 'bad-source', /found http:/],
  ['an address without a model', `${address}/none`, 'not-found', /none: .*status 404/],
  ['an address without a server', 'http://localhost:1/m', 'no-answer', /no answer .*CORS/],
  ['a file that is cut off', `${address}/cut.safetensors`, 'bad-safetensors', /cut off/],
  [
    'a connection that breaks for good',
    `${address}/broken.safetensors`,
    'not-found',
    /broken after \d+ and .*status 404/,
  ],
])) {
  test(`${what} is refused with its code, across the worker`, async () => {
    await assert.rejects(engine.load(source), (error) => {
      assert(error instanceof BertscopeError);
      assert.equal(error.code, code);
      assert.match(error.message, message);
      return true;
    });
  });
}

for (const {what, files, says} of badModels(goldenFolder('odd-sizes'))) {
  test(`${what} is refused, and the engine runs the next model`, async () => {
    const placed = Object.entries(files).map(([path, bytes]) => ({
      path,
      file: new Blob([new Uint8Array(bytes)]),
    }));
    await assert.rejects(engine.load(placed), (error) => {
      assert(error instanceof BertscopeError);
      assert(error.message.includes(says), error.message);
      return true;
    });
    const model = await engine.load(url);
    const {tokens} = await model.attend('time flies');
    assert.deepEqual(tokens, ['[CLS]', 'time', 'flies', '[SEP]']);
  });
}

test('a preloaded model is downloaded once, and again for a second load', async () => {
  requests.length = 0;
  const own = await createEngine({preload: url});
  for (const downloads of [1, 2]) {
    const model = await own.load(url);
    assert.equal((await model.attend('time')).tokens.length, 3);
    assert.equal(requests.length, downloads);
  }
  own.dispose();
});

test('a preload that fails rejects the load, not the start of the engine', async () => {
  const own = await createEngine({preload: `${address}/nothing`});
  await assert.rejects(own.load(`${address}/nothing`), {code: 'not-found'});
  await own.load(url);
  own.dispose();
});

test('a load that hangs can be aborted', async () => {
  const reason = new Error('changed my mind');
  const controller = new AbortController();
  const loading = engine.load(`${address}/endless.safetensors`, {signal: controller.signal});
  setTimeout(() => controller.abort(reason), 50);
  await assert.rejects(loading, reason);
});

for (const [what, abortAt] of /** @type {[string, Record<string, any>][]} */ ([
  ['at the report of its last byte', {total: quantized.length}],
  ['at the moment that hands over the model', {result: true}],
])) {
  test(`a load aborted ${what} leaves no model in the memory`, async (t) => {
    const own = await createEngine();
    const worker = /** @type {ThreadWorker} */ (ThreadWorker.all.at(-1));
    t.after(() => own.dispose());
    (await own.load(url)).dispose();
    let controller = new AbortController();
    const dispatch = worker.dispatchEvent.bind(worker);
    worker.dispatchEvent = (event) => {
      const {data} = /** @type {MessageEvent} */ (event);
      if (abortAt.result && data.isRemote) controller.abort();
      return dispatch(event);
    };
    const onProgress = (
      /** @type {import('../../web/engine/host/load-encoders.js').Progress} */ {loaded},
    ) => {
      if (loaded === abortAt.total) controller.abort();
    };
    const before = await worker.memoryBytes();
    for (let i = 0; i < 300; i++) {
      controller = new AbortController();
      const {signal} = controller;
      await assert.rejects(own.load(url, {onProgress, signal}), {name: 'AbortError'});
    }
    assert.equal(await worker.memoryBytes(), before);
  });
}

test('a signal that is aborted after the load leaves the model usable', async () => {
  const controller = new AbortController();
  const model = await engine.load(url, {signal: controller.signal});
  controller.abort();
  assert.equal((await model.attend('a')).tokens.length, 3);
});

test('only the last of several passes that overtake each other is finished', async () => {
  const model = await engine.load(url);
  const texts = Array.from({length: 20}, (_, n) => 'a '.repeat(n + 1));
  let controller = new AbortController();
  const results = texts.map((text) => {
    controller.abort();
    controller = new AbortController();
    return model.attend(text, {signal: controller.signal});
  });
  const settled = await Promise.allSettled(results);
  assert.deepEqual(
    settled.map(({status}) => status),
    [...Array(19).fill('rejected'), 'fulfilled'],
  );
  const names = settled.slice(0, -1).map((one) => 'reason' in one && one.reason.name);
  assert.deepEqual(new Set(names), new Set(['AbortError']));
  assert.equal((await results[19]).tokens.length, 22);
});

test('a pass and all matrices of a picture are one message each way', async (t) => {
  const model = await engine.load(url);
  const sent = t.mock.method(ThreadWorker.prototype, 'postMessage');
  let answers = 0;
  const count = () => void answers++;
  for (const worker of ThreadWorker.all) worker.addEventListener('message', count);
  const {heads} = model.shape;
  const layer = (/** @type {number} */ at) =>
    Array.from({length: heads}, (_, head) => ({
      kind: /** @type {const} */ ('attention'),
      layer: at,
      head,
    }));
  const result = await model.attend('a b', {matrices: layer(1)});
  assert.equal(result.matrices.length, heads);
  assert.deepEqual([sent.mock.callCount(), answers], [1, 1]);
  const pulled = await result.pull(layer(2));
  assert.deepEqual([sent.mock.callCount(), answers], [2, 2]);
  for (const worker of ThreadWorker.all) worker.removeEventListener('message', count);
  assert.deepEqual(pulled[3], await result.attention(2, 3));
});

test('a call with an aborted signal rejects at once', async () => {
  const model = await engine.load(url);
  await assert.rejects(model.attend('a', {signal: AbortSignal.abort()}), {name: 'AbortError'});
});

test('an unknown option is refused by name', async () => {
  const model = await engine.load(url);
  const options = /** @type {any} */ ({pairs: 'x'});
  await assert.rejects(model.attend('a', options), {code: 'bad-option', message: /found pairs/});
  await assert.rejects(model.explain('a', options), {code: 'bad-option', message: /found pairs/});
  await assert.rejects(engine.load(url, options), {
    code: 'bad-option',
    message: /^load: .*found pa/,
  });
  await assert.rejects(createEngine(options), {
    code: 'bad-option',
    message: /^createEngine: .*pairs/,
  });
});

test('arguments that are no model or no text are refused with a BertscopeError', async () => {
  const model = await engine.load(url);
  const refused = (/** @type {string} */ code, /** @type {RegExp} */ message) => ({name: 'BertscopeError', code, message}); // prettier-ignore
  for (const source of /** @type {any[]} */ ([undefined, 5, {}, ['x']])) {
    await assert.rejects(engine.load(source), refused('bad-source', /expected .+, found/));
  }
  for (const run of /** @type {(() => Promise<unknown>)[]} */ ([
    () => model.attend(/** @type {any} */ (5)),
    () => model.attend('a', {pair: /** @type {any} */ (5)}),
    () => model.tokenize(/** @type {any} */ ('a')),
    () => model.tokenize(/** @type {any} */ ([5])),
    () => model.headGuide({sentences: /** @type {any} */ (5)}),
  ])) {
    await assert.rejects(run(), refused('bad-option', /expected a (text|list of \w+), found/));
  }
  const {Worker: kept} = globalThis;
  Reflect.deleteProperty(globalThis, 'Worker');
  try {
    await assert.rejects(createEngine(), refused('engine-unavailable', /Node\.js.+command line/));
  } finally {
    globalThis.Worker = kept;
  }
});

test('an index that does not exist is refused across the worker', async () => {
  const result = await (await engine.load(url)).attend('a');
  await assert.rejects(result.attention(9, 0), {name: 'BertscopeError'});
  await assert.rejects(result.attention(0, -1), {code: 'bad-index'});
});

test('a disposed model refuses calls, and another model still answers', async () => {
  const [gone, here] = await Promise.all([engine.load(url), engine.load(url)]);
  const result = await gone.attend('a');
  gone.dispose();
  await assert.rejects(gone.attend('a'), {code: 'disposed'});
  await assert.rejects(result.attention(0, 0), {code: 'disposed'});
  await here.attend('a');
});

test('a crash of the worker rejects waiting and later calls', async () => {
  const crashing = await createEngine();
  const model = await crashing.load(url);
  const waiting = crashing.load(`${address}/endless.safetensors`);
  ThreadWorker.all.at(-1)?.postMessage('crash');
  await assert.rejects(waiting, {code: 'engine-crashed', message: /a crash that was asked for/});
  await assert.rejects(model.attend('a'), {code: 'engine-crashed'});
});

test('a disposed engine rejects waiting and later calls', async () => {
  const disposed = await createEngine();
  const waiting = disposed.load(`${address}/endless.safetensors`);
  disposed.dispose();
  await assert.rejects(waiting, {code: 'disposed'});
  await assert.rejects(disposed.load(url), {code: 'disposed'});
});

test('a kernel that cannot run is refused when the engine is created', async () => {
  await assert.rejects(createEngine({kernel: 'relaxed'}), {code: 'kernel-unavailable'});
});
