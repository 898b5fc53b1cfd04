import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {mock, test} from 'node:test';
import {runInNewContext} from 'node:vm';

const source = readFileSync(new URL('../../web/page/service-worker.js', import.meta.url), 'utf8');

/** Starts a service worker without files, and returns what a browser would give it. @param {object | null} waiting  the newer worker @param {object} [globals]  others that it sees */
function startWorker(waiting, globals = {}) {
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

test('a worker takes over when the one before asks it', () => {
  const {self, listeners} = startWorker(null);
  /** @type {Promise<unknown>[]} */
  const work = [];
  listeners.message({data: {takeOver: true}, waitUntil: (/** @type {any} */ it) => work.push(it)});
  assert.equal(self.skipWaiting.mock.callCount(), 1);
  assert.equal(work.length, 1);
});

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
