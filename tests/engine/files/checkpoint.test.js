/** Tests that PyTorch checkpoints and zip archives are read, and that damaged or dangerous ones are refused. */

import assert from 'node:assert/strict';
import {randomBytes} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {setImmediate} from 'node:timers/promises';
import fc from 'fast-check';
import {zipSync} from 'fflate';
import {blobFile, readBytes} from '../../../web/engine/files/byte-file.js';
import {BertscopeError} from '../../../web/engine/errors.js';
import {readPickle} from '../../../web/engine/files/pickle.js';
import {readPyTorch} from '../../../web/engine/files/pytorch.js';
import {openFiles} from '../../../web/engine/files/model-sources.js';
import {readZip} from '../../../web/engine/files/zip.js';
import {goldenFolder, runtime} from '../support.js';
import {eventually} from '../../support/eventually.js';
import {tries} from '../../support/tries.js';
import {readsOrRefuses} from './damaged-checkpoint.js';

const checkpoint = new Uint8Array(readFileSync(`${goldenFolder('distilbert')}/pytorch_model.bin`));

/** @param {Uint8Array} bytes */
const fileOf = (bytes) => blobFile(new Blob([/** @type {BlobPart} */ (bytes)]), 'm.bin');

/** @param {string} latin1 */
const pickle = (latin1) => readPickle(Buffer.from(latin1, 'latin1'), 'm.bin');

for (const [what, text, message] of /** @type {[string, string, RegExp][]} */ ([
  [
    'a call of the system',
    '\x80\x02cposix\nsystem\nX\x02\0\0\0ls\x85R.',
    /nothing to be loaded but .*, found posix.system/,
  ],
  ['a name from the stack', '\x80\x04\x8c\x02os\x8c\x06system\x93.', /found os.system/],
  [
    'a class to be made',
    '\x80\x02ctorch\nFloatStorage\n)\x81.',
    /found instruction 0x81 at byte 23/,
  ],
  ['an instance', '\x80\x02}(ibuiltins\nset\n.', /found instruction 0x69/],
  ['a text instruction', "\x80\x02S'a'\n.", /found instruction 0x53/],
  [
    'a call of a storage',
    '\x80\x02ctorch\nFloatStorage\n)R.',
    /expected a call that rebuilds a tensor/,
  ],
  [
    'a persistent name of something else',
    '\x80\x02X\x01\0\0\0aQ.',
    /expected the name of a storage, found "a"/,
  ],
  ['a value that is not there', '\x80\x02h\x07.', /expected value 7 to be there/],
  ['an end without a value', '\x80\x02.', /expected a value, found none/],
  ['no end', '\x80\x02}', /expected more bytes, found the end/],
  ['another protocol', '\x80\x01}.', /expected pickle protocol 2 to 5, found 1/],
])) {
  test(`a pickle with ${what} is refused by name, and no code is run`, () => {
    assert.throws(() => pickle(text), {code: 'bad-pickle', message});
  });
}

test('any bytes are read as a pickle or refused in a sentence', async () => {
  const entries = [...(await readZip(fileOf(checkpoint)))];
  const [, file] = entries.find(([path]) => path.endsWith('data.pkl')) ?? [];
  assert(file);
  const real = await readBytes(file, 0, file.bytes ?? 0);
  const changed = fc.tuple(fc.nat(real.length - 1), fc.nat(255)).map(([at, byte]) => {
    const bytes = real.slice();
    bytes[at] = byte;
    return bytes;
  });
  const any = fc.oneof(fc.uint8Array({maxLength: 60}), changed);
  fc.assert(
    fc.property(any, (bytes) => settles(() => readPickle(bytes, 'm'))),
    tries(2000),
  );
});

/** @param {() => unknown} action */
function settles(action) {
  try {
    action();
  } catch (error) {
    if (!(error instanceof BertscopeError)) throw error;
    assert(error.message.length < 700);
  }
}

test('any damaged checkpoint is refused in a sentence or read to its end', async () => {
  const damage = fc.oneof(
    fc.tuple(fc.nat(checkpoint.length - 1), fc.nat(255)),
    // The damage is in the directory and the pickle, where nearly every byte matters.
    fc.tuple(fc.integer({min: checkpoint.length - 6000, max: checkpoint.length - 1}), fc.nat(255)),
    fc.tuple(fc.nat(4000), fc.nat(255)),
  );
  const property = fc.asyncProperty(damage, fc.boolean(), async ([at, byte], isCut) => {
    const bytes = isCut ? checkpoint.slice(0, at) : checkpoint.slice();
    if (!isCut) bytes[at] = byte;
    await readsOrRefuses(fileOf(bytes));
  });
  await fc.assert(property, tries(300));
});

/** The pickle of a 2x2 tensor. @param {string} offset @param {string} stride */
const squareTensor = (offset, stride) =>
  `\x80\x02}X\x01\0\0\0wctorch._utils\n_rebuild_tensor_v2\n((X\x07\0\0\0storagectorch\nFloatStorage\nX\x01\0\0\x000X\x03\0\0\0cpuK\x04tQ${offset}K\x02K\x02\x86${stride}\x89ccollections\nOrderedDict\n)RtRs.`;

/** @param {string} text @param {Record<string, Uint8Array>} [more] */
const archive = (text, more) =>
  fileOf(
    zipSync(
      {'m/data.pkl': Buffer.from(text, 'latin1'), 'm/data/0': new Uint8Array(16), ...more},
      {level: 0},
    ),
  );

test('a tensor that is not stored row by row or lies beyond its storage is refused', async () => {
  const good = await readPyTorch(archive(squareTensor('K\0', 'K\x02K\x01\x86')));
  assert.deepEqual(good.header.tensors[0].shape, [2, 2]);
  await assert.rejects(readPyTorch(archive(squareTensor('K\0', 'K\x01K\x02\x86'))), {
    code: 'bad-checkpoint',
    message: /expected w to lie row by row, found strides \[1,2\] for shape \[2,2\]/,
  });
  await assert.rejects(readPyTorch(archive(squareTensor('K\x01', 'K\x02K\x01\x86'))), {
    message: /expected w within the 4 elements of its storage/,
  });
});

test('numbers in big-endian order are refused', async () => {
  const withOrder = (/** @type {string} */ order) =>
    readPyTorch(
      archive(squareTensor('K\0', 'K\x02K\x01\x86'), {'m/byteorder': Buffer.from(order)}),
    );
  assert.equal((await withOrder('little')).dataBytes, 16);
  await assert.rejects(withOrder('big'), {
    code: 'bad-checkpoint',
    message: /expected numbers in little-endian order, found "big"/,
  });
});

test('the bytes of a tensor are left out as soon as they are not wanted', async () => {
  const {header, pieces} = await readPyTorch(fileOf(checkpoint));
  /** @type {number[]} */
  const begun = [];
  let bytesRead = 0;
  for await (const {tensor, bytes, first, skip} of pieces) {
    if (first) begun.push(tensor.begin);
    if (begun.length > 1) skip?.();
    bytesRead += bytes.length;
  }
  assert.equal(begun.length, header.tensors.length);
  const [{begin, end}] = header.tensors;
  assert.equal(bytesRead, end - begin);
});

for (const level of /** @type {const} */ ([0, 6])) {
  for (const name of ['odd-sizes', 'roberta', 'albert']) {
    test(`${name} loads from a zip archive (level ${level}), whatever folder is around it`, async () => {
      const read = (/** @type {string} */ file) =>
        new Uint8Array(readFileSync(`${goldenFolder(name)}/${file}`));
      const texts =
        {
          'odd-sizes': ['vocab.txt'],
          roberta: ['vocab.json', 'merges.txt'],
          albert: ['tokenizer.json'],
        }[name] ?? [];
      const files = [...texts, 'config.json', 'model.safetensors'].map((file) => [
        `${name}/${file}`,
        read(file),
      ]);
      const junk = {
        '__MACOSX/x/config.json': new Uint8Array(3),
        [`${name}/1_Pooling/config.json`]: new Uint8Array(2),
      };
      const bytes = zipSync({...Object.fromEntries(files), ...junk}, {level});
      const file = new Blob([/** @type {BlobPart} */ (bytes)]);
      const model = await runtime.load(await openFiles([{path: `${name}.zip`, file}]));
      assert.equal(model.name, name);
      assert((await model.attend('the cat')).tokens.length > 3);
    });
  }
}

test('a file of a zip archive that ends early is refused once its end is read', async () => {
  const bytes = zipSync({a: new Uint8Array(randomBytes(1000))});
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const directory = view.getUint32(bytes.length - 6, true);
  view.setUint32(directory + 24, 1001, true);
  const [file] = (await readZip(fileOf(bytes))).values();
  await assert.rejects(readBytes(file, 0, 1001), {
    code: 'bad-zip',
    message: 'm.bin: a: expected 1001 bytes, deflated, found 1000',
  });
  assert.equal((await readBytes(file, 0, 1000)).length, 1000);
});

test('damaged data in a zip archive are reported as such, even if the archive cannot be closed', async () => {
  const archive = fileOf(zipSync({a: new Uint8Array(randomBytes(200_000))}));
  let closings = 0;
  /** @type {AsyncIterator<Uint8Array>} It does not end by itself. */
  const damaged = {
    next: async () => setImmediate({value: new Uint8Array(100).fill(0xff)}),
    return: async () => {
      closings += 1;
      throw new Error('It cannot be closed.');
    },
  };
  const read = (begin = 0, end = 0) =>
    end - begin > 150_000 ? {[Symbol.asyncIterator]: () => damaged} : archive.read(begin, end);
  const [file] = (await readZip({...archive, read})).values();
  await assert.rejects(readBytes(file, 0, 200_000), {message: /found damaged data$/});
  await eventually('the archive to be closed', () => assert.equal(closings, 1));
});

test('a stored file of a zip archive that states more bytes than it has is refused', async () => {
  const bytes = zipSync({a: new Uint8Array(10), b: new Uint8Array(10)}, {level: 0});
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  view.setUint32(view.getUint32(bytes.length - 6, true) + 24, 15, true);
  await assert.rejects(readZip(fileOf(bytes)), {
    code: 'bad-zip',
    message: /expected the 10 bytes of a, which is stored, found 15 stated/,
  });
});

test('any damaged zip archive is refused in a sentence or read to its end', async () => {
  const bytes = zipSync({
    'a/config.json': Buffer.from('{}'.repeat(99)),
    b: [new Uint8Array(50), {level: 0}],
  });
  const property = fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(255), async (at, byte) => {
    const damaged = bytes.slice();
    damaged[at] = byte;
    try {
      for (const file of (await readZip(fileOf(damaged))).values())
        await readBytes(file, 0, Math.min(file.bytes ?? 0, 1000));
    } catch (error) {
      if (!(error instanceof BertscopeError)) throw error;
    }
  });
  await fc.assert(property, tries(1500));
});
