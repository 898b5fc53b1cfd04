import assert from 'node:assert/strict';
import {test} from 'node:test';
import {originOf} from '../../web/scope/pass-origin.js';
import {LivePass} from '../../web/scope/live-pass.js';

const shape = {layers: 2, heads: 2, headDim: 1};

/** Makes a pass of one token, and lists its requests to the engine; each is answered when `arrive` is called. */
function slowPass() {
  /** @type {{name: string, signal: AbortSignal, arrive: () => void}[]} */
  const asked = [];
  const result = {
    tokens: ['a'],
    sentences: [0],
    specialTokens: [false],
    measure: (
      /** @type {string} */ measure,
      /** @type {number} */ layer,
      /** @type {number} */ head,
      /** @type {{signal: AbortSignal}} */ {signal},
    ) =>
      new Promise((resolve, reject) => {
        const arrive = () => resolve(Float32Array.of(1));
        signal.addEventListener('abort', () => reject(signal.reason));
        asked.push({name: `${measure}.${layer}`, signal, arrive});
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

/** @param {number} layer */
const rollout = (layer) => ({
  kind: /** @type {const} */ ('attention'),
  measure: /** @type {const} */ ('rollout'),
  layer,
  head: 0,
});

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
  assert.deepEqual(pass.snapshot.attention(0, 0), undefined);
  assert.deepEqual(pass.measured('rollout').attention(0, 0), Float32Array.of(1));
});

test('matrices for an export arrive though the picture has moved on, and are requested once', async () => {
  const {pass, asked} = slowPass();
  const picture = new AbortController();
  const drawn = assert.rejects(pass.fetch([rollout(0)], picture.signal), {name: 'AbortError'});
  const exported = pass.fetch([rollout(0), rollout(1)]);
  picture.abort();
  assert.deepEqual(
    asked.map(({name}) => name),
    ['rollout.0', 'rollout.1'],
  );
  for (const {arrive} of asked) arrive();
  await exported;
  await drawn;
  assert.ok(pass.has([rollout(0), rollout(1)]));
});
