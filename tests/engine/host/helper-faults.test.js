/** Tests that no fault of a helper, nor of the line to it, makes a shared pass wrong or endless. */

import assert from 'node:assert/strict';
import {mock, test} from 'node:test';
import fc from 'fast-check';
import {createRuntime} from '../../../scripts/cli/engine.mjs';
import {openModel} from '../../../scripts/cli/source.mjs';
import {Bridge} from '../../../web/engine/bridge.js';
import {BertscopeError} from '../../../web/engine/errors.js';
import {nextTask} from '../../../web/engine/event-loop.js';
import {Helper} from '../../../web/engine/host/helper.js';
import {Helpers} from '../../../web/engine/host/helpers.js';
import {NO_CHANGES} from '../../../web/engine/interventions.js';
import {serve} from '../../../web/engine/serve.js';
import {isLong, tries} from '../../support/tries.js';
import {End} from '../bridge-line.js';
import {goldenFolder, loadGolden, runtime} from '../support.js';

/** @import {LoadedModel} from '../../../web/engine/host/loaded-model.js' */

/** The number of seconds after its begin in which a pass must end. */
const MOST_SECONDS = 60;

const ended = new BertscopeError('engine-crashed', 'a helping worker has ended');
const helping = await createRuntime();

/** What becomes of a message. `held` are those that wait until the next one has passed. */
const ofAny = {
  drop: () => [],
  twice: (/** @type {any} */ message) => [message, message],
  hold: (/** @type {any} */ message, /** @type {Line} */ line) => {
    line.held.push(message);
    return [];
  },
  end: (/** @type {any} */ _message, /** @type {Line} */ line) => {
    line.end();
    return [];
  },
};

/** What becomes of an answer whose rows change. @param {(rows: any, before: any) => unknown} change */
const changing = (change) => (/** @type {any} */ message, /** @type {Line} */ line) => {
  const part = 'progress' in message ? 'progress' : 'value';
  return [{...message, [part]: change(message[part] ?? {}, line.before)}];
};

const ofAnswers = {
  ...ofAny,
  fail: (/** @type {any} */ {call}) => [
    {call, error: {code: 'out-of-memory', message: 'a fault on purpose'}},
  ],
  trap: (/** @type {any} */ {call}) => [
    {call, error: {code: 'engine-crashed', message: 'a trap on purpose'}},
  ],
  nothing: changing(() => undefined),
  text: changing(() => 'rows'),
  stale: changing((_, before) => before),
  otherRows: changing((rows) => ({...rows, first: rows.first + 1})),
  fewerRows: changing((rows) => ({...rows, count: rows.count - 1})),
  endlessRows: changing((rows) => ({...rows, first: NaN, count: Infinity})),
  noValues: changing((rows) => ({...rows, values: undefined})),
  list: changing((rows) => ({...rows, values: Array.from(rows.values ?? [])})),
  short: changing((rows) => ({...rows, values: rows.values?.slice(1)})),
  long: changing((rows) => ({...rows, values: new Float32Array((rows.values?.length ?? 0) + 1)})),
  doubles: changing((rows) => ({...rows, values: Float64Array.from(rows.values ?? [])})),
};

const methods = ['receive', 'append', 'finish', 'begin', 'next'];

/**
 * @typedef {object} Fault
 * @property {number} helper
 * @property {string} method
 * @property {number} nth Of the calls of this method, or of their answers.
 * @property {{call: keyof typeof ofAny} | {answer: keyof typeof ofAnswers}} kind
 */

/** The line to a helper, whose calls and answers suffer faults. All helpers run in this thread. */
class Line {
  /** @type {any[]} */
  held = [];
  /** The rows of the answer before. @type {unknown} */
  before;
  /** How many calls, or answers, each method has had. @type {Record<string, number>} */
  #counts = {};
  /** The method of each call. @type {Map<number, string>} */
  #methods = new Map();
  #faults;

  /** @param {Fault[]} faults */
  constructor(faults) {
    this.#faults = faults;
    const [engine, helper] = [new End(), new End()];
    [engine.other, helper.other] = [helper, engine];
    this.#pass(engine, 'call');
    this.#pass(helper, 'answer');
    serve(new Helper(helping), /** @type {any} */ (helper));
    /** @type {Bridge<Helper>} */
    this.bridge = new Bridge(/** @type {any} */ (engine), {moves: true});
  }

  end() {
    this.bridge.end(ended);
  }

  /** @param {End} end @param {'call' | 'answer'} side */
  #pass(end, side) {
    const send = end.postMessage.bind(end);
    end.postMessage = (message, transfer) => {
      /** @type {any} */
      const data = structuredClone(message, {transfer});
      const released = this.held.splice(0);
      for (const each of this.#suffer(data, side)) send(each);
      for (const each of released) send(each);
      this.before = data.progress ?? data.value ?? this.before;
    };
  }

  /** @param {any} message @param {'call' | 'answer'} side */
  #suffer(message, side) {
    const {call, method = this.#methods.get(call)} = message;
    if (!method) return [message]; // pings, and what is dropped
    this.#methods.set(call, method);
    const key = `${side} ${method}`;
    const nth = (this.#counts[key] ??= 0);
    this.#counts[key] += 1;
    const fault = this.#faults.find(
      ({kind, ...at}) => side in kind && at.method === method && at.nth === nth,
    );
    if (!fault) return [message];
    injected += 1;
    const kinds = /** @type {Record<string, any>} */ (side === 'call' ? ofAny : ofAnswers);
    return kinds[/** @type {any} */ (fault.kind)[side]](message, this);
  }
}

let injected = 0;

/** @template T @param {Promise<T>} work @returns {Promise<T>} Lets time pass while nothing else happens. */
async function settled(work) {
  let isOver = false;
  const over = () => (isOver = true);
  work.then(over, over);
  for (let seconds = 0; seconds <= MOST_SECONDS; seconds++) {
    for (let quiet = 0; quiet < 40 && !isOver; quiet++) await nextTask();
    if (isOver) return work;
    mock.timers.tick(1000);
  }
  throw new Error(`expected the end of a pass within ${MOST_SECONDS} s, found none`);
}

const batches = [20, 13, 24].map((tokens, first) => ({
  ids: Int32Array.from({length: tokens}, (_, i) => (first + i * 37) % 101),
  tokenTypes: new Int32Array(tokens),
  lengths: Int32Array.of(tokens),
  changes: NO_CHANGES,
}));

/** @param {LoadedModel} model @param {number} index */
async function numbersOf(model, index) {
  const {pass} = await settled(model.run(batches[index]));
  const numbers = [];
  for (let layer = 0; layer < model.shape.layers; layer++) {
    numbers.push(await model.pull(pass, 'hiddenStates', [layer + 1]));
    numbers.push(await model.pull(pass, 'attention', [layer, 1]));
    numbers.push(await model.pull(pass, 'values', [layer, 1]));
  }
  return numbers;
}

test('whatever a helper and the line to it do, each pass ends with the numbers of one worker', async () => {
  mock.timers.enable({apis: ['setTimeout', 'setInterval']});
  const alone = await loadGolden('odd-sizes', 'int8');
  /** @type {Float32Array[][]} */
  const expected = [];
  for (const index of batches.keys()) expected.push(await numbersOf(alone, index));

  const kind = fc.oneof(
    fc.record({call: fc.constantFrom(.../** @type {any[]} */ (Object.keys(ofAny)))}),
    fc.record({answer: fc.constantFrom(.../** @type {any[]} */ (Object.keys(ofAnswers)))}),
  );
  const fault = fc.record({
    helper: fc.nat(1),
    method: fc.constantFrom(...methods, 'begin', 'next', 'next'),
    nth: fc.nat(4),
    kind,
  });
  const property = fc.asyncProperty(
    fc.array(fault, {minLength: 1, maxLength: 4}),
    fc.integer({min: 1, max: 2}),
    async (faults, count) => {
      const model = await runtime.load(await openModel(goldenFolder('odd-sizes')));
      const helpers = new Helpers();
      helpers.least = {rows: 1, multiplyAdds: 0};
      model.encoder.helpers = helpers;
      const lines = Array.from(
        {length: count},
        (_, helper) => new Line(faults.filter((each) => each.helper === helper)),
      );
      const added = lines.map(({bridge}) => helpers.add(model.encoder, bridge).catch(() => {}));
      // A helper that does not answer never has its weights, and nobody waits for it.
      await settled(Promise.race([Promise.all(added), nextTasks(400)]));
      for (const index of batches.keys()) {
        assert.deepEqual(await numbersOf(model, index), expected[index]);
      }
      for (const line of lines) line.end();
      model.dispose();
    },
  );
  await fc.assert(property, tries(60));
  assert(injected > 30, `expected faults that happen, found ${injected}`);
  if (isLong) console.log(`injected faults: ${injected}`);
});

/** @param {number} count */
async function nextTasks(count) {
  for (let i = 0; i < count; i++) await nextTask();
}
