/**
 * Generators of files that are built as their formats say, but state what is not so: they get past the checks that stop
 * random bytes.
 */

import {deflateRawSync} from 'node:zlib';
import fc from 'fast-check';

/**
 * @typedef {object} Hostile
 * @property {Uint8Array<ArrayBuffer>} bytes
 * @property {number} stated  how many bytes it states that it holds when it is unpacked
 */

const text = new TextEncoder();
const u16 = (/** @type {number} */ n) => [n & 255, (n >> 8) & 255];
const u32 = (/** @type {number} */ n) => [...u16(n), ...u16(n / 2 ** 16)];

/** Gives a number that a header may have in place of the true one. @param {fc.Arbitrary<number>} small */
const lies = (small) =>
  fc.oneof(
    {weight: 6, arbitrary: fc.constant(null)},
    fc.constantFrom(0, 1, 100, 2 ** 16, 2 ** 24, 2 ** 31, 2 ** 32 - 1),
    small,
  );

/** Data that packs well, or not. @param {fc.Arbitrary<Uint8Array>} [content] */
const dataOf = (content = fc.uint8Array({maxLength: 300})) =>
  fc.oneof(
    content,
    fc.nat(2 ** 22).map((length) => new Uint8Array(length)),
  );

/** @param {fc.Arbitrary<string>} names @param {fc.Arbitrary<Uint8Array>} data @returns {fc.Arbitrary<Hostile>} */
function zips(names, data) {
  const entry = fc.record({
    name: names,
    data,
    isPacked: fc.boolean(),
    statedBytes: lies(fc.nat(5000)),
    statedPacked: lies(fc.nat(5000)),
    // The place of an earlier entry, so that both have the same data.
    shared: fc.option(fc.nat(5), {nil: null, freq: 6}),
    copies: fc.oneof({weight: 5, arbitrary: fc.constant(1)}, fc.constantFrom(20, 300)),
  });
  return fc
    .tuple(fc.array(entry, {minLength: 1, maxLength: 5}), lies(fc.nat(10)))
    .map(([entries, count]) => zipOf(entries, count));
}

/**
 * @param {{name: string, data: Uint8Array, isPacked: boolean, statedBytes: number | null, statedPacked: number | null, shared: number | null, copies: number}[]} entries
 * @param {number | null} statedCount
 * @returns {Hostile}
 */
function zipOf(entries, statedCount) {
  /** @type {(Uint8Array | number[])[]} */
  const parts = [];
  /** @type {number[][]} */
  const directory = [];
  /** @type {number[]} */
  const places = [];
  let [at, stated] = [0, 0];
  for (const {name, data, isPacked, statedBytes, statedPacked, shared, copies} of entries) {
    const body = isPacked ? deflateRawSync(data) : data;
    const named = text.encode(name);
    const [packed, bytes] = [statedPacked ?? body.length, statedBytes ?? data.length];
    const common = [...u16(20), ...u16(0), ...u16(isPacked ? 8 : 0), ...u32(0), ...u32(0)];
    const sizes = [...u32(packed), ...u32(bytes), ...u16(named.length), ...u16(0)];
    const local = [...u32(0x04034b50), ...common, ...sizes, ...named];
    const place = shared === null ? at : (places[shared] ?? at);
    places.push(at);
    parts.push(local, body);
    at += local.length + body.length;
    const rest = [...u16(0), ...u16(0), ...u16(0), ...u32(0), ...u32(place), ...named];
    for (let copy = 0; copy < copies; copy++) {
      directory.push([...u32(0x02014b50), ...u16(20), ...common, ...sizes, ...rest]);
      stated += bytes;
    }
  }
  const list = directory.flat();
  const count = statedCount ?? directory.length;
  const end = [...u32(0x06054b50), ...u32(0), ...u16(count), ...u16(count), ...u32(list.length)];
  parts.push(list, end, u32(at), u16(0));
  return {bytes: joined(parts), stated};
}

const modelNames = fc.constantFrom(
  'config.json',
  'model.safetensors',
  'vocab.txt',
  'a/b.bin',
  '../x',
);
export const archives = zips(modelNames, dataOf());

const types = ['<f2', '<f4', '<f8', '|i1', '<i4', '<i8', '<U1', '<U9', `<U${2 ** 20}`, '|O', '>f4'];
const lengths = fc.constantFrom(0, 1, 2, 3, 16, 1024, 2 ** 15, 2 ** 20, 2 ** 31, 2 ** 53);
/** One of NumPy's arrays. */
const array = fc
  .record({
    type: fc.constantFrom(...types),
    shape: fc.array(lengths, {maxLength: 5}),
    data: dataOf(),
    headerBytes: lies(fc.nat(300)),
    version: fc.constantFrom(1, 1, 1, 2, 3),
  })
  .map(({type, shape, data, headerBytes, version}) => {
    const dictionary = `{'descr': '${type}', 'fortran_order': False, 'shape': (${shape.join(', ')},), }`;
    const header = text.encode(`${dictionary.padEnd(117)}\n`);
    const length = headerBytes ?? header.length;
    const start = [0x93, ...text.encode('NUMPY'), version, 0];
    return joined([start, version === 1 ? u16(length) : u32(length), header, data]);
  });
/** An array of one weight, which may stand beside any others. */
const weight = joined([
  [0x93, ...text.encode('NUMPY'), 1, 0, ...u16(118)],
  text.encode(
    `${"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 1, 1), }".padEnd(117)}\n`,
  ),
  new Uint8Array(Float32Array.of(1).buffer),
]);
const arrayNames = ['attention', 'tokens', 'layers', 'heads', 'offsets', 'before_attentions'];
export const arrayFiles = zips(
  fc.constantFrom(...arrayNames.map((name) => `${name}.npy`)),
  fc.oneof(array, fc.constant(weight)),
);

/** One instruction of a pickle. */
const instruction = fc.oneof(
  fc
    .constantFrom(...'(Nl]})t\x85\x86\x87aesu02Rb\x93\x94Q\x81')
    .map((sign) => [sign.charCodeAt(0)]),
  fc.tuple(fc.constantFrom(0x71, 0x68, 0x4b), fc.nat(9)),
  fc
    .tuple(fc.constantFrom(0x72, 0x6a, 0x4a), lies(fc.nat(9)))
    .map(([sign, n]) => [sign, ...u32(n ?? 0)]),
  fc
    .tuple(fc.constantFrom(0x58, 0x8c), fc.constantFrom('a', 'storage', 'cpu', '0'))
    .map(([sign, name]) => [
      sign,
      ...(sign === 0x58 ? u32(name.length) : [name.length]),
      ...text.encode(name),
    ]),
  fc
    .constantFrom(
      'torch._utils\n_rebuild_tensor_v2\n',
      'torch\nFloatStorage\n',
      'collections\nOrderedDict\n',
      'os\nsystem\n',
    )
    .map((name) => [0x63, ...text.encode(name)]),
);
/** Some instructions many times: each round may nest or double what the last one has left. */
const rounds = fc
  .tuple(fc.array(instruction, {minLength: 1, maxLength: 5}), fc.constantFrom(1, 1, 1, 2, 30, 3000))
  .map(([each, times]) => Array(times).fill(each.flat()).flat());
export const pickles = fc
  .array(rounds, {minLength: 1, maxLength: 12})
  .map((parts) => plain(joined([[0x80, 2], ...parts, [0x2e]])));

/** Safetensors whose headers state tensors of any size, one behind the other or one over the other. */
export const headers = fc
  .tuple(
    fc.array(
      fc.record({
        name: fc.constantFrom('a', 'b', 'embeddings.word_embeddings.weight', '__proto__', ''),
        dtype: fc.constantFrom('F32', 'F16', 'BF16', 'I8', 'U8', 'I64', 'BOOL'),
        shape: fc.array(lengths, {maxLength: 6}),
        shift: fc.constantFrom(0, 0, 0, 1, -1, 2 ** 31),
      }),
      {maxLength: 6},
    ),
    fc.constantFrom(1, 1, 500),
    lies(fc.nat(500)),
    dataOf(),
  )
  .map(([tensors, copies, length, data]) => {
    let at = 0;
    /** @type {[string, unknown][]} */
    const entries = [];
    for (let copy = 0; copy < copies; copy++) {
      for (const {name, dtype, shape, shift} of tensors) {
        const each = {F32: 4, F16: 2, BF16: 2, I64: 8}[dtype] ?? 1;
        const end = at + shape.reduce((product, side) => product * side, each);
        const entry = {dtype, shape, data_offsets: [at + shift, end + shift]};
        entries.push([copies > 1 ? `${name}${copy}` : name, entry]);
        at = end;
      }
    }
    const header = text.encode(JSON.stringify(Object.fromEntries(entries)));
    return plain(joined([u32(length ?? header.length), u32(0), header, data]));
  });

const word = fc.constantFrom('a', 't', 'the', ' ', '▁', 'Ġ', '##t', 'cat', '');
const pattern = fc.oneof(
  word.map((String) => ({String})),
  fc
    .constantFrom('.', '\\s+', '[a-z]', '(.)', '', '\\p{L}+', '$', '(?=a)', '(')
    .map((Regex) => ({Regex})),
);
/** A step of a tokenizer, or a sequence of steps. */
const {step} = fc.letrec((tie) => ({
  step: fc.oneof(
    {maxDepth: 4, withCrossShrink: true},
    fc.record({
      type: fc.constant('Replace'),
      pattern,
      content: fc.constantFrom('', 'a', '$1 $1', 'aa', 'a'.repeat(200)),
    }),
    fc.record({
      type: fc.constant('Split'),
      pattern,
      behavior: fc.constantFrom('Isolated', 'Removed', 'MergedWithNext', 'Other'),
      invert: fc.boolean(),
    }),
    fc.record({
      type: fc.constantFrom(
        'NFKC',
        'Lowercase',
        'Prepend',
        'Metaspace',
        'ByteLevel',
        'BertPreTokenizer',
        'FixedLength',
      ),
      length: fc.oneof({weight: 6, arbitrary: fc.constant(2)}, lies(fc.nat(3))),
    }),
    fc
      .tuple(fc.array(tie('step'), {maxLength: 4}), fc.constantFrom(1, 1, 20, 400))
      .map(([steps, times]) => {
        // Copies of copies would make a file of gigabytes.
        const isLong = JSON.stringify(steps).length > 1000;
        const all = isLong ? steps : Array(times).fill(steps).flat();
        return {type: 'Sequence', normalizers: all, pretokenizers: all, decoders: all};
      }),
  ),
}));
/** A step that makes a text of tokens. */
const decoder = fc.oneof(
  step,
  fc.record({
    type: fc.constantFrom('ByteLevel', 'WordPiece', 'BPEDecoder', 'CTC', 'Fuse', 'Strip'),
    prefix: word,
    suffix: word,
    content: word,
    start: lies(fc.nat(3)),
    stop: lies(fc.nat(3)),
  }),
  fc
    .tuple(word, fc.constantFrom(1, 2, 10 ** 6), fc.constantFrom(1, 30, 100))
    .map(([content, times, steps]) => ({
      type: 'Sequence',
      decoders: Array(steps).fill({
        type: 'Replace',
        pattern: {Regex: '.'},
        // One long content in each of many steps would make a file of gigabytes.
        content: content.repeat(steps === 1 ? times : 2),
      }),
    })),
);
/** Texts and special tokens, each perhaps many times, in templates behind each other. */
const template = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.constantFrom('A', 'B').map((id) => ({Sequence: {id, type_id: 0}})),
        word.map((id) => ({SpecialToken: {id, type_id: 0}})),
      ),
      fc.constantFrom(...Array(12).fill(1), 2, 10_000),
    ),
    {maxLength: 3},
  )
  .map((parts) => parts.flatMap(([part, times]) => Array(times).fill(part)));
const postProcessor = fc
  .tuple(template, template, fc.constantFrom(1, 1, 30))
  .map(([single, pair, times]) => {
    const one = {type: 'TemplateProcessing', single, pair, special_tokens: {}};
    const isLong = single.length + pair.length > 10;
    return {type: 'Sequence', processors: Array(isLong ? 1 : times).fill(one)};
  });
/** A token that a file may add or have, short or endless. */
const anyToken = fc.oneof(
  {weight: 30, arbitrary: word},
  fc.constantFrom(500, 8000, 10 ** 6).map((length) => 'x'.repeat(length)),
);
export const tokenizers = fc
  .record({
    normalizer: fc.option(step),
    pre_tokenizer: fc.option(step),
    post_processor: fc.option(postProcessor),
    decoder: fc.option(decoder),
    model: fc.record({
      type: fc.constantFrom('WordPiece', 'BPE', 'Unigram'),
      vocab: fc.oneof(
        fc.array(anyToken).map((words) => Object.fromEntries(words.map((each, id) => [each, id]))),
        fc.array(fc.tuple(anyToken, fc.double())),
      ),
      merges: fc.array(fc.tuple(word, word)),
      unk_token: anyToken,
      unk_id: fc.nat(5),
      max_input_chars_per_word: lies(fc.nat(9)),
      continuing_subword_prefix: word,
    }),
    added_tokens: fc.array(
      fc.record({
        id: fc.nat(9),
        content: anyToken,
        special: fc.boolean(),
        normalized: fc.boolean(),
      }),
    ),
  })
  .map((json) => plain(text.encode(JSON.stringify(json))));

/** Long addresses of parts that come again and again. */
export const addresses = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        'hub:',
        'https://',
        'huggingface.co/',
        'a/',
        'resolve/',
        'main',
        '%',
        '%41',
        '@',
        '..',
        '/',
        '?',
        '#',
        '&text=',
        '.safetensors',
        '-',
        'refs/pr/1/',
      ),
      fc.constantFrom(1, 1, 1, 2, 5000),
    ),
    {maxLength: 8},
  )
  .map((parts) => parts.map(([part, times]) => part.repeat(times)).join(''));

/** @param {Uint8Array<ArrayBuffer>} bytes  of a file that is not packed @returns {Hostile} */
const plain = (bytes) => ({bytes, stated: bytes.length});

/** @param {(ArrayLike<number>)[]} parts */
function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, {length}) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
