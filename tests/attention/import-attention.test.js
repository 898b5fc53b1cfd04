import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {npy, npz} from '../../web/engine/files/npz-writer.js';
import {importAttention, importFile} from '../../web/views/lazy-import.js';
import {BertscopeError} from '../../web/engine/errors.js';
import {SnapshotError} from '../../web/attention/snapshot.js';
import {tries} from '../support/tries.js';

const tokens = ['[CLS]', 'a', 'b', '[SEP]'];
const matrix = [
  [0.25, 0.25, 0.25, 0.25],
  [1, 0, 0, 0],
  [0, 0.5, 0.5, 0],
  [0.125, 0.125, 0.25, 0.5],
];

/** @param {number} layers @param {number} heads */
const nested = (layers, heads) =>
  Array.from({length: layers}, () => Array.from({length: heads}, () => matrix));

/** @param {unknown} json */
const bytesOf = (json) => new TextEncoder().encode(JSON.stringify(json));

test('nested lists of four dimensions, or of five with a batch of one, are the same attention', () => {
  for (const attention of [nested(2, 3), nested(2, 3).map((layer) => [layer])]) {
    const {all} = importFile(bytesOf({tokens, attention}));
    assert.ok(all);
    assert.deepEqual([all.layers, all.heads], [2, 3]);
    assert.deepEqual([...(all.attention(1, 2) ?? [])], matrix.flat());
    assert.equal(all.attention(2, 0), undefined);
  }
});

test('an NPZ file holds the same as a JSON file', () => {
  const values = Float32Array.from(nested(2, 3).flat(3));
  const file = npz({
    attentions: {values, shape: [2, 3, 4, 4]},
    tokens: {values: tokens, shape: [4]},
    token_type_ids: {values: Int32Array.of(0, 0, 1, 1), shape: [4]},
  });
  const {all} = importFile(file);
  assert.ok(all);
  assert.deepEqual(all.queryTokens, tokens);
  assert.equal(all.sentenceB, 2);
  assert.deepEqual([...(all.attention(1, 2) ?? [])], matrix.flat());
});

test('layer and head numbers that do not fit the attention are refused by name', () => {
  const file = (/** @type {number[]} */ layers, /** @type {number[]} */ heads) =>
    npz({
      attentions: {values: Float32Array.from(nested(2, 1).flat(3)), shape: [2, 1, 4, 4]},
      tokens: {values: tokens, shape: [4]},
      layers: {values: Int32Array.from(layers), shape: [layers.length]},
      heads: {values: Int32Array.from(heads), shape: [heads.length]},
    });
  const {all} = importFile(file([1, 4], [2]));
  assert.deepEqual([all?.layers, all?.heads], [5, 3]);
  assert.deepEqual([...(all?.attention(4, 2) ?? [])], matrix.flat());
  assert.throws(() => importFile(file([1, 4, 5], [2])), /“layers” should number the 2 layers/);
  assert.throws(() => importFile(file([1, 1], [2])), /each below 2; found 1, 1/);
  assert.throws(() => importFile(file([0, 1], [-1])), /“heads” should number the 1 heads/);
});

test('tokens and the start of sentence B can be given beside the file', () => {
  const {all} = importAttention(nested(1, 1), {tokens: ['w', 'x', 'y', 'z'], sentenceB: 3});
  assert.deepEqual(all?.queryTokens, ['w', 'x', 'y', 'z']);
  assert.equal(all?.sentenceB, 3);
});

test('tokens without names are numbered', () => {
  assert.deepEqual(importAttention(nested(1, 1)).all?.queryTokens, ['0', '1', '2', '3']);
});

test('a file that the command line wrote with vectors keeps them', () => {
  const vectors = [[[[1, 2], [3, 4], [5, 6], [7, 8]]]]; // prettier-ignore
  const {all} = importAttention({
    tokens,
    attentions: nested(1, 1),
    queries: vectors,
    keys: vectors,
    values: vectors,
  });
  assert.equal(all?.headDim, 2);
  assert.deepEqual([...(all?.vectors?.('values', 0, 0) ?? [])], [1, 2, 3, 4, 5, 6, 7, 8]);
});

test('an encoder-decoder model has three parts, the cross part with both token lists', () => {
  const three = Array.from({length: 3}, () => [0.5, 0.25, 0.25]);
  const parts = importAttention({
    encoder_tokens: tokens,
    decoder_tokens: ['x', 'y', 'z'],
    encoder_attention: nested(1, 2),
    decoder_attention: [[three, three]],
    cross_attention: [[matrix.slice(0, 3), matrix.slice(0, 3)]],
  });
  assert.deepEqual(Object.keys(parts), ['encoder', 'decoder', 'cross']);
  assert.deepEqual(parts.cross?.queryTokens, ['x', 'y', 'z']);
  assert.deepEqual(parts.cross?.keyTokens, tokens);
});

/**
 * Makes an NPZ file with numbers of another type, as numpy.savez writes it.
 *
 * @param {string} type
 * @param {Uint8Array} data
 */
async function zipped(type, data) {
  const {zipSync} = await import('fflate');
  const dictionary = `{'descr': '${type}', 'fortran_order': False, 'shape': (1, 1, 2, 2), }`;
  const header = new TextEncoder().encode(`${dictionary.padEnd(117)}\n`);
  const file = new Uint8Array(10 + header.length + data.length);
  file.set([0x93, ...new TextEncoder().encode('NUMPY'), 1, 0, header.length, 0]);
  file.set(header, 10);
  file.set(data, 10 + header.length);
  return zipSync({'attention.npy': file});
}

test('NumPy files of 16 and 64 bits are read', async () => {
  const half = new Uint8Array(Uint16Array.of(0x3800, 0x3800, 0x3400, 0x3a00).buffer);
  const double = new Uint8Array(Float64Array.of(0.5, 0.5, 0.25, 0.75).buffer);
  for (const [type, data] of /** @type {const} */ ([
    ['<f2', half],
    ['<f8', double],
  ])) {
    // prettier-ignore
    const {all} = importFile(await zipped(type, data));
    assert.deepEqual([...(all?.attention(0, 0) ?? [])], [0.5, 0.5, 0.25, 0.75]);
  }
  const objects = await zipped('|O', new Uint8Array(8));
  assert.throws(() => importFile(objects), /numbers or strings, found NumPy's type “\|O”/);
});

const long = Array.from({length: 1025}, () => 'x');

/** @type {[string, () => unknown, RegExp][]} */
const faults = [
  [
    'a file with too few tokens',
    () => importAttention({tokens: ['a', 'b'], attention: nested(1, 1)}),
    /2 tokens need attention of 2 × 2, but “attention” has 4 × 4/,
  ],
  [
    'attention of one layer',
    () => importAttention({tokens, attention: nested(1, 2)[0]}),
    /4 dimensions .* found 3: 2 × 4 × 4/,
  ],
  [
    'a batch of two',
    () => importAttention({tokens, attention: [[nested(1, 1)[0], nested(1, 1)[0]]]}),
    /found 5: 1 × 2 × 1 × 4 × 4, the batch of 2 should be 1/,
  ],
  [
    'a row that does not sum to 1',
    () => importAttention({tokens: ['a', 'b'], attention: [[[[0.5, 0.5], [0.5, 0.25]]]]}), // prettier-ignore
    /row 1 of layer 0, head 0 sums to 0\.750/,
  ],
  [
    'a negative weight',
    () => importAttention({tokens: ['a', 'b'], attention: [[[[1.5, -0.5], [1, 0]]]]}), // prettier-ignore
    /row 0 of layer 0, head 0 has one that is/,
  ],
  [
    'JSON with NaN as Python writes it',
    () => importFile(new TextEncoder().encode('{"tokens": ["a"], "attention": [[[[NaN]]]]}')),
    /NaN/,
  ],
  ['a text file', () => importFile(new TextEncoder().encode('hello')), /JSON or NPZ file/],
  ['a zip file of something else', () => importFile(npz({})), /Expected “attention”/],
  [
    'a single NumPy array',
    () => importFile(npy({values: Float32Array.of(1), shape: [1]})),
    /one NumPy array.+numpy\.savez/,
  ],
  [
    'a sentence in place of JSON',
    () => importFile(new TextEncoder().encode('attention: 1')),
    /neither an object nor a list/,
  ],
  ['a broken zip file', () => importFile(npz({}).subarray(0, 8)), /zip archive/],
  [
    'a file with too many tokens',
    () => importAttention({tokens: long, attention: [[[[1]]]]}),
    /At most 1024 tokens can be drawn, found 1025/,
  ],
  [
    'a second sentence that begins after the last token',
    () => importAttention({tokens, attention: nested(1, 1), sentence_b_start: 4}),
    /between token 1 and 3, found 4/,
  ],
  [
    'a nest of lists of which only the first are long',
    () => {
      let list = /** @type {unknown} */ (0);
      for (let depth = 0; depth < 4; depth++) list = [list, ...Array(999).fill(0)];
      return importAttention(list);
    },
    /at most 536870912 numbers, found lists of 1000 × 1000 × 1000 × 1000/,
  ],
  [
    'a nest of lists without end',
    () => {
      let list = /** @type {unknown} */ (0);
      for (let depth = 0; depth < 20_000; depth++) list = [list];
      return importAttention(list);
    },
    /at most 5 dimensions, found 20000/,
  ],
  [
    'vectors of another number of heads',
    () => importAttention({tokens: ['a'], attention: [[[[1]]]], queries: [[[[1, 2]]]], keys: [[[[1, 2]], [[1, 2]]]], values: [[[[1, 2]]]]}), // prettier-ignore
    /“keys” should be 1 layers × 1 heads × 1 tokens × 2, found 1 × 2 × 1 × 2/,
  ],
  [
    'a word among the weights',
    () => importAttention({tokens: ['a'], attention: [[[['much']]]]}),
    /attention\[0\]\[0\]\[0\]\[0\] should be a number, found string/,
  ],
];

for (const [what, act, message] of faults) {
  test(`the importer refuses ${what} with what it expected and found`, () => {
    assert.throws(act, {code: 'bad-snapshot', message});
  });
}

/** Asks of a picture what a view asks, unless a sentence refuses it. @param {Uint8Array} bytes */
function drawsOrIsRefused(bytes) {
  try {
    for (const part of Object.values(importFile(bytes))) {
      const cells = part.queryTokens.length * part.keyTokens.length;
      for (let layer = 0; layer < part.layers; layer++)
        for (let head = 0; head < part.heads; head++) {
          assert.equal((part.attention(layer, head) ?? {length: cells}).length, cells);
          part.vectors?.('queries', layer, head);
        }
    }
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    assert(error.message.length < 700, error.message);
  }
}

test('any bytes and any damaged file are drawn or refused in a sentence', () => {
  const whole = {
    tokens,
    attentions: nested(2, 1),
    queries: [[[[1], [2], [3], [4]]], [null]],
    keys: [[[[1], [2], [3], [4]]], [null]],
    values: [[[[1], [2], [3], [4]]], [null]],
    token_type_ids: [0, 0, 1, 1],
    special_tokens_mask: [1, 0, 0, 1],
    sentence_b_start: 2,
    layers: [0, 2],
    heads: [1],
    text: 'a b',
    name: 'kept',
    offsets: [null, [0, 1], [2, 3], null],
  };
  const crossed = {
    encoder_tokens: ['a'],
    decoder_tokens: ['b', 'c'],
    encoder_attention: [[[[1]]]],
    decoder_attention: [[[[1, 0], [0, 1]]]], // prettier-ignore
    cross_attention: [[[[1], [1]]]],
  };
  const compared = {format: 'bertscope-snapshot', version: 1, ...whole, before: whole};
  // One field is missing or has another value.
  const changed = fc
    .tuple(
      fc.constantFrom(whole, crossed, compared),
      fc.nat(20),
      fc.option(fc.jsonValue(), {nil: undefined}),
      fc.boolean(),
    )
    .map(([file, at, value, isInside]) => {
      const names = Object.keys(file);
      const damaged = {...file, [names[at % names.length]]: value};
      return bytesOf(isInside ? {...compared, before: damaged} : damaged);
    });
  const attentions = {values: Float32Array.from(nested(2, 1).flat(3)), shape: [2, 1, 4, 4]};
  const archive = npz({
    attentions,
    tokens: {values: tokens, shape: [4]},
    token_type_ids: {values: Int32Array.of(0, 0, 1, 1), shape: [4]},
    layers: {values: Int32Array.of(0, 2), shape: [2]},
    offsets: {values: Int32Array.of(-1, -1, 0, 1, 2, 3, -1, -1), shape: [4, 2]},
    before_attentions: attentions,
    before_tokens: {values: tokens, shape: [4]},
    before_name: {values: ['kept'], shape: [1]},
  });
  const damaged = fc
    .tuple(fc.constantFrom(archive, bytesOf(whole)), fc.nat(), fc.nat(255), fc.boolean())
    .map(([file, place, byte, isCut]) => {
      const at = place % file.length;
      return isCut ? file.slice(0, at) : file.with(at, byte);
    });
  fc.assert(
    fc.property(
      fc.oneof(fc.uint8Array(), fc.jsonValue().map(bytesOf), changed, damaged),
      drawsOrIsRefused,
    ),
    tries(1000),
  );
});

test('an NPZ file that declares much in few bytes is refused in a sentence', async () => {
  const {zipSync} = await import('fflate');
  /** Zeros, which pack to a thousandth of their bytes. @param {string} type @param {number[]} shape @param {number} bytes */
  const zeros = (type, shape, bytes) => {
    const dictionary = `{'descr': '${type}', 'fortran_order': False, 'shape': (${shape.join(', ')},), }`;
    const header = new TextEncoder().encode(`${dictionary.padEnd(117)}\n`);
    const file = new Uint8Array(128 + bytes);
    file.set([0x93, ...new TextEncoder().encode('NUMPY'), 1, 0, header.length, 0]);
    file.set(header, 10);
    return file;
  };
  const attention = npy({values: Float32Array.of(1), shape: [1, 1, 1, 1]});
  const file = (/** @type {Record<string, Uint8Array>} */ arrays) =>
    zipSync({'attention.npy': attention, ...arrays}, {level: 1});
  const mega = 2 ** 25;
  for (const [bytes, message] of /** @type {const} */ ([
    [file({'tokens.npy': zeros('<U1', [mega / 4], mega)}), /at most 4194304 characters/],
    [file({'tokens.npy': zeros(`<U${mega / 4}`, [1], mega)}), /at most 4194304 characters/],
    [file({'attention.npy': zeros('<f4', [1, 1, 1, mega / 4], mega)}), /Expected “attention”/],
    // As float32, these numbers have four times their bytes.
    [
      file({'attention.npy': zeros('|i1', [1, 1, mega / 4096, 4096], mega)}),
      /At most 250000000 numbers can be read, found more in attention\.npy/,
    ],
    [
      file({
        'layers.npy': npy({values: Float32Array.of(1e9), shape: [1]}),
        'heads.npy': npy({values: Float32Array.of(0), shape: [1]}),
      }),
      /At most 16384 heads can be drawn, found 1000000001 × 1/,
    ],
  ])) {
    assert.throws(() => importFile(bytes), {code: 'bad-snapshot', message});
  }
  // A list that is too long for one is left out.
  const {all} = importFile(file({'token_type_ids.npy': zeros('|i1', [mega], mega)}));
  assert.equal(all?.sentenceB, null);
});

test('tokens and names of a file are drawn with at most 512 characters', () => {
  const long = 'a'.repeat(513);
  const shortened = `${'a'.repeat(511)}…`;
  const {all} = importFile(
    bytesOf({tokens: [long, ...tokens.slice(1)], attention: nested(1, 1), model: long}),
  );
  assert.deepEqual(all?.queryTokens, [shortened, ...tokens.slice(1)]);
  assert.equal(all?.keyTokens, all?.queryTokens);
  assert.equal(all?.about?.model, shortened);
});

test('a message that names what is in a file has at most 4096 characters', () => {
  assert.throws(
    () => importFile(bytesOf({['a'.repeat(10_000)]: 1})),
    ({message}) => message.length === 4096 && message.endsWith('a…'),
  );
  assert.equal(new BertscopeError('usage', 'a'.repeat(10_000)).message.length, 4096);
});
