import assert from 'node:assert/strict';
import {once} from 'node:events';
import {createServer} from 'node:http';
import {after, before, test} from 'node:test';
import {readBytes} from '../../../web/engine/files/byte-file.js';
import {openHttpFile} from '../../../web/engine/files/http-file.js';

const content = Buffer.from('0123456789');
/** The numbers of bytes that the server sends, request by request, before it falls silent. @type {number[]} */
let silentAfter = [];
let requests = 0;

const server = createServer((request, response) => {
  requests++;
  const begin = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
  const end = silentAfter.shift() ?? content.length;
  if (end < 0) return;
  response.writeHead(begin ? 206 : 200, {'content-length': content.length - begin});
  response.write(content.subarray(begin, end));
  if (end === content.length) response.end();
});
let url = '';
before(async () => {
  await once(server.listen(0, 'localhost'), 'listening');
  const {port} = /** @type {import('node:net').AddressInfo} */ (server.address());
  url = `http://localhost:${port}/file`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

/** @param {number[]} silences */
async function read(silences) {
  silentAfter = silences;
  requests = 0;
  const file = await openHttpFile(url, {silenceMilliseconds: 100, retryMilliseconds: [1, 1, 1]});
  return Buffer.from(await readBytes(file, 0, content.length)).toString();
}

test('a download that falls silent goes on from where it stopped', async () => {
  assert.equal(await read([3, 7]), '0123456789');
  assert.equal(requests, 3);
});

test('a server that stays silent is asked once more and then given up', async () => {
  await assert.rejects(read([3, 3, 3]), {
    code: 'read-failed',
    message:
      /broken after 3 and the rest not available \(expected an answer, found none for 0\.1 s\)/,
  });
  assert.equal(requests, 2);
});

test('a server that never answers is given up', async () => {
  await assert.rejects(read([-1]), {code: 'silent-server', message: /found none for 0\.1 s/});
});

for (const [what, encoding, bytes] of /** @type {const} */ ([
  ['the length of its answer', {}, 9],
  ['unknown if the answer is compressed', {'content-encoding': 'gzip'}, undefined],
])) {
  test(`the stated size of a file is ${what}`, async () => {
    // Only the hub's redirection has the other header, where no page sees it.
    const headers = {'content-length': '9', 'x-linked-size': '-5', ...encoding};
    const started = Promise.resolve(new Response('012345678', {headers}));
    assert.equal((await openHttpFile(url, {started})).statedBytes, bytes);
  });
}
