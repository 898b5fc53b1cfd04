import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {BertscopeError} from '../../../web/engine/errors.js';
import {ITEM_BYTES} from '../../../web/engine/files/safetensors-header.js';
import {readSafetensors} from '../../../web/engine/files/safetensors.js';
import {inChunks, readAll, safetensors, withHeader} from '../support.js';
import {tries} from '../../support/tries.js';

const small = safetensors(
  [
    {name: 'a', dtype: 'F32', shape: [2], bytes: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)},
    {name: 'empty', dtype: 'I8', shape: [0, 3], bytes: new Uint8Array(0)},
    {name: 'b', dtype: 'U8', shape: [3], bytes: Uint8Array.of(9, 10, 11)},
  ],
  {format: 'pt'},
);

/** @param {RegExp} message */
const refusal = (message) => ({name: 'BertscopeError', code: 'bad-safetensors', message});

test('a file reads the same wherever its chunks are cut', async () => {
  const whole = await readAll(inChunks(small));
  assert.deepEqual([...whole.tensors.keys()], ['a', 'empty', 'b']);
  for (let first = 0; first <= small.length; first++) {
    for (let second = first; second <= small.length; second++) {
      assert.deepEqual(await readAll(inChunks(small, [first, second])), whole);
    }
  }
});

test('a file cut off at any length is refused, with both lengths in the message', async () => {
  for (let length = 0; length < small.length; length++) {
    const cut = small.subarray(0, length);
    await assert.rejects(readAll(inChunks(cut)), refusal(/^file: expected .*\d+ .*found \d+/));
  }
  const [whole, last] = [small.length, small.length - 1];
  const pattern = new RegExp(`expected ${whole} bytes, found ${last} \\(the file is cut off in `);
  await assert.rejects(readAll(inChunks(small.subarray(0, last))), refusal(pattern));
});

test('a written file is read back unchanged', async () => {
  const tensor = fc
    .record({
      name: fc.string().filter((name) => name !== '__metadata__'),
      dtype: fc.constantFrom(
        .../** @type {(keyof typeof ITEM_BYTES)[]} */ (Object.keys(ITEM_BYTES)),
      ),
      shape: fc.array(fc.nat(4), {maxLength: 3}),
    })
    .chain(({name, dtype, shape}) => {
      const length = shape.reduce((product, size) => product * size, ITEM_BYTES[dtype]);
      const bytes = fc.uint8Array({minLength: length, maxLength: length});
      return bytes.map((bytes) => ({name, dtype, shape, bytes}));
    });
  const tensors = fc.uniqueArray(tensor, {selector: ({name}) => name, maxLength: 6});
  const metadata = fc.dictionary(fc.string(), fc.string());
  await fc.assert(
    fc.asyncProperty(tensors, metadata, async (tensors, metadata) => {
      const read = await readAll(inChunks(safetensors(tensors, metadata)));
      assert.deepEqual({...read.metadata}, {...metadata});
      assert.equal(read.tensors.size, tensors.length);
      for (const {name, ...expected} of tensors) assert.deepEqual(read.tensors.get(name), expected);
    }),
  );
});

test('any bytes are read or refused', async () => {
  const refused = async (/** @type {Uint8Array} */ bytes) => {
    try {
      await readAll(inChunks(bytes));
    } catch (error) {
      assert(error instanceof BertscopeError, String(error));
    }
  };
  const entry = fc.record(
    {
      dtype: fc.oneof(fc.constantFrom('F32', 'I8', 'X9', 'toString'), fc.anything()),
      shape: fc.oneof(fc.array(fc.integer()), fc.anything()),
      data_offsets: fc.oneof(fc.array(fc.double(), {maxLength: 3}), fc.anything()),
    },
    {requiredKeys: []},
  );
  const header = fc.oneof(
    fc.json(),
    fc
      .dictionary(
        fc.oneof(fc.string(), fc.constant('__metadata__')),
        fc.oneof(entry, fc.anything()),
      )
      .map((object) => fc.stringify(object)),
    fc.dictionary(fc.string(), fc.jsonValue()).map((object) => JSON.stringify(object)),
    entry.map(
      (value) => `{"a":${JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? 0 : v))}}`,
    ),
  );
  const flips = fc.array(fc.tuple(fc.nat(small.length - 1), fc.nat(255)), {maxLength: 4});
  const bytes = fc.oneof(
    fc.uint8Array({maxLength: 64}),
    fc.tuple(header, fc.nat(32)).map(([text, bytes]) => withHeader(text, bytes)),
    flips.map((flips) => {
      const damaged = small.slice();
      for (const [at, value] of flips) damaged[at] = value;
      return damaged;
    }),
  );
  await fc.assert(fc.asyncProperty(bytes, refused), tries(300));
});

/** @param {unknown[]} shape @param {unknown[]} data_offsets */
const f32 = (shape, data_offsets) => ({dtype: 'F32', shape, data_offsets});

const F32_1 = JSON.stringify(f32([1], [0, 4]));
const NESTED = '['.repeat(200_000) + ']'.repeat(200_000);

/** @type {[string, Uint8Array, RegExp][]} */
const bad = [
  [
    'a header longer than 100 MB',
    Uint8Array.from([1, 225, 245, 5, 0, 0, 0, 0, 123]), // the length is 100,000,001
    /header of at most 100000000 bytes, found its length given as 100000001/,
  ],
  ['a web page', Buffer.from('<!DOCTYPE html>'), /begins with "<!DOCTYP"/],
  ['a header that is not JSON', withHeader('{"a"'), /header: expected JSON, found/],
  ['a header that is not UTF-8', withHeader('{"\u0000"}').fill(255, 10, 11), /UTF-8/],
  ['a header that is not an object', withHeader([]), /expected a JSON object, found \[\]/],
  ['metadata other than strings', withHeader({__metadata__: {a: 1}}), /strings to strings/],
  ['metadata that is a list', withHeader({__metadata__: []}), /strings to strings/],
  ['a tensor that is not an object', withHeader({a: 3}), /a to have dtype, shape and .*found 3/],
  ['an unknown dtype', withHeader({a: {dtype: 'I3', shape: [], data_offsets: [0, 1]}}), /"I3"/],
  ['an inherited name as dtype', withHeader({a: {dtype: 'toString'}}), /found "toString"/],
  ['a negative size', withHeader({a: f32([-1], [0, 4])}, 4), /found \[-1\]/],
  ['a fraction as size', withHeader({a: f32([0.5], [0, 2])}, 2), /found \[0.5\]/],
  ['a size over 2^53', withHeader('{"a":{"dtype":"I8","shape":[9007199254740993,0]}}'), /shape/],
  ['offsets that go back', withHeader({a: f32([1], [4, 0])}, 4), /found \[4,0\]/],
  ['three offsets', withHeader({a: f32([1], [0, 4, 8])}, 8), /found \[0,4,8\]/],
  ['a size that does not fit the shape', withHeader({a: f32([2], [0, 4])}, 4), /8 bytes.*found 4/],
  [
    'sizes whose product overflows 64 bits to the right length',
    withHeader({a: f32([2 ** 32, 2 ** 32], [0, 0])}),
    /73786976294838206464 bytes/,
  ],
  [
    'an overlap',
    withHeader({a: f32([2], [0, 8]), b: f32([1], [4, 8])}, 8),
    /b to begin at byte 8, found 4: an overlap/,
  ],
  [
    'a hole',
    withHeader({a: f32([1], [0, 4]), b: f32([1], [8, 12])}, 12),
    /b to begin at byte 4, found 8: a hole/,
  ],
  ['a hole at the start', withHeader({a: f32([1], [4, 8])}, 8), /a to begin at byte 0/],
  ['data that ends too early', withHeader({a: f32([2], [0, 8])}, 4), /cut off in a/],
  ['a repeated key', withHeader(`{"a":${F32_1},"a":${F32_1}}`, 4), /8 keys with 4 names/],
  [
    'metadata with a repeated key',
    withHeader('{"__metadata__":{"a:\\":":"","a:\\":":""}}'),
    /3 keys with 2 names/,
  ],
  [
    'an unknown field of a tensor',
    withHeader({a: {...f32([1], [0, 4]), b: 0}}, 4),
    /found 4 fields/,
  ],
  ['a byte order mark', withHeader(`\ufeff{"a":${F32_1}}`, 4), /header: expected JSON/],
  ['a header of nothing but brackets', withHeader(NESTED), /JSON object, found a list of 1$/],
  ['a nested shape', withHeader(`{"a":{"dtype":"F32","shape":${NESTED}}}`), /found a list of 1$/],
  [
    'a tensor of nothing but dimensions',
    withHeader({a: f32(Array(100_000).fill(2 ** 50), [0, 0])}),
    /at most 8 non-negative integers, found a list of 100000$/,
  ],
  ['a long name', withHeader({[`b${'a'.repeat(1e6)}`]: 3}), /at most 512 .*found ba+… of 1000001$/],
  [
    'a header of many tensors',
    withHeader(Object.fromEntries(Array.from({length: 16385}, (_, i) => [i, f32([0], [0, 0])]))),
    /expected at most 16384 tensors, found 16385$/,
  ],
  ['bytes behind the data', withHeader({a: f32([1], [0, 4])}, 5), /more bytes behind/],
];
for (const [what, bytes, message] of bad) {
  test(`the reader refuses ${what}`, async () => {
    await assert.rejects(readAll(inChunks(new Uint8Array(bytes))), (error) => {
      assert(error instanceof BertscopeError);
      assert.equal(error.code, 'bad-safetensors');
      assert.match(error.message, message);
      assert(error.message.length < 300);
      return true;
    });
  });
}

test('tensors beyond 4 GB are read at the right bytes, and never held whole', async () => {
  const size = 5 * 2 ** 30;
  const head = withHeader({
    large: {dtype: 'I8', shape: [5, 2 ** 30], data_offsets: [0, size]},
    behind: {dtype: 'U8', shape: [2], data_offsets: [size, size + 2]},
  });
  const block = new Uint8Array(2 ** 28);
  async function* chunks() {
    yield head;
    for (let sent = 0; sent < size; sent += block.length) yield block;
    yield Uint8Array.of(7, 8);
  }
  const {pieces} = await readSafetensors(chunks(), 'file');
  let bytesOfLarge = 0;
  const behind = [];
  for await (const {tensor, bytes} of pieces) {
    if (tensor.name === 'large') bytesOfLarge += bytes.length;
    else behind.push(...bytes);
  }
  assert.equal(bytesOfLarge, size);
  assert.deepEqual(behind, [7, 8]);
});

test('a file whose size is known not to fit is refused before any tensor is read', async () => {
  for (const [size, found] of [
    [small.length - 1, 'the file is cut off'],
    [small.length + 1, 'more than its tensors'],
  ]) {
    const chunks = async function* () {
      yield small.subarray(0, -11);
      assert.fail('the data must not be read');
    };
    const message = `file: expected ${small.length} bytes, found ${size} (${found})`;
    await assert.rejects(readSafetensors(chunks(), 'file', Number(size)), {
      code: 'bad-safetensors',
      message,
    });
  }
});

test('the input is closed after a refusal and when a reader stops early', async () => {
  let open = 0;
  async function* chunks(/** @type {Uint8Array} */ bytes) {
    open += 1;
    try {
      for (const byte of bytes) yield Uint8Array.of(byte);
    } finally {
      open -= 1;
    }
  }
  await assert.rejects(readSafetensors(chunks(withHeader('[]')), 'file'));
  assert.equal(open, 0);
  const {close} = await readSafetensors(chunks(small), 'file');
  assert.equal(open, 1);
  await close();
  assert.equal(open, 0);
});
