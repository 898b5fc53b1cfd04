import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {ModelCache} from '../../web/session/model-cache.js';
import {Consent, ConsentNeeded} from '../../web/session/consent.js';
import {forgiveEnds, noteEnd} from '../../web/session/ended-models.js';
import {accessTo} from '../../web/session/page-access.js';
import {Session} from '../../web/session/session.js';
import {SharedEngine} from '../../web/session/shared-engine.js';
import {storageOf} from '../support/page-storage.js';
import {isLong, tries} from '../support/tries.js';

/** @import {EngineAccess} from '../../web/session/engine-access.js' */

const own = 'https://own.test';
Object.assign(globalThis, {document: {baseURI: `${own}/page/`}, location: new URL(`${own}/page/`)});

/** Makes a session whose requests are recorded and not sent. @param {Consent} consent */
function recordingSession(consent) {
  /** @type {string[]} */
  const requests = [];
  const record = async (/** @type {any} */ address) => {
    if (address) requests.push(String(address));
    throw new Error('not sent');
  };
  globalThis.fetch = record;
  const engine = {hasEnded: false, endIfStuck: async () => {}, load: record, dispose() {}};
  const create = async (/** @type {string} */ preload) => {
    if (preload) requests.push(preload);
    return engine;
  };
  const check = (/** @type {string} */ address) => consent.check(address);
  const shared = new SharedEngine(/** @type {any} */ (create), new ModelCache(3), check);
  /** @type {EngineAccess} */
  const access = {
    ...accessTo(async () => ({defaultModel: `${own}/embedded.safetensors`, pageEngine: shared})),
    mayFetch: check,
    readFile: record,
  };
  const listener = {onChange() {}, onReady() {}, onPass() {}, onUntouched() {}, onError() {}};
  return {session: new Session({engine: access, ...listener}), requests};
}

const words = fc.stringMatching(/^[\w.:/\\@?#%&;= \t-]{0,12}$/);
const part = fc.oneof(
  words,
  fc.constantFrom('https://', '//', 'hub:', 'kept:', 'evil.test', 'own.test', '@', '\\\\', '/a/b'),
  fc.constantFrom('.json', '.npz', '.safetensors', 'http:', 'HTTPS://EVIL.TEST', 'data:,', 'blob:'),
);
const source = fc.array(part, {maxLength: 6}).map((parts) => parts.join(''));

test('no link makes the page ask a host that the reader has not approved', async () => {
  let questions = 0;
  const property = fc.asyncProperty(source, async (src) => {
    const consent = new Consent();
    consent.isKept = async () => false;
    const {session, requests} = recordingSession(consent);
    await session.load(src);
    if (session.failure instanceof ConsentNeeded) questions += 1;
    for (const request of requests) {
      // Named models that are kept are opened without a request.
      if (request.startsWith('kept:')) continue;
      const {origin, protocol} = new URL(request);
      assert(origin === own || protocol === 'data:' || protocol === 'blob:', request);
    }
  });
  await fc.assert(property, tries(2000));
  assert(questions > 100, `${questions} questions`);
  if (isLong) console.log(`questions asked: ${questions}`);
});

test('what the reader has approved, or the browser keeps, is asked for', async () => {
  const consent = new Consent();
  consent.isKept = async (source) => source === 'hub:a/kept';
  const {session, requests} = recordingSession(consent);
  await session.load('https://evil.test/model.safetensors');
  const {failure} = session;
  assert(failure instanceof ConsentNeeded);
  assert.match(failure.message, /“model\.safetensors” from evil\.test/);
  assert.equal(failure.label, 'Load it from evil.test');
  failure.grant();
  await session.load('https://evil.test/model.safetensors');
  await session.load('hub:a/kept');
  consent.approve('hub:https://mirror.test/a/b');
  await session.load('hub:https://mirror.test/a/c@v2');
  assert.deepEqual(
    requests.filter((address) => !address.startsWith(own)),
    [
      'https://evil.test/model.safetensors',
      'https://evil.test/model.safetensors',
      'hub:a/kept',
      'hub:https://mirror.test/a/c@v2',
    ],
  );
});

test('a model that has ended its engine twice without a text between is opened after a question', async (t) => {
  const stored = storageOf(t, 'localStorage');
  const consent = new Consent();
  consent.isKept = async () => true;
  const {session, requests} = recordingSession(consent);
  noteEnd('kept:bad');
  noteEnd('kept:other');
  forgiveEnds('kept:other');
  noteEnd('kept:other');
  noteEnd('kept:bad');
  await session.load('kept:other');
  await session.load('kept:bad');
  assert.deepEqual(new Set(requests), new Set(['kept:other']));
  const {failure} = session;
  assert(failure instanceof ConsentNeeded);
  assert.match(failure.message, /^“bad” has ended its engine twice/);
  failure.grant();
  await session.load('kept:bad');
  assert.deepEqual(new Set(requests), new Set(['kept:other', 'kept:bad']));
  for (let i = 0; i < 60; i++) noteEnd(`kept:${i}`);
  assert.equal(JSON.parse([...stored.values()][0]).length, 50);
});

test('an element of an author fetches what its author wrote', async () => {
  const {session, requests} = recordingSession(new Consent());
  await session.load('https://elsewhere.test/saved.json');
  assert.deepEqual(requests, ['https://elsewhere.test/saved.json']);
});
