import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {mock, test} from 'node:test';
import {runInNewContext} from 'node:vm';

const read = (/** @type {string} */ path) => readFileSync(new URL(path, import.meta.url), 'utf8');
const ownSource = read('../../web/page/service-worker.js');
const offSource = read('../../scripts/hosting/service-worker-off.js');

/** Starts a service worker without files, and returns what a browser would give it. @param {object | null} waiting  the newer worker @param {object} [globals]  others that it sees */
function startWorker(waiting, globals = {}, source = ownSource) {
  /** @type {Record<string, (event: any) => void>} */
  const listeners = {};
  const self = {
    __RELEASE__: {id: 'old', files: []},
    registration: {scope: 'https://page.example/', waiting},
    addEventListener: (/** @type {string} */ name, /** @type {any} */ listener) =>
      (listeners[name] = listener),
    skipWaiting: mock.fn(async () => {}),
  };
  runInNewContext(source, {self, URL, setTimeout, clearTimeout, ...globals});
  const ask = () =>
    listeners.fetch({request: {method: 'GET', url: 'https://other.example/', mode: 'cors'}});
  return {self, listeners, ask};
}

test('a worker that pages still ask for files lets the newer one take over when they are quiet', () => {
  mock.timers.enable({apis: ['setTimeout']});
  try {
    const waiting = {postMessage: mock.fn()};
    const {ask} = startWorker(waiting);
    for (let i = 0; i < 10; i++) {
      ask();
      mock.timers.tick(400);
    }
    assert.equal(waiting.postMessage.mock.callCount(), 0);
    mock.timers.tick(1000);
    assert.deepEqual(
      waiting.postMessage.mock.calls.map(({arguments: [message]}) => ({...message})),
      [{takeOver: true}],
    );
  } finally {
    mock.timers.reset();
  }
});

for (const [which, source] of [
  ['a worker', ownSource],
  ['the worker that takes the others away', offSource],
]) {
  test(`${which} takes over when the one before asks it`, () => {
    const {self, listeners} = startWorker(null, {}, source);
    /** @type {Promise<unknown>[]} */
    const work = [];
    const waitUntil = (/** @type {Promise<unknown>} */ each) => work.push(each);
    listeners.message({data: {takeOver: true}, waitUntil});
    assert.equal(self.skipWaiting.mock.callCount(), 1);
    assert.equal(work.length, 1);
  });
}

test('a page whose storage is broken or denied gets its files from the host', async () => {
  const refuse = async () => {
    throw new DOMException('the operation is insecure', 'SecurityError');
  };
  const caches = {keys: refuse, match: refuse, open: refuse};
  const answer = {ok: true};
  const {listeners} = startWorker(null, {caches, fetch: async () => answer});
  for (const mode of ['navigate', 'cors']) {
    const request = {method: 'GET', url: 'https://page.example/a.js', mode};
    /** @type {Promise<unknown>[]} */
    const answers = [];
    listeners.fetch({request, respondWith: (/** @type {any} */ it) => answers.push(it)});
    assert.deepEqual(await Promise.all(answers), [answer]);
  }
});
