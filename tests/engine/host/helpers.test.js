/** Compares passes whose rows several workers share with those of one, number by number. */

import assert from 'node:assert/strict';
import {after, test} from 'node:test';
import {createRuntime} from '../../../scripts/cli/engine.mjs';
import {openModel} from '../../../scripts/cli/source.mjs';
import {Bridge} from '../../../web/engine/bridge.js';
import {serve} from '../../../web/engine/serve.js';
import {BertscopeError} from '../../../web/engine/errors.js';
import {nextTask} from '../../../web/engine/event-loop.js';
import {Helper, HelpingModel} from '../../../web/engine/host/helper.js';
import {Helpers} from '../../../web/engine/host/helpers.js';
import {NO_CHANGES} from '../../../web/engine/interventions.js';
import {eventually} from '../../support/eventually.js';
import {goldenFolder, loadGolden, runtime} from '../support.js';

/** @import {LoadedModel} from '../../../web/engine/host/loaded-model.js' */
/** @import {Quantity} from '../../../web/engine/host/held-trace.js' */

const ended = new BertscopeError('engine-crashed', 'a helping worker has ended');
const alone = await loadGolden('odd-sizes', 'int8');
const helping = await createRuntime();

/** @type {Bridge<Helper>[]} */
const bridges = [];
after(() => bridges.forEach((bridge) => bridge.end(ended)));

/** A helper has a line of its own. All run in this thread. */
function startHelper(served = new Helper(helping)) {
  const {port1, port2} = new MessageChannel();
  serve(served, /** @type {any} */ (port2));
  port2.start();
  const line = Object.assign(port1, {terminate: () => port1.close()});
  /** @type {Bridge<Helper>} */
  const bridge = new Bridge(/** @type {any} */ (line), {moves: true});
  port1.start();
  bridges.push(bridge);
  return bridge;
}

/** @param {number} threads @param {string} [name] */
async function loadShared(threads, name = 'odd-sizes') {
  const model = await runtime.load(await openModel(goldenFolder(name)));
  const {encoder} = model;
  const helpers = new Helpers();
  helpers.least = {rows: 1, multiplyAdds: 0};
  encoder.helpers = helpers;
  const lines = Array.from({length: threads - 1}, () => startHelper());
  for (const bridge of lines) await helpers.add(encoder, bridge);
  return {model, helpers, lines};
}

let texts = 0;

/** @param {number} tokens @param {number} [first] */
const batchOf = (tokens, first = 5) => ({
  ids: Int32Array.from({length: tokens}, (_, i) => (first + i * 37) % 101),
  tokenTypes: Int32Array.from({length: tokens}, (_, i) => Number(2 * i > tokens)),
  lengths: Int32Array.of(tokens),
});

/** @typedef {Awaited<ReturnType<LoadedModel['encoder']['run']>>} Ran */

/**
 * Runs a batch in both models, and compares all that can be asked of the pass.
 * @param {LoadedModel} model
 * @param {Parameters<LoadedModel['encoder']['run']>[0] & {changes?: any}} batch
 * @param {number | number[]} threads How many workers may have run it.
 */
async function assertEqualPasses(model, batch, threads) {
  const {changes = NO_CHANGES} = batch;
  const found = await model.run({...batch, changes});
  const expected = await alone.run({...batch, changes});
  const counts = [threads].flat();
  assert.ok(counts.includes(found.threads), `expected ${counts} threads, found ${found.threads}`);
  assert.equal(expected.threads, 1);
  await hasEqualNumbers(model, found, expected);
}

/** @param {LoadedModel} model @param {Ran} found @param {Ran} expected */
async function hasEqualNumbers(model, found, expected) {
  const same = async (/** @type {Quantity} */ quantity, /** @type {number[]} */ indices) =>
    assert.deepEqual(
      await model.pull(found.pass, quantity, indices),
      await alone.pull(expected.pass, quantity, indices),
      `${quantity} ${indices}`,
    );
  const {layers, heads} = alone.shape;
  for (let layer = 0; layer <= layers; layer++) await same('hiddenStates', [layer]);
  for (let layer = 0; layer < layers; layer++) {
    for (let head = 0; head < heads; head++) {
      for (const kind of /** @type {const} */ (['attention', 'queries', 'keys', 'values'])) {
        await same(kind, [layer, head]);
      }
    }
    await same('layerNorms', [layer]);
    await same('rollout', [layer]);
  }
  await same('wordLogits', [layers, 0]);
  assert.deepEqual(
    await model.headStatistics(found.pass),
    await alone.headStatistics(expected.pass),
  );
}

for (const threads of [2, 3]) {
  test(`a text that ${threads} workers share has the numbers of one worker, at every length`, async () => {
    const {model} = await loadShared(threads);
    for (const tokens of [1, 2, 3, 4, 7, 16, 17, 33, 40]) {
      await assertEqualPasses(model, batchOf(tokens), Math.min(threads, tokens));
    }
  });
}

test('a pair of texts has the numbers of one worker', async () => {
  const {model} = await loadShared(2);
  const attended = await model.attend('time [MASK]', {pair: 'an arrow'});
  assert.equal(attended.threads, 2);
  const expected = await alone.attend('time [MASK]', {pair: 'an arrow'});
  await hasEqualNumbers(model, attended, expected);
  assert.deepEqual(
    await model.predictions(attended.pass, 3),
    await alone.predictions(expected.pass, 3),
  );
  assert.deepEqual(await model.explain(attended.pass), await alone.explain(expected.pass));
  assert.deepEqual(await model.headEffects(attended.pass, undefined), await alone.headEffects(expected.pass, undefined)); // prettier-ignore
  assert.deepEqual(await model.surprise(attended.pass), await alone.surprise(expected.pass));
});

test('interventions have the numbers of one worker, whoever runs them', async () => {
  const {model} = await loadShared(2);
  const place = {layer: 1, head: 2};
  for (const [threads, changed] of /** @type {[number, object][]} */ ([
    [2, {heads: [{...place, scale: 0}]}],
    [2, {layersOff: [0]}],
    [2, {layersOff: [2]}],
    [2, {maskedTokens: [3]}],
    [2, {edges: [{...place, query: 30, key: 2, weight: 0.5, renormalise: true}]}],
    [2, {layerTemperature: [0.5, 1, 2], scoreScale: 'hidden'}],
    [1, {causal: true}],
  ])) {
    const changes = {...NO_CHANGES, ...changed};
    const other = batchOf(33, ++texts);
    await assertEqualPasses(model, other, 2);
    await assertEqualPasses(model, {...other, changes}, threads);
    await assertEqualPasses(model, {...other, changes: {...changes, layersOff: [1]}}, 1); // the same text again
  }
});

test('several texts at once run in one worker', async () => {
  const {model} = await loadShared(2);
  const texts = ['time flies', 'an arrow flies like time'];
  const batch = model.tokenize(texts, {padding: true});
  assert.deepEqual(await model.hiddenStates(batch), await alone.hiddenStates(batch));
});

test('maps of patches are those of one worker', async () => {
  const {model} = await loadShared(2);
  const maps = [];
  for (const each of [model, alone]) {
    const [text, other] = [await each.attend('time [MASK]'), await each.attend('an [MASK]')];
    maps.push(await each.patch(text.pass, other.pass));
  }
  assert.deepEqual(maps[0], maps[1]);
});

test('short texts run in fewer workers', async () => {
  const {model, helpers} = await loadShared(3);
  const {hiddenSize, intermediateSize} = model.config;
  const ofRow = hiddenSize * (4 * hiddenSize + 2 * intermediateSize);
  for (const least of [
    {rows: 8, multiplyAdds: 0},
    {rows: 1, multiplyAdds: 8 * ofRow},
  ]) {
    helpers.least = least;
    for (const [tokens, threads] of [
      [1, 1],
      [15, 1],
      [16, 2],
      [23, 2],
      [24, 3],
      [40, 3],
    ]) {
      await assertEqualPasses(model, batchOf(tokens, ++texts), threads);
    }
  }
});

test('a shared pass has all numbers, also when only the first layer is asked for', async () => {
  const {model} = await loadShared(2);
  const batch = {...batchOf(20), changes: NO_CHANGES};
  const found = await model.run(batch, undefined, 1);
  assert.equal(found.threads, 2);
  await hasEqualNumbers(model, found, await alone.run(batch));
});

test('passes of several encoders of a model take turns with the helpers', async () => {
  const {model} = await loadShared(2);
  const changes = {...NO_CHANGES, maskedTokens: [3]};
  const batches = [1, 2, 3].flatMap((first) => [
    batchOf(20, first),
    {...batchOf(20, first), changes},
  ]);
  const found = await Promise.all(
    batches.map((batch) => model.run({changes: NO_CHANGES, ...batch})),
  );
  for (const [i, batch] of batches.entries()) {
    const expected = await alone.run({changes: NO_CHANGES, ...batch});
    assert.equal(found[i].threads, 2);
    await hasEqualNumbers(model, found[i], expected);
  }
});

test('a pass that is aborted at any moment leaves the next one right', async () => {
  const {model} = await loadShared(3);
  let aborted = 0;
  for (let wait = 0; wait < 24; wait++) {
    const controller = new AbortController();
    const running = model.run({...batchOf(20, wait), changes: NO_CHANGES}, controller.signal);
    const settled = running.then(
      () => {},
      ({name}) => {
        assert.equal(name, 'AbortError');
        aborted += 1;
      },
    );
    for (let i = 0; i < wait; i++) await nextTask();
    controller.abort();
    // The same text is begun anew, since rows of it are missing, unless its pass had come to its end: then no helper is
    // needed.
    if (wait % 2) await assertEqualPasses(model, batchOf(20, wait), [1, 3]);
    else await assertEqualPasses(model, batchOf(20, wait + 50), 3);
    await settled;
  }
  assert(aborted > 3, `expected passes that were aborted, found ${aborted}`);
});

test('a helper that is lost at any moment loses nothing', async () => {
  for (let wait = 0; wait < 12; wait++) {
    const {model, lines} = await loadShared(3);
    const running = model.run({...batchOf(20), changes: NO_CHANGES});
    for (let i = 0; i < wait; i++) await nextTask();
    lines[wait % 2].end(ended);
    const found = await running;
    await hasEqualNumbers(model, found, await alone.run({...batchOf(20), changes: NO_CHANGES}));
    await assertEqualPasses(model, batchOf(20, 6), 2);
    lines[1 - (wait % 2)].end(ended);
    await assertEqualPasses(model, batchOf(20, 7), 1);
    model.dispose();
  }
});

/** Helpers whose memory is full in the first layer. @param {typeof Helper} kind */
const withoutRoom = (kind) =>
  class extends kind {
    /** @param {Parameters<Helper['receive']>} of */
    receive(...of) {
      const received = super.receive(...of);
      received.next = () => {
        throw new BertscopeError('out-of-memory', 'expected room, found none');
      };
      return received;
    }
  };

test('a helper whose memory is full leaves the pass to the others', async () => {
  const {model, helpers} = await loadShared(2);
  await helpers.add(model.encoder, startHelper(new (withoutRoom(Helper))(helping)));
  await assertEqualPasses(model, batchOf(20), 2);
  await assertEqualPasses(model, batchOf(20, 6), 2);
});

/** Counts the models that it has received, and those that it has not disposed of. */
class Counting extends Helper {
  received = 0;
  models = 0;

  /** @param {Parameters<Helper['receive']>} of */
  receive(...of) {
    const received = super.receive(...of);
    const dispose = received.dispose.bind(received);
    this.received += 1;
    this.models += 1;
    received.dispose = () => {
      this.models -= 1;
      dispose();
    };
    return received;
  }
}

test('a model that is disposed of while a helper gets it leaves nothing there', async () => {
  const {model, helpers} = await loadShared(1);
  const helper = new Counting(helping);
  const adding = helpers.add(model.encoder, startHelper(helper));
  model.dispose();
  await adding;
  const pass = {...batchOf(20), changes: NO_CHANGES};
  assert.equal(helpers.workersFor(model.config, pass), 1);
  assert.equal(helper.received, 1);
  await eventually('no model', () => assert.equal(helper.models, 0));
});

test('a helper that has no room for all weights keeps none', async () => {
  const {model, helpers} = await loadShared(1);
  class Small extends Counting {
    /** @param {Parameters<Helper['receive']>} of */
    receive(...of) {
      const received = super.receive(...of);
      received.finish = () => {
        throw new BertscopeError('out-of-memory', 'expected room, found none');
      };
      return received;
    }
  }
  const helper = new Small(helping);
  await assert.rejects(helpers.add(model.encoder, startHelper(helper)), {code: 'out-of-memory'});
  await eventually('no model', () => assert.equal(helper.models, 0));
});

test('a model that a helper cannot begin leaves nothing there', (t) => {
  const wasm = helping.emptyModel();
  const freed = t.mock.method(wasm, 'delete');
  const config = {...alone.config, layers: -1};
  assert.throws(() => new HelpingModel(wasm, config, 'rotated'), BertscopeError);
  assert.equal(freed.mock.callCount(), 1);
});

test('the time of a pass has all that its workers did, and none of other passes', async (t) => {
  const {model, helpers} = await loadShared(2);
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  class Slow extends Helper {
    /** @param {Parameters<Helper['receive']>} of */
    receive(...of) {
      const received = super.receive(...of);
      const begin = received.begin.bind(received);
      received.begin = (...pass) => {
        now += 100;
        return begin(...pass);
      };
      return received;
    }
  }
  await helpers.add(model.encoder, startHelper(new Slow(helping)));
  const maskedTokens = [3];
  const passes = [NO_CHANGES, {...NO_CHANGES, maskedTokens}].map((changes, i) =>
    model.run({...batchOf(20, i), changes}),
  );
  const times = (await Promise.all(passes)).map(({milliseconds}) => milliseconds);
  assert.deepEqual(times, [100, 100]);

  await helpers.add(model.encoder, startHelper(new (withoutRoom(Slow))(helping)));
  const {milliseconds, threads} = await model.run({...batchOf(20, 7), changes: NO_CHANGES});
  assert.deepEqual({milliseconds, threads}, {milliseconds: 300, threads: 3});
});
