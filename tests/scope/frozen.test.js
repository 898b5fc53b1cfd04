import assert from 'node:assert/strict';
import {afterEach, beforeEach, test} from 'node:test';
import {noReaderChanges} from '../../web/attention/reader-changes.js';
import {snapshotToJson} from '../../web/attention/snapshot.js';
import {failureText} from '../../web/scope/messages.js';
import {readerChangesCodec} from '../../web/scope/no-reader-changes-codec.js';
import {readProperty} from '../../web/scope/property-values.js';
import {Session} from '../../web/session/session.js';
import {passOf} from './passes.js';

const {fetch: ownFetch} = globalThis;
beforeEach(() => {
  Object.assign(globalThis, {document: {baseURI: 'https://example.test/'}});
});
afterEach(() => {
  globalThis.fetch = ownFetch;
  Reflect.deleteProperty(globalThis, 'document');
});

/** Makes a session without live parts, as in the frozen build; `told` lists what a reader reads. */
function frozenSession() {
  /** @type {string[]} */
  const told = [];
  const session = new Session({
    engine: null,
    onChange: () => {},
    onReady: () => told.push('ready'),
    onPass: ({name}) => told.push(`pass ${name}`),
    onUntouched: () => told.push('untouched'),
    onError: (error) => told.push(failureText(error, false, null)),
  });
  return {session, told};
}

test('without live parts a saved picture is shown', async () => {
  const {session, told} = frozenSession();
  assert.equal(session.loadsSaved, true);
  globalThis.fetch = async () =>
    new Response(JSON.stringify(snapshotToJson(passOf('time flies').snapshot)));
  await session.load('saved.json');
  assert.deepEqual(told, ['pass saved.json']);
  session.releaseModel();
  assert.equal(session.resume(), true);
});

test('without live parts no model is loaded, and the reader is told so', async () => {
  const {session, told} = frozenSession();
  await session.load('');
  assert.equal(told.length, 1);
  assert.match(told[0], /has no model to run/);
  assert.equal(session.loadsSaved, true);
});

test('without live parts an NPZ file is refused', async () => {
  const {session, told} = frozenSession();
  globalThis.fetch = async () => new Response(Uint8Array.of(0x50, 0x4b, 3, 4));
  await session.load('saved.npz');
  assert.match(told[0], /^The saved picture cannot be shown\. Expected .* JSON in saved\.npz/);
});

test('without live parts changes to a model are ignored', () => {
  const field = {initial: noReaderChanges, codec: readerChangesCodec};
  for (const text of ['off=3.1', 'off=x']) {
    assert.deepEqual(readProperty(field, text), {value: noReaderChanges, unread: ''});
  }
});
