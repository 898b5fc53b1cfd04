/** Tests that each thing that a GGUF file may state wrongly is refused in one sentence. */

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import fc from 'fast-check';
import {BertscopeError} from '../../../web/engine/errors.js';
import {blobFile} from '../../../web/engine/files/byte-file.js';
import {readGguf} from '../../../web/engine/files/gguf.js';
import {tries} from '../../support/tries.js';
import {fromRoot, inChunks, join} from '../support.js';
import {BOOL, F32, LIST, smallModel, STRING, U32, U64} from './gguf-file.js';

/** @import {Fact, Parts, Placed} from './gguf-file.js' */

/** @param {Uint8Array} bytes */
const fileOf = (bytes) => blobFile(new Blob([/** @type {BlobPart} */ (bytes)]), 'm.gguf');

/** @param {import('../../../web/engine/files/byte-file.js').ByteFile} file */
async function readToEnd(file) {
  const reader = await readGguf(file);
  try {
    for await (const {tensor, last} of reader.pieces) assert(tensor.name && last !== undefined);
  } finally {
    await reader.close();
  }
  return reader;
}

/** @param {Parts} parts @param {Record<string, Fact | undefined>} [changed] */
const read = (parts, changed) => readToEnd(fileOf(smallModel(parts, changed)));

/** @param {...Placed} tensors */
const withTensors = (...tensors) => ({
  tensors: [{name: 'token_embd.weight', sizes: [4, 4]}, ...tensors],
});
/** @param {string} key @param {number} type @param {unknown} value @returns {Record<string, Fact>} */
const withFact = (key, type, value) => ({[key]: [key, type, value]});

test('the smallest model is read, also in its oldest version and with another alignment', async () => {
  for (const version of [2, 3]) assert.equal((await read({version})).header.tensors.length, 3);
  const alignment = withFact('general.alignment', U32, 64);
  assert.equal((await read({alignment: 64}, alignment)).header.tensors.length, 3);
});

/** Makes the divisors that llama.cpp's converter writes for Llama 3.1. @param {number} factor @returns {number[]} */
const divisorsOf = (factor) =>
  Array.from({length: 32}, (_, index) => {
    const wavelength = 2 * Math.PI * 500_000 ** (index / 32);
    if (wavelength < 8192 / 4) return 1;
    if (wavelength > 8192) return factor;
    const smooth = (8192 / wavelength - 1) / 3;
    return 1 / ((1 - smooth) / factor + smooth);
  });

/** A model with heads of 64 and a tensor of divisors, which comes last. @param {number[]} divisors */
function withDivisors(divisors) {
  const sizes = {
    ...withFact('llama.embedding_length', U32, 64),
    ...withFact('llama.attention.head_count', U32, 1),
  };
  const base = withFact('llama.rope.freq_base', F32, 500_000);
  const divided = {name: 'rope_freqs.weight', sizes: [divisors.length]};
  const file = smallModel(
    {tensors: [{name: 'token_embd.weight', sizes: [64, 4]}, divided]},
    {...sizes, ...base},
  );
  file.set(new Uint8Array(Float32Array.from(divisors).buffer), file.length - 4 * divisors.length);
  return fileOf(file);
}

test('the slower rotations of Llama 3.1 are those of its tensor', async () => {
  for (const factor of [8, 32]) {
    const {files = {}, header} = await readToEnd(withDivisors(divisorsOf(factor)));
    assert.deepEqual(JSON.parse(files['config.json']).rope_scaling, {
      rope_type: 'llama3',
      factor,
      low_freq_factor: 1,
      high_freq_factor: 4,
      original_max_position_embeddings: 8192,
    });
    assert.equal(header.tensors.length, 1);
  }
  const code = 'unsupported-model';
  const other = divisorsOf(8).map((divisor, index) => (index === 20 ? divisor * 1.1 : divisor));
  for (const divisors of [other, divisorsOf(8).slice(0, 24)]) {
    await assert.rejects(readToEnd(withDivisors(divisors)), {
      code,
      message: /the 32 divisors of Llama 3\.1, found others$/,
    });
  }
  await assert.rejects(readToEnd(withDivisors(Array(5000).fill(1))), {
    code: 'bad-checkpoint',
    message: /rope_freqs\.weight to have at most 4096 F32, found F32 \[5000\]$/,
  });
});

test('linearly slower rotations are read, and others are named for the configuration to refuse', async () => {
  const type = (/** @type {string} */ name) => ({
    ...withFact('llama.rope.scaling.type', STRING, name),
    ...withFact('llama.rope.scaling.factor', F32, 4),
  });
  for (const [name, scaling] of /** @type {const} */ ([
    ['linear', {rope_type: 'linear', factor: 4}],
    ['yarn', {rope_type: 'yarn', factor: 4}],
    ['none', null],
  ])) {
    const {files = {}} = await read({}, type(name));
    assert.deepEqual(JSON.parse(files['config.json']).rope_scaling, scaling);
  }
});

test('a tokenizer whose rules are known splits texts by them', async () => {
  for (const pre of ['smollm', 'qwen2', 'deepseek-r1-qwen', 'llama-bpe', 'llama3', 'default']) {
    const facts = {...withFact('tokenizer.ggml.pre', STRING, pre), ...withFact('tokenizer.ggml.bos_token_id', U32, 3)}; // prettier-ignore
    const {files = {}} = await read({}, facts);
    assert.equal(JSON.parse(files['tokenizer.json']).model.merges.length, 1);
  }
});

/** Pieces of SentencePiece, with their scores. @param {string[]} tokens @param {number[]} [scores] */
const pieces = (tokens, scores = tokens.map(() => 0)) => ({
  ...withFact('tokenizer.ggml.model', STRING, 'llama'),
  ...withFact('tokenizer.ggml.tokens', LIST, [STRING, tokens]),
  ...withFact('tokenizer.ggml.scores', LIST, [F32, scores]),
});
/** All of them are halves of each other, so each is merged in as many ways as it is long. */
const repeated = Array.from({length: 296}, (_, index) => '\x01'.repeat(index + 1));

test('facts that nobody asks for are passed over', async () => {
  const whole = withFact('tokenizer.huggingface.json', STRING, 'x'.repeat(2 ** 20 + 1));
  const template = withFact('tokenizer.chat_template', STRING, join([Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 255)])); // prettier-ignore
  assert.equal((await read({}, {...whole, ...template})).header.tensors.length, 3);
});

test('a factor of positions without a type is a linear one', async () => {
  const {files = {}} = await read({}, withFact('llama.rope.scaling.factor', F32, 4));
  assert.deepEqual(JSON.parse(files['config.json']).rope_scaling, {rope_type: 'linear', factor: 4});
});

test('a bias in any layer of Llama is told to the configuration, which refuses it', async () => {
  for (const [name, field] of [
    ['blk.1.attn_k.bias', 'attention_bias'],
    ['blk.0.ffn_down.bias', 'mlp_bias'],
  ]) {
    const {files = {}} = await read(withTensors({name, sizes: [4]}));
    assert.equal(JSON.parse(files['config.json'])[field], true);
  }
});

test('the marks of SentencePiece have their usual ids', async () => {
  const {files = {}} = await read({}, pieces(['<unk>', '<s>', '</s>', 'a']));
  const {post_processor: template} = JSON.parse(files['tokenizer.json']);
  assert.deepEqual(template.special_tokens['<s>'].ids, [1]);
});

/** @type {[string, Parts, Record<string, Fact | undefined>, string, RegExp][]} */
const refused = [
  ['another magic', {magic: 'GGML'}, {}, 'bad-checkpoint', /expected a GGUF file, found one that begins with "GGML"$/],
  ['version 1', {version: 1}, {}, 'bad-checkpoint', /expected version 2 or 3 .*, found version 1$/],
  ['version 4', {version: 4}, {}, 'bad-checkpoint', /found version 4$/],
  ['the other order of bytes', {version: 3 * 2 ** 24}, {}, 'bad-checkpoint', /found a file with numbers in big-endian order$/],
  ['too many tensors', {tensorCount: 16_385}, {}, 'bad-checkpoint', /expected at most 16384 tensors, found 16385$/],
  ['endlessly many tensors', {tensorCount: 2n ** 64n - 1n}, {}, 'bad-checkpoint', /at most 16384 tensors/],
  ['too many facts', {factCount: 2n ** 63n}, {}, 'bad-checkpoint', /expected at most 4096 facts/],
  ['a long key', {}, withFact('k'.repeat(513), U32, 1), 'bad-checkpoint', /the key of a fact of at most 512 bytes, found 513$/],
  ['a fact twice', {facts: [['a', U32, 1], ['a', U32, 1]]}, {}, 'bad-checkpoint', /every fact once, found a twice$/],
  ['a fact of an unknown type', {}, withFact('a', 13, 1), 'bad-checkpoint', /a to be of type 0 to 12, found type 13$/],
  ['a list of lists', {}, withFact('a', LIST, [LIST, []]), 'bad-checkpoint', /a to be a list of numbers or texts, found a list of lists$/],
  ['a list of an unknown type', {}, withFact('a', LIST, [99, []]), 'bad-checkpoint', /a to be a list of type 0 to 12, found type 99$/],
  ['a list that is too long', {}, withFact('a', LIST, [U32, [], 2 ** 20 + 1]), 'bad-checkpoint', /a of at most 1048576 items, found 1048577$/],
  ['too many tokens', {}, withFact('tokenizer.ggml.tokens', LIST, [STRING, [], 2n ** 40n]), 'bad-checkpoint', /tokens of at most 1048576 items/],
  ['tokens of too many characters', {}, withFact('tokenizer.ggml.tokens', LIST, [STRING, Array(9).fill('x'.repeat(2 ** 20))]), 'bad-checkpoint', /tokens of at most 8388608 characters, found more$/],
  ['a text that is too long', {}, withFact('a', STRING, 'x'.repeat(2 ** 20 + 1)), 'bad-checkpoint', /a of at most 1048576 bytes, found 1048577$/],
  ['a text that is not UTF-8', {}, withFact('a', STRING, join([Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 255)])), 'bad-checkpoint', /a in UTF-8, found other bytes$/],
  ['an alignment of 0', {}, withFact('general.alignment', U32, 0), 'bad-checkpoint', /general.alignment to be a power of two, found 0$/],
  ['an alignment of 24', {}, withFact('general.alignment', U32, 24), 'bad-checkpoint', /power of two, found 24$/],
  ['an alignment that is a text', {}, withFact('general.alignment', STRING, '32'), 'bad-checkpoint', /power of two, found "32"$/],
  ['a tensor without dimensions', withTensors({name: 'x', sizes: []}), {}, 'bad-checkpoint', /x to have 1 to 4 dimensions, found 0$/],
  ['a tensor of 5 dimensions', withTensors({name: 'x', sizes: [1, 1, 1, 1, 1]}), {}, 'bad-checkpoint', /1 to 4 dimensions, found 5$/],
  ['a tensor of size 0', withTensors({name: 'x', sizes: [0, 4]}), {}, 'bad-checkpoint', /x of sizes from 1 on/],
  ['sizes whose product is too large', {...withTensors({name: 'x', sizes: [2 ** 30, 2 ** 30, 4]}), dataBytes: 0}, {}, 'bad-checkpoint', /at most 2\^53 bytes, found \[1073741824,1073741824,4\]$/],
  ['a size beyond all numbers', {...withTensors({name: 'x', sizes: [2n ** 64n - 1n]}), dataBytes: 0}, {}, 'bad-checkpoint', /at most 2\^53 bytes/],
  ['a type that is not read', withTensors({name: 'x', sizes: [4], type: 10}), {}, 'bad-checkpoint', /x to be of one of the types F32, F16, Q4_0, .*BF16, found Q2_K$/],
  ['a type that is unknown', withTensors({name: 'x', sizes: [4], type: 999}), {}, 'bad-checkpoint', /found type 999$/],
  ['rows that end within a block', withTensors({name: 'x', sizes: [48], type: 8}), {}, 'bad-checkpoint', /rows of x in blocks of 32 for Q8_0, found 48$/],
  ['a tensor over another', withTensors({name: 'x', sizes: [4], offset: 32}), {}, 'bad-checkpoint', /x to begin at byte 64 of the tensors, found 32: an overlap$/],
  ['a hole between tensors', withTensors({name: 'x', sizes: [4], offset: 2n ** 60n}), {}, 'bad-checkpoint', /found \d+: a hole$/],
  ['a name twice', withTensors({name: 'token_embd.weight', sizes: [4]}), {}, 'bad-checkpoint', /the name of each tensor once, found token_embd.weight twice$/],
  ['the same name in the words of Hugging Face', withTensors({name: 'model.embed_tokens.weight', sizes: [4]}), {}, 'bad-checkpoint', /the name of each tensor once, found model.embed_tokens.weight twice$/],
  ['a long name', withTensors({name: 'n'.repeat(513), sizes: [4]}), {}, 'bad-checkpoint', /at most 512 characters, found .*… of 513$/],
  ['a file that is cut off in a tensor', {dataBytes: 100}, {}, 'bad-checkpoint', /bytes, found \d+ \(the file is cut off\)$/],
  ['a file that goes on', {dataBytes: 1000}, {}, 'bad-checkpoint', /found more bytes behind the last tensor$/],
  ['no words', {tensors: []}, {}, 'bad-checkpoint', /expected token_embd.weight, found no such tensor$/],
  ['no architecture', {}, {'general.architecture': undefined}, 'unsupported-model', /general.architecture to be one of llama, qwen2, qwen3, found nothing$/],
  ['another architecture', {}, withFact('general.architecture', STRING, 'gemma3'), 'unsupported-model', /llama, qwen2, qwen3, found "gemma3"$/],
  ['an adapter', {}, withFact('general.type', STRING, 'adapter'), 'unsupported-model', /general.type to be a model, found "adapter"$/],
  ['a part of a model', {}, withFact('split.count', U32, 3), 'unsupported-model', /a whole model, found one of 3 files; llama-gguf-split --merge joins them$/],
  ['experts', {}, withFact('llama.expert_count', U32, 8), 'unsupported-model', /llama.expert_count to be 0, found 8$/],
  ['a partial rotation', {}, withFact('llama.rope.dimension_count', U32, 1), 'unsupported-model', /llama.rope.dimension_count to be 2, found 1$/],
  ['no layers', {}, withFact('llama.block_count', U32, 0), 'bad-checkpoint', /llama.block_count to be a positive integer, found 0$/],
  ['heads of each layer', {}, withFact('llama.attention.head_count', LIST, [U32, [2]]), 'bad-checkpoint', /llama.attention.head_count to be a positive integer, found an object$/],
  ['no epsilon', {}, {'llama.attention.layer_norm_rms_epsilon': undefined}, 'bad-checkpoint', /layer_norm_rms_epsilon to be a number over 0, found nothing$/],
  ['a base that is no number', {}, withFact('llama.rope.freq_base', F32, NaN), 'bad-checkpoint', /llama.rope.freq_base to be a number over 0, found NaN$/],
  ['a base of each layer', {}, withFact('llama.rope.freq_base', LIST, [F32, [1, 2]]), 'bad-checkpoint', /freq_base to be a number over 0, found an object$/],
  ['heads that do not divide', {}, withFact('llama.attention.head_count', U64, 3), 'bad-checkpoint', /heads of an even size, found 1.3+$/],
  ['rows that are not whole heads', withTensors({name: 'blk.0.attn_k.weight', sizes: [4, 3]}), {}, 'bad-checkpoint', /rows of blk.0.attn_k.weight for heads of 2, found 3 rows$/],
  ['another tokenizer', {}, withFact('tokenizer.ggml.model', STRING, 't5'), 'bad-tokenizer', /tokenizer.ggml.model to be gpt2 or llama, found "t5"$/],
  ['unknown rules of words', {}, withFact('tokenizer.ggml.pre', STRING, 'tekken'), 'bad-tokenizer', /tokenizer.ggml.pre to be one of gpt-2, smollm, qwen2, llama-bpe, default, found "tekken"$/],
  ['rules that are no text', {}, withFact('tokenizer.ggml.pre', F32, 1), 'bad-tokenizer', /default, found 1$/],
  ['no tokens', {}, {'tokenizer.ggml.tokens': undefined}, 'bad-tokenizer', /tokenizer.ggml.tokens to be a list of texts, found none$/],
  ['tokens that are numbers', {}, withFact('tokenizer.ggml.tokens', LIST, [U32, [1, 2]]), 'bad-tokenizer', /tokenizer.ggml.tokens to be a list of texts, found numbers$/],
  ['merges of three', {}, withFact('tokenizer.ggml.merges', LIST, [STRING, ['a b c']]), 'bad-tokenizer', /tokenizer.ggml.merges to be pairs of tokens, found "a b c"$/],
  ['merges that are numbers', {}, withFact('tokenizer.ggml.merges', LIST, [BOOL, [true]]), 'bad-tokenizer', /pairs of tokens, found true$/],
  ['no merges', {}, {'tokenizer.ggml.merges': undefined}, 'bad-tokenizer', /tokenizer.ggml.merges to be a list of pairs, found nothing$/],
  ['a mark that is no token', {}, {...withFact('tokenizer.ggml.add_bos_token', BOOL, true), ...withFact('tokenizer.ggml.bos_token_id', U32, 99)}, 'bad-tokenizer', /tokenizer.ggml.bos_token_id to be an id below 4, found 99$/],
  ['a mark without a name', {}, withFact('tokenizer.ggml.add_eos_token', BOOL, true), 'bad-tokenizer', /tokenizer.ggml.eos_token_id to be an id below 4, found nothing$/],
  ['pieces without scores', {}, withFact('tokenizer.ggml.model', STRING, 'llama'), 'bad-tokenizer', /4 scores of tokens, found 0$/],
  ['scores that are no numbers', {}, pieces(['a', 'b'], [0, NaN]), 'bad-tokenizer', /finite scores of tokens, found NaN$/],
  ['pieces whose merges are much longer', {}, pieces(repeated), 'bad-tokenizer', /merges of at most 8388608 characters, found more$/],
]; // prettier-ignore

for (const [what, parts, changed, code, message] of refused) {
  test(`a file with ${what} is refused in a sentence`, async () => {
    await assert.rejects(read(parts, changed), (error) => {
      assert(error instanceof BertscopeError, String(error));
      assert.equal(error.code, code);
      assert.match(error.message, message);
      assert.match(error.message, /^m\.gguf: expected [^\n]+$/);
      return true;
    });
  });
}

test('a pointer of Git LFS in place of the file is refused by its name', async () => {
  const pointer = Buffer.from(
    'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 4\n',
  );
  await assert.rejects(readGguf(fileOf(pointer)), {
    code: 'bad-source',
    message: /the pointer that Git LFS leaves/,
  });
});

test('a file that ends at any byte is refused in a sentence, whether its size is known or not', async () => {
  const whole = smallModel();
  for (let end = 0; end < whole.length - 16; end++) {
    const bytes = whole.slice(0, end);
    const unknown = {path: 'm.gguf', read: () => inChunks(bytes)};
    for (const file of [fileOf(bytes), unknown]) {
      await assert.rejects(readToEnd(file), {
        code: 'bad-checkpoint',
        message: /\(the file is cut off\)$/,
      });
    }
  }
});

test('any damaged file is refused in a sentence or read to its end', async () => {
  const real = new Uint8Array(readFileSync(fromRoot('tests/golden/qwen2.gguf')));
  const small = smallModel();
  const damage = fc.oneof(
    fc.tuple(fc.constant(small), fc.nat(small.length - 1), fc.nat(255)),
    fc.tuple(fc.constant(real), fc.nat(12_000), fc.nat(255)),
  );
  const property = fc.asyncProperty(damage, fc.boolean(), async ([bytes, at, byte], isCut) => {
    const damaged = isCut ? bytes.slice(0, at) : bytes.slice();
    if (!isCut) damaged[at] = byte;
    try {
      await readToEnd(fileOf(damaged));
    } catch (error) {
      assert(error instanceof BertscopeError, String(error));
      assert(error.message.length < 700);
    }
  });
  await fc.assert(property, tries(300));
});
