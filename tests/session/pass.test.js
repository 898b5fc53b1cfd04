import assert from 'node:assert/strict';
import {getEventListeners} from 'node:events';
import {test} from 'node:test';
import {originOf} from '../../web/session/pass-origin.js';
import {LivePass} from '../../web/session/live-pass.js';
import {attentionOf} from '../../web/attention/snapshot.js';
import {usualSpecialTokens} from '../../web/attention/special-tokens.js';

const shape = {layers: 2, heads: 2, headDim: 1};

/** Makes a pass of one token, and lists its requests to the engine; each is answered when `arrive` is called. */
function slowPass() {
  /** @type {{names: string[], signal: AbortSignal, arrive: () => void, fail: (error: Error) => void}[]} */
  const asked = [];
  const result = {
    tokens: ['a'],
    sentences: [0],
    specialTokens: [false],
    matrices: [],
    pull: (/** @type {MatrixRef[]} */ wanted, /** @type {{signal: AbortSignal}} */ {signal}) =>
      new Promise((resolve, reject) => {
        const arrive = () => resolve(wanted.map(() => Float32Array.of(1)));
        signal.addEventListener('abort', () => reject(signal.reason));
        const names = wanted.map(({measure, layer}) => `${measure}.${layer}`);
        asked.push({names, signal, arrive, fail: reject});
      }),
  };
  const model = {shape, name: 'slow'};
  return {
    pass: new LivePass(
      originOf({text: 'a'}),
      /** @type {any} */ (model),
      /** @type {any} */ (result),
    ),
    asked,
  };
}

/** @typedef {import('../../web/attention/snapshot.js').MatrixRef} MatrixRef */

/** @param {'rollout' | 'flow' | 'norm'} measure @param {number} layer @param {number} [head] @returns {MatrixRef} */
const matrix = (measure, layer, head = 0) => ({kind: 'attention', measure, layer, head});

/** @param {number} layer */
const rollout = (layer) => matrix('rollout', layer);

test('a matrix that nobody waits for any longer is given up, and can be requested again', async () => {
  const {pass, asked} = slowPass();
  const picture = new AbortController();
  const first = assert.rejects(pass.fetch([rollout(0)], picture.signal), {name: 'AbortError'});
  picture.abort();
  await first;
  assert.ok(asked[0].signal.aborted);
  const again = pass.fetch([rollout(0)]);
  asked[1].arrive();
  await again;
  assert.deepEqual(attentionOf(pass.snapshot, 0, 0), undefined);
  assert.deepEqual(attentionOf(pass.measured('rollout'), 0, 0), Float32Array.of(1));
});

test('a signal does not keep the requests that have arrived or failed', async () => {
  const {pass, asked} = slowPass();
  const {signal} = new AbortController();
  const arrival = pass.fetch([rollout(0)], signal);
  const failure = assert.rejects(pass.fetch([rollout(1)], signal), /no room/);
  assert.equal(getEventListeners(signal, 'abort').length, 2);
  asked[0].arrive();
  await arrival;
  asked[1].fail(new Error('no room'));
  await failure;
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});

test('matrices for an export arrive though the picture has moved on, and are requested once', async () => {
  const {pass, asked} = slowPass();
  const picture = new AbortController();
  const drawn = assert.rejects(pass.fetch([rollout(0)], picture.signal), {name: 'AbortError'});
  const exported = pass.fetch([rollout(0), rollout(1)]);
  picture.abort();
  assert.deepEqual(
    asked.map(({names}) => names),
    [['rollout.0'], ['rollout.1']],
  );
  for (const {arrive} of asked) arrive();
  await exported;
  await drawn;
  assert.ok(pass.has([rollout(0), rollout(1)]));
});

test('the matrices of a picture are one request, and each flow is one of its own', async () => {
  const {pass, asked} = slowPass();
  const wanted = [matrix('norm', 0), matrix('norm', 0, 1), rollout(1), rollout(1)];
  const fetched = pass.fetch([...wanted, matrix('flow', 0), matrix('flow', 1)]);
  assert.deepEqual(
    asked.map(({names}) => names),
    [['flow.0'], ['flow.1'], ['norm.0', 'norm.0', 'rollout.1']],
  );
  for (const {arrive} of asked) arrive();
  await fetched;
  assert.ok(pass.has(wanted));
});

test('the rows of norms sum to 1, and a row of zeros stays', () => {
  const result = {
    tokens: ['a', 'b'],
    sentences: [0, 0],
    specialTokens: [false, false],
    matrices: [Float32Array.of(1, 3, 0, 0)],
  };
  const pass = new LivePass(
    originOf({text: 'a b'}),
    /** @type {any} */ ({shape, name: 'norms'}),
    /** @type {any} */ (result),
    undefined,
    [matrix('norm', 0)],
  );
  assert.deepEqual(attentionOf(pass.measured('norm'), 0, 0), Float32Array.of(0.25, 0.75, 0, 0));
});

test('the time to scale norms grows with the number of weights alone', () => {
  let reads = 0;
  const tokens = 64;
  const counted = new Proxy(new Float32Array(tokens * tokens).fill(1), {
    get(target, name) {
      if (typeof name === 'string' && /^\d+$/.test(name)) reads++;
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const texts = Array.from({length: tokens}, () => 'a');
  new LivePass(
    originOf({text: 'a'}),
    /** @type {any} */ ({shape, name: 'norms'}),
    /** @type {any} */ ({tokens: texts, matrices: [counted]}),
    undefined,
    [matrix('norm', 0)],
  );
  assert.ok(
    reads > 0 && reads <= 2 * tokens * tokens,
    `expected two reads a weight, found ${reads}`,
  );
});

test('what a head does is said with the names of the tokens around the text', async () => {
  for (const [tokens, expected] of /** @type {[string[], string[]][]} */ ([
    [
      ['[CLS]', 'a', '[SEP]'],
      ['looks at [CLS]', 'looks at [SEP]'],
    ],
    [
      ['<s>', 'a', '</s>'],
      ['looks at <s>', 'looks at </s>'],
    ],
  ])) {
    const result = {
      tokens,
      sentences: tokens.map(() => 0),
      specialTokens: usualSpecialTokens(tokens),
      matrices: [],
      headStatistics: async () => ({
        statistics: {cls: [0.5, 0], sep: [0, 0.5]},
        names: ['cls', 'sep'],
      }),
    };
    const model = {shape: {layers: 1, heads: 2, headDim: 1}, name: 'small'};
    const pass = new LivePass(
      originOf({text: 'a'}),
      /** @type {any} */ (model),
      /** @type {any} */ (result),
    );
    const {habits} = await pass.survey(pass.snapshot);
    assert.deepEqual(
      habits?.map(({name}) => name),
      expected,
    );
    for (const [at, {told, rule}] of (habits ?? []).entries()) {
      assert.ok(told.includes(expected[at]) && told.includes('50%'), told);
      assert.ok(rule.endsWith(`goes to ${expected[at].slice('looks at '.length)}.`), rule);
    }
  }
});
