import assert from 'node:assert/strict';
import {afterEach, test} from 'node:test';
import {importAttention} from '../../web/attention/import-attention.js';
import {noReaderChanges} from '../../web/attention/reader-changes.js';
import {attentionOf, snapshotToJson} from '../../web/attention/snapshot.js';
import {accessTo} from '../../web/session/page-access.js';
import {Session} from '../../web/session/session.js';
import {passOf} from '../scope/passes.js';

/** @import {Shape} from '../../web/attention/shape.js' */
/** @import {MatrixRef} from '../../web/attention/snapshot.js' */
/** @import {EngineAccess} from '../../web/session/engine-access.js' */
/** @import {Pass} from '../../web/session/pass.js' */

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'document');
});

/**
 * Makes a session with a fake model; `told` lists the session's events, `runs` the texts that wait for `end`.
 *
 * @param {Partial<EngineAccess>} [access]  what stands in for the page's engine
 */
function liveSession(access = {}) {
  /** @type {string[]} */
  const told = [];
  /** @type {{text: string, isChanged: boolean, signal: AbortSignal, end: (error?: Error) => void}[]} */
  const runs = [];
  const session = new Session({
    engine: {...accessTo(() => assert.fail('no engine is needed')), ...access},
    onChange: () => {},
    onReady: () => told.push('ready'),
    onPass: ({name}) => told.push(`pass ${name}`),
    onUntouched: () => told.push('untouched'),
    onError: ({message}) => told.push(`error ${message}`),
  });
  const model = {
    shape: {layers: 1, heads: 1, headDim: 1},
    name: 'fake',
    attend: (
      /** @type {string} */ text,
      /** @type {{signal: AbortSignal, interventions?: object, matrices: MatrixRef[]}} */ {
        signal,
        interventions,
        matrices: asked,
      },
    ) =>
      new Promise((resolve, reject) => {
        const tokens = text.split(' ');
        const ids = tokens.map((token) => token.length);
        const sentences = tokens.map(() => 0);
        const matrix = new Float32Array(tokens.length ** 2).fill(1 / tokens.length);
        const matrices = asked.map(() => matrix);
        const result = {tokens, ids, sentences, tokenTypeIds: sentences, matrices};
        const end = (/** @type {Error | undefined} */ error) =>
          error ? reject(error) : resolve(result);
        signal.addEventListener('abort', () => reject(signal.reason));
        runs.push({text, isChanged: Boolean(interventions), signal, end});
      }),
  };
  session.model = /** @type {any} */ (model);
  /** @param {string} text @param {typeof noReaderChanges} [interventions] */
  const run = (text, interventions = noReaderChanges) =>
    session.run({text, pair: '', ids: [], specialTokens: true, interventions}, wanted);
  return {session, told, runs, run, model};
}

/** @param {Shape} shape */
const wanted = ({heads}) =>
  heads ? [{kind: /** @type {const} */ ('attention'), layer: 0, head: 0}] : [];

const causal = {...noReaderChanges, causal: true};
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

test('a pass comes with the matrices of its picture', async () => {
  const {session, told, runs, run} = liveSession();
  const done = run('time flies');
  await nextTask();
  assert.deepEqual(told, []);
  runs[0].end();
  await done;
  assert.deepEqual(told, ['pass time flies']);
  const shown = /** @type {() => Pass | null} */ (() => session.pass);
  assert.deepEqual(
    attentionOf(/** @type {Pass} */ (shown()).snapshot, 0, 0),
    Float32Array.of(0.5, 0.5, 0.5, 0.5),
  );
});

test('the latest text wins, and the run before it is aborted', async () => {
  const {session, told, runs, run} = liveSession();
  const [first, second] = [run('time'), run('time flies')];
  assert.equal(runs[0].signal.aborted, true);
  runs[1].end();
  await Promise.all([first, second]);
  assert.deepEqual(told, ['pass time flies']);
  assert.equal(session.failure, null);
});

test('an empty text has no pass, and nothing runs', async () => {
  const {session, runs, run} = liveSession();
  const done = run('time');
  runs[0].end();
  await done;
  await run('  ');
  assert.equal(session.pass, null);
  assert.equal(runs.length, 1);
});

test('the unchanged model runs once for each text beside a changed one', async () => {
  const {session, told, runs, run} = liveSession();
  const first = run('time flies', causal);
  runs[0].end();
  await nextTask();
  assert.deepEqual(
    runs.map(({isChanged}) => isChanged),
    [true, false],
  );
  runs[1].end();
  await first;
  assert.equal(told.at(-1), 'untouched');
  assert.equal(session.untouched?.text, 'time flies');

  const again = run('time flies', {...causal, temperature: 2});
  runs[2].end();
  await again;
  assert.equal(runs.length, 3);
  assert.ok(session.untouched);

  const plain = run('time flies');
  runs[3].end();
  await plain;
  assert.equal(session.untouched, null);
});

test('a failed run is reported, and the next run clears the failure', async () => {
  const {session, told, runs, run} = liveSession();
  const failing = run('time');
  runs[0].end(new Error('no memory'));
  await failing;
  assert.deepEqual(told, ['error no memory']);
  assert.equal(session.failure?.message, 'no memory');
  const next = run('flies');
  runs[1].end();
  await next;
  assert.equal(session.failure, null);
});

test('no text can run once the engine has crashed', () => {
  const {session} = liveSession();
  assert.equal(session.canRun, true);
  session.fail(Object.assign(new Error('gone'), {code: 'engine-crashed'}));
  assert.equal(session.canRun, false);
});

test('a model whose engine has ended is loaded again, once until a text has run', async () => {
  const {session, told, runs, run} = liveSession({
    loadModel: async () => /** @type {any} */ ({engine: {}, model: fakeModel, bytes: 0}),
  });
  const fakeModel = session.model;
  Object.assign(globalThis, {document: {baseURI: 'http://localhost/'}});
  const stuck = Object.assign(new Error('stuck'), {code: 'engine-stuck'});
  const fail = async () => {
    const failing = run('flies');
    runs.at(-1)?.end(stuck);
    await failing;
    await nextTask();
  };
  await fail();
  assert.deepEqual(told, ['ready']);
  const next = run('time');
  runs.at(-1)?.end();
  await next;
  await fail();
  assert.deepEqual(told, ['ready', 'pass time', 'ready']);
  assert.equal(session.pass?.text, 'time', 'the picture stays meanwhile');
  await fail();
  assert.deepEqual(told.slice(3), ['error stuck']);
  assert.equal(session.canRun, false);
});

test('a model that cannot be loaded again fails for the reason that ended its engine', async () => {
  const {session, told, runs, run} = liveSession({
    async loadModel() {
      throw Object.assign(new Error('none called kept:model'), {code: 'not-kept'});
    },
  });
  Object.assign(globalThis, {document: {baseURI: 'http://localhost/'}});
  const failing = run('flies');
  runs[0].end(Object.assign(new Error('stopped: no memory'), {code: 'engine-crashed'}));
  await failing;
  await nextTask();
  assert.deepEqual(told, ['error stopped: no memory']);
  assert.equal(session.canRun, false);
});

test('a saved picture takes the place of the text that runs', async () => {
  const {session, told, runs, run} = liveSession();
  const running = run('time');
  session.showSaved(passOf('saved text'));
  // At once: what the element computes of the picture it asks for in the same update.
  assert.deepEqual([runs[0].signal.aborted, session.isRunning], [true, false]);
  await running;
  assert.deepEqual(told, ['pass saved text']);
});

test('an address that ends in .json is loaded without an engine', async () => {
  const json = snapshotToJson(passOf('time flies').snapshot);
  Object.assign(globalThis, {document: {baseURI: 'https://example.test/'}});
  const {session, told} = liveSession({
    async readFile(url) {
      assert.equal(url, 'https://example.test/saved.json');
      return importAttention(json);
    },
  });
  await session.load('saved.json');
  assert.equal(session.model, null);
  assert.equal(session.loadsSaved, true);
  assert.deepEqual(told, ['pass saved.json']);
  assert.deepEqual(session.shape.layers, 2);
});

test('a snapshot that cannot be read is a failure, but an aborted reading is not', async () => {
  const {session, told} = liveSession({
    async readFile(url, signal) {
      if (url.endsWith('missing.json')) throw new Error(`${url} answered 404`);
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      );
    },
  });
  Object.assign(globalThis, {document: {baseURI: 'https://example.test/'}});
  await session.load('missing.json');
  assert.match(told[0], /^error .*missing\.json answered 404/);

  const loading = session.load('slow.json');
  session.releaseModel();
  await loading;
  assert.equal(told.length, 1);
  assert.equal(session.resume(), false);
});
