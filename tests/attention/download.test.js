import assert from 'node:assert/strict';
import {once} from 'node:events';
import {createServer} from 'node:http';
import {after, test} from 'node:test';
import {download} from '../../web/attention/download.js';

const content = Buffer.from('{"tokens": []}');
/** The numbers of bytes that the server sends, request by request, before it falls silent; -1: not even a status. @type {number[]} */
let silentAfter = [];
let requests = 0;
/** @type {Promise<unknown>[]} */
let closed = [];

const server = createServer((request, response) => {
  requests++;
  const end = silentAfter.shift() ?? content.length;
  if (end < content.length) closed.push(once(response, 'close'));
  if (end < 0) return;
  response.writeHead(request.url === '/missing' ? 404 : 200);
  response.write(content.subarray(0, end));
  if (end === content.length) response.end();
});
await once(server.listen(0, 'localhost'), 'listening');
const {port} = /** @type {import('node:net').AddressInfo} */ (server.address());
after(() => {
  server.closeAllConnections();
  server.close();
});

/** @param {number[]} silences */
async function read(silences, path = 'saved.json') {
  silentAfter = [...silences];
  requests = 0;
  closed = [];
  const bytes = await download(`http://localhost:${port}/${path}`, {milliseconds: 500});
  return new TextDecoder().decode(bytes);
}

test('a saved picture whose server falls silent is asked for once more', async () => {
  for (const silences of [[], [-1], [3]]) {
    assert.equal(await read(silences), String(content));
    assert.equal(requests, silences.length + 1);
  }
});

test('a server that stays silent is given up, and its connections are closed', async () => {
  for (const silences of [
    [-1, -1],
    [3, 3],
  ]) {
    await assert.rejects(read(silences), /saved\.json: expected an answer, found none for 0\.5 s$/);
    assert.equal(requests, 2);
    await Promise.all(closed);
  }
});

test('a server that refuses is not asked again', async () => {
  await assert.rejects(read([], 'missing'), /missing answered 404$/);
  assert.equal(requests, 1);
});

test('a download ends when nobody waits for it', async () => {
  silentAfter = [3];
  closed = [];
  const controller = new AbortController();
  const ended = assert.rejects(
    download(`http://localhost:${port}/saved.json`, {signal: controller.signal}),
    {name: 'AbortError'},
  );
  while (closed.length === 0) await new Promise((resolve) => setImmediate(resolve));
  controller.abort();
  await Promise.all([ended, ...closed]);
});
