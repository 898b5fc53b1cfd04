/** Tests that an access token reaches the hub that it is for, and nothing else: no other host, error or note. */

import assert from 'node:assert/strict';
import {once} from 'node:events';
import {readFile} from 'node:fs/promises';
import {createServer} from 'node:http';
import {after, beforeEach, test} from 'node:test';
import {createEngine} from '../../web/engine/index.js';
import {openHttpFile} from '../../web/engine/files/http-file.js';
import {locationOf} from '../../web/engine/client/sendable-source.js';
import {goldenFolder} from './support.js';
import {ThreadWorker} from './thread-worker.js';

/** @import {IncomingMessage, ServerResponse} from 'node:http' */
/** @import {AddressInfo} from 'node:net' */

// The page has the origin of its scripts, which is "null" for files.
Object.assign(globalThis, {Worker: ThreadWorker, self: {origin: 'null'}});

const token = 'hf_TheSecretOfSomeone';

/** @typedef {(request: IncomingMessage, response: ServerResponse) => void} Answer */

/** A host that answers as a test says, and notes every request with all that came with it. */
async function startHost() {
  /** @type {{answer: Answer, requests: string[]}} */
  const host = {answer: (_, response) => void response.writeHead(404).end(), requests: []};
  const server = createServer((request, response) => {
    host.requests.push(`${request.url} ${JSON.stringify(request.headers)}`);
    host.answer(request, response);
  });
  await once(server.listen(0, 'localhost'), 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const {port} = /** @type {AddressInfo} */ (server.address());
  return Object.assign(host, {url: `http://localhost:${port}`});
}

const weights = await readFile(`${goldenFolder('odd-sizes')}/model.safetensors`);
const [hub, other] = [await startHost(), await startHost()];
const engine = await createEngine();
after(() => engine.dispose());
beforeEach(() => {
  for (const host of [hub, other]) host.requests.length = 0;
});

/** @param {number} status @param {() => string} place @returns {Answer} */
const redirect = (status, place) => (request, response) =>
  void response.writeHead(status, {location: place() + request.url}).end();
/** Answers with all that came with a request. @param {number} status @returns {Answer} */
const echo = (status) => (request, response) => {
  const {authorization = 'nothing'} = request.headers;
  if (request.url?.endsWith('model.safetensors')) return void response.end(weights);
  const names = ['retry-after', 'x-error-message', 'x-error-code', 'x-repo-commit', 'etag'];
  const headers = Object.fromEntries(names.map((name) => [name, authorization]));
  response.writeHead(status, headers).end(authorization);
};

/** @param {string} [endpoint] @param {string} [source] @returns {Promise<Error & {code?: string}>} */
const load = (endpoint = hub.url, source = 'hub:someone/private') =>
  engine.load(source, {endpoint, token}).then(
    () => assert.fail('it loaded'),
    (error) => error,
  );

for (const status of [301, 302, 303, 307, 308]) {
  test(`no token follows a redirect with status ${status} to another host`, async () => {
    hub.answer = redirect(status, () => other.url);
    other.answer = echo(200);
    const {message} = await load();
    assert.match(message, /config\.json: expected JSON, found text that is not .*nothing/);
    assert(hub.requests[0].includes(token));
    assert(other.requests.length > 0);
    assert(!String(other.requests).includes(token) && !message.includes(token), message);
  });
}

test('a token that a redirect has taken away does not come back with the next one', async () => {
  hub.answer = (request, response) => {
    if (request.headers.authorization) return redirect(302, () => other.url)(request, response);
    echo(200)(request, response);
  };
  other.answer = redirect(302, () => hub.url);
  assert.match((await load()).message, /config\.json: expected JSON/);
  assert(!String(other.requests).includes(token) && !hub.requests[1].includes(token));
});

test('a hub that redirects to itself for ever is given up', async () => {
  hub.answer = redirect(302, () => hub.url);
  const {code, message} = await load();
  assert.equal(code, 'no-answer');
  assert(!message.includes(token), message);
});

for (const status of [200, 401, 403, 404, 429, 500]) {
  test(`an error does not quote the token from an answer with status ${status}`, async () => {
    hub.answer = echo(status);
    const {message} = await load();
    assert.match(message, /^.{20,500}$/);
    assert(!message.includes(token), message);
  });
}

test('what is no commit is not kept as the commit of a model', async () => {
  hub.answer = echo(200);
  const file = await openHttpFile(hub.url, {token});
  await file.close?.();
  assert.equal(file.commit, undefined);
});

test('a token for one hub is not sent to another that the source names', async () => {
  const elsewhere = `hub:${other.url}/someone/private`;
  other.answer = echo(200);
  assert.match((await load(hub.url, elsewhere)).message, /found text that is not .*nothing/);
  assert(other.requests.length > 0 && !String(other.requests).includes(token));
  await load('https://huggingface.co', elsewhere);
  assert(!String(other.requests).includes(token));

  // But to the one that was named, however its address is written.
  for (const [endpoint, source] of [
    [`${other.url}/`, elsewhere],
    [other.url, 'hub:someone/private'],
    [undefined, elsewhere],
  ]) {
    assert.equal(locationOf(/** @type {string} */ (source), {endpoint, token}).token, token);
  }
});
