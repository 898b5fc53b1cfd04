/** Tests that checkpoints from before PyTorch 1.6 are read, and that damaged ones are refused. */

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import fc from 'fast-check';
import {blobFile, readBytes} from '../../../web/engine/files/byte-file.js';
import {openFiles} from '../../../web/engine/files/model-sources.js';
import {readPyTorch} from '../../../web/engine/files/pytorch.js';
import {readZip} from '../../../web/engine/files/zip.js';
import {allAttention, goldenFolder, join, loadGolden, runtime} from '../support.js';
import {tries} from '../../support/tries.js';
import {readsOrRefuses} from './damaged-checkpoint.js';

const FOLDER = goldenFolder('distilbert');

/** @param {Uint8Array} bytes @param {string} [path] */
const fileOf = (bytes, path = 'm.bin') =>
  blobFile(new Blob([/** @type {BlobPart} */ (bytes)]), path);

/** @param {string} latin1 */
const bytesOf = (latin1) => new Uint8Array(Buffer.from(latin1, 'latin1'));

/** A pickled string. @param {string} text */
const pickled = (text) => `X${String.fromCharCode(text.length)}\0\0\0${text}`;

const MAGIC = '\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.';
const VERSION = '\x80\x02M\xe9\x03.';

/**
 * Writes a checkpoint in the older format, with the tensors of the golden one.
 * @param {{version?: string, isLittleEndian?: boolean, keysOf?: (keys: string[]) => string[]}} [changes]
 */
async function legacy({version = VERSION, isLittleEndian = true, keysOf = (keys) => keys} = {}) {
  const archive = fileOf(new Uint8Array(readFileSync(`${FOLDER}/pytorch_model.bin`)));
  const entries = [...(await readZip(archive))];
  const [, pickle] = entries.find(([path]) => path.endsWith('data.pkl')) ?? [];
  assert(pickle);
  const storages = entries.filter(([path]) => path.includes('/data/'));
  const machine = `\x80\x02}${pickled('little_endian')}${isLittleEndian ? '\x88' : '\x89'}s.`;
  const keys = keysOf(storages.map(([path]) => path.split('/').at(-1) ?? ''));
  const parts = [
    bytesOf(MAGIC + version + machine),
    await readBytes(pickle, 0, pickle.bytes ?? 0),
    bytesOf(`\x80\x02](${keys.map(pickled).join('')}e.`),
  ];
  for (const [, storage] of storages) {
    const size = storage.bytes ?? 0;
    const count = new Uint8Array(8);
    new DataView(count.buffer).setUint32(0, size / 4, true);
    parts.push(count, await readBytes(storage, 0, size));
  }
  return join(parts);
}

test('a checkpoint from before PyTorch 1.6 is the same model as one of today', async () => {
  const texts = ['config.json', 'vocab.txt'].map((path) => ({
    path,
    file: new Blob([readFileSync(`${FOLDER}/${path}`)]),
  }));
  const bytes = /** @type {BlobPart} */ (await legacy());
  const weights = {path: 'pytorch_model.bin', file: new Blob([bytes])};
  const source = await openFiles([...texts, weights], 'old');
  const model = await runtime.load(source, {precision: 'f32'});
  assert.deepEqual(
    await allAttention(model, 'time flies'),
    await allAttention(await loadGolden('distilbert'), 'time flies'),
  );
});

test('a checkpoint of the older format that does not hold together is refused', async () => {
  const refuses = async (/** @type {Promise<Uint8Array>} */ bytes, /** @type {RegExp} */ message) =>
    assert.rejects(readPyTorch(fileOf(await bytes)), {code: 'bad-checkpoint', message});
  const whole = await legacy();
  await refuses(
    legacy({version: '\x80\x02K\x01.'}),
    /expected version 1001 of the format, found 1/,
  );
  await refuses(legacy({isLittleEndian: false}), /little-endian order, found the other order/);
  await refuses(legacy({keysOf: (keys) => [...keys, 'x']}), /every storage, found none of "x"/);
  await refuses(legacy({keysOf: ([, ...keys]) => keys}), /\(more than its storages\)/);
  await refuses(Promise.resolve(whole.slice(0, -1)), /\(the file is cut off\)/);
});

test('any damaged checkpoint of the older format is refused in a sentence or read to its end', async () => {
  const whole = await legacy();
  const damage = fc.tuple(fc.nat(12000), fc.nat(255), fc.boolean());
  const property = fc.asyncProperty(damage, async ([at, byte, isCut]) => {
    const bytes = isCut ? whole.slice(0, at) : whole.slice();
    if (!isCut) bytes[at] = byte;
    await readsOrRefuses(fileOf(bytes));
  });
  await fc.assert(property, tries(300));
});
