import assert from 'node:assert/strict';
import {test} from 'node:test';
import {zipSync} from 'fflate';
import {blobFile} from '../../../web/engine/files/byte-file.js';
import {readZip} from '../../../web/engine/files/zip.js';

test('a file is inflated in pieces of 32 kB, each of which browsers inflate whole', async (t) => {
  /** @type {number[]} */
  const pieces = [];
  const {DecompressionStream: Native} = globalThis;
  t.after(() => Object.assign(globalThis, {DecompressionStream: Native}));
  class Recorded {
    constructor() {
      const {readable, writable} = new TransformStream({
        transform(piece, controller) {
          pieces.push(piece.length);
          controller.enqueue(piece);
        },
      });
      this.writable = writable;
      this.readable = readable.pipeThrough(new Native('deflate-raw'));
    }
  }
  Object.assign(globalThis, {DecompressionStream: Recorded});
  const noise = crypto.getRandomValues(new Uint8Array(60_000));
  const content = Buffer.concat(Array(5).fill(noise)); // too far apart to be packed as repetitions
  const archive = zipSync({a: content});
  const files = await readZip(blobFile(new Blob([archive]), 'm.zip'));
  const read = [];
  for await (const chunk of files.get('a')?.read() ?? []) read.push(chunk);
  assert(Buffer.concat(read).equals(content));
  assert(pieces.length > 0);
  assert(Math.max(...pieces) <= 2 ** 15, pieces.join());
});

test('a file whose packed bytes cannot be read fails with the error of their source', async () => {
  const noise = crypto.getRandomValues(new Uint8Array(60_000));
  const content = Buffer.concat(Array(5).fill(noise));
  const whole = blobFile(new Blob([zipSync({a: content})]), 'm.zip');
  const lost = new Error('the network is gone');
  const files = await readZip({
    ...whole,
    async *read(begin = 0, end = 0) {
      yield* whole.read(begin, end);
      if (end - begin > content.length) throw lost;
    },
  });
  const read = async () => {
    for await (const chunk of files.get('a')?.read() ?? []) assert.ok(chunk.length);
  };
  await assert.rejects(read, lost);
});
