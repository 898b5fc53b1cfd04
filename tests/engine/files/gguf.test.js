/** Tests that GGUF files give the values and the tokens of their reference, and that damaged ones are refused. */

import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {after, test} from 'node:test';
import {gunzipSync} from 'node:zlib';
import {zipSync} from 'fflate';
import {openModel} from '../../../scripts/cli/source.mjs';
import {blobFile} from '../../../web/engine/files/byte-file.js';
import {readGguf} from '../../../web/engine/files/gguf.js';
import {isGguf} from '../../../web/engine/files/model-folder.js';
import {readGgufHeader, refusalOf} from '../../../web/engine/files/gguf-header.js';
import {GgufInput} from '../../../web/engine/files/gguf-input.js';
import {describeTokenizer} from '../../../web/engine/files/gguf-tokenizer.js';
import {openFiles, openUrl} from '../../../web/engine/files/model-sources.js';
import {readSafetensors} from '../../../web/engine/files/safetensors.js';
import {Tokenizer} from '../../../web/engine/text/tokenizer.js';
import {
  allAttention,
  batchOf,
  fromRoot,
  inChunks,
  join,
  largestDifference,
  part,
  readTensors,
  runtime,
  TOLERANCE,
} from '../support.js';

const TEXT = 'the cat sat on the mat';

/** @type {{hashes: Record<string, Record<string, string>>, texts: string[], rules: Record<string, number[][]>} & Record<string, number[][]>} */
const golden = JSON.parse(
  gunzipSync(readFileSync(fromRoot('tests/golden/gguf.json.gz'))).toString(),
);
const expected = await readTensors(fromRoot('tests/golden/gguf.safetensors'));

/** @param {string} name */
const bytesOf = (name) => new Uint8Array(readFileSync(fromRoot(`tests/golden/${name}.gguf`)));

/** @param {Uint8Array} bytes @param {number} [step] Where the chunks are cut. */
function fileOf(bytes, step = 50_000) {
  const cuts = Array.from({length: Math.ceil(bytes.length / step) - 1}, (_, at) => (at + 1) * step);
  return {path: 'm.gguf', bytes: bytes.length, read: () => inChunks(bytes, cuts)};
}

/** @param {number} bits */
function float32OfHalf(bits) {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const size = exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : fraction * 2 ** -24;
  return bits & 0x8000 ? -size : size;
}

/** @param {string} dtype @param {Uint8Array} bytes */
function asFloat32(dtype, bytes) {
  if (dtype === 'F32') return bytes;
  const halves = new Uint16Array(bytes.slice().buffer);
  if (dtype === 'F16') return new Uint8Array(Float32Array.from(halves, float32OfHalf).buffer);
  return new Uint8Array(Uint32Array.from(halves, (bits) => bits * 2 ** 16).buffer);
}

/** @param {import('../../../web/engine/files/byte-file.js').ByteFile} file */
async function tensorsOf(file) {
  const {header, pieces, dataBytes, close} = await readGguf(file);
  /** @type {Map<string, {dtype: string, parts: Uint8Array[]}>} */
  const tensors = new Map();
  let bytesOfFile = 0;
  let open = '';
  for await (const {tensor, bytes, fileBytes, first, last} of pieces) {
    if (first) tensors.set(tensor.name, {dtype: tensor.dtype, parts: []});
    else assert.equal(open, tensor.name);
    tensors.get(tensor.name)?.parts.push(bytes);
    bytesOfFile += fileBytes ?? bytes.length;
    open = last ? '' : tensor.name;
  }
  assert.equal(open, '');
  await close();
  assert(bytesOfFile <= dataBytes && dataBytes - bytesOfFile < 32 * tensors.size);
  assert(dataBytes < header.fileBytes);
  return new Map(
    [...tensors].map(([name, {dtype, parts}]) => [name, asFloat32(dtype, join(parts))]),
  );
}

for (const name of ['llama', 'qwen2', 'qwen3']) {
  for (const step of [50_000, 977]) {
    test(`${name}: every value is that of the package gguf, bit for bit, in chunks of ${step} bytes`, async () => {
      const tensors = await tensorsOf(fileOf(bytesOf(name), step));
      const hashes = [...tensors].map(([tensor, bytes]) => [
        tensor,
        createHash('sha256').update(bytes).digest('hex').slice(0, 32),
      ]);
      assert.deepEqual(Object.fromEntries(hashes), golden.hashes[name]);
    });
  }

  test(`${name}: the logits are those of transformers on these values`, async () => {
    const model = await runtime.load(await openModel(fromRoot(`tests/golden/${name}.gguf`)), {
      precision: 'f32',
    });
    after(() => model.dispose());
    const ids = part(expected[`${name}.input_ids`], 0);
    const {pass} = await model.encoder.run(batchOf(ids));
    for (const token of ids.keys()) {
      const logits = await model.pull(pass, 'wordLogits', [model.shape.layers, token]);
      const wanted = part(expected[`${name}.logits`], 0, token);
      assert(largestDifference(logits, wanted) <= TOLERANCE.logits);
    }
  });

  test(`${name}: texts are split as by the tokenizer that the file describes`, async () => {
    const {files = {}, close} = await readGguf(fileOf(bytesOf(name)));
    await close();
    const tokenizer = new Tokenizer(files, name);
    for (const [index, text] of golden.texts.entries()) {
      assert.deepEqual(
        tokenizer.encode(text).ids,
        golden[name === 'llama' ? name : 'qwen2'][index],
        JSON.stringify(text),
      );
    }
    assert.equal(tokenizer.token(tokenizer.endId ?? -1), name === 'llama' ? '</s>' : '<|im_end|>');
  });
}

test('texts are split into words by the rules that a file names', async () => {
  const input = new GgufInput(inChunks(bytesOf('qwen2')), refusalOf('m'));
  const {facts} = await readGgufHeader(input, 'm');
  for (const [rules, ids] of Object.entries(golden.rules)) {
    facts.set('tokenizer.ggml.pre', rules);
    const tokenizer = new Tokenizer(describeTokenizer(facts, 'm'), 'm');
    for (const [index, text] of golden.texts.entries()) {
      assert.deepEqual(tokenizer.encode(text).ids, ids[index], `${rules}: ${JSON.stringify(text)}`);
    }
  }
});

test('a GGUF file opens from a file, an address, a folder and an archive, and is kept as a quantized file', async () => {
  const bytes = bytesOf('llama');
  const blob = new Blob([bytes]);
  const server = createServer((_, response) => response.end(bytes));
  after(() => server.close());
  await once(server.listen(0, 'localhost'), 'listening');
  const {port} = /** @type {import('node:net').AddressInfo} */ (server.address());
  const opened = [
    await openUrl(`http://localhost:${port}/llama.gguf?download=true`),
    await openModel(fromRoot('tests/golden/llama.gguf')),
    await openFiles([{path: 'LLAMA.GGUF', file: blob}]),
    // What is beside it is not its own.
    await openFiles([
      {path: 'some/llama.gguf', file: blob},
      {path: 'some/config.json', file: new Blob(['{"model_type": "t5"}'])},
    ]),
    await openFiles([{path: 'm.zip', file: new Blob([zipSync({'some/llama.gguf': bytes})])}]),
  ];
  assert(opened.every(({name}) => /^(llama|some|m|llama\.gguf)$/i.test(name)));
  const models = [];
  for (const source of opened) models.push(await runtime.load(source));
  const kept = join(models[0].quantizedFile());
  const open = () => readSafetensors(inChunks(kept), 'kept');
  models.push(await runtime.load({name: 'kept', path: 'kept', weights: 'kept', files: {}, open}));
  const [first, ...others] = models;
  const attention = await allAttention(first, TEXT);
  assert(attention.every((weight) => weight >= 0));
  for (const model of others) assert.deepEqual(await allAttention(model, TEXT), attention);
  for (const model of models) model.dispose();
});

test('of a folder with several files of weights, safetensors are taken, and several of GGUF are refused', async () => {
  const blob = new Blob([bytesOf('llama')]);
  const two = [
    {path: 'a.gguf', file: blob},
    {path: 'b.gguf', file: blob},
  ];
  await assert.rejects(openFiles(two, 'folder'), {
    code: 'bad-source',
    message: /expected one .* one \.gguf file .*, found a\.gguf, b\.gguf$/,
  });
  const {weights} = await openFiles([...two, {path: 'm.safetensors', file: blob}]);
  assert.equal(weights, 'm.safetensors');
});

test('a tensor that nobody needs is passed over, and the next one is read', async () => {
  const {pieces} = await readGguf(blobFile(new Blob([bytesOf('qwen2')]), 'm.gguf'));
  const read = [];
  for await (const {tensor, first, skip} of pieces) {
    if (first && read.length % 2 === 0) skip?.();
    if (first || read.at(-1) !== tensor.name) read.push(tensor.name);
  }
  assert.equal(new Set(read).size, read.length);
  assert.equal(read.length, Object.keys(golden.hashes.qwen2).length);
});

test('an address is of a GGUF file by its path alone', () => {
  for (const path of ['m.gguf', 'A.GGUF', 'https://h/m.gguf?download=true', 'https://h/m.gguf#x'])
    assert.ok(isGguf(path), path);
  for (const path of ['m.safetensors', 'https://h/m.safetensors?from=a.gguf', 'https://h/#m.gguf'])
    assert.ok(!isGguf(path), path);
});
