/** Helps tests to read files of the repository, to load models and to make safetensors in memory. */

import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {createRuntime} from '../../scripts/cli/engine.mjs';
import {openModel} from '../../scripts/cli/source.mjs';
import {readSafetensors, writeSafetensors} from '../../web/engine/files/safetensors.js';

/** @param {string} path From the repository's root. */
export const fromRoot = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const GOLDEN = fromRoot('tests/golden');

/** The seeded models whose tensors PyTorch computed. */
export const goldenModels = readdirSync(GOLDEN, {withFileTypes: true})
  .filter((entry) => entry.isDirectory() && entry.name !== 'classifiers')
  .map((entry) => entry.name);

/** @param {string} name */
export const goldenFolder = (name) => `${GOLDEN}/${name}`;

/** The golden models that continue texts, made from transformers' own modules. */
export const causalFamilies = [
  'gpt2',
  'gpt2-scaled',
  'llama',
  'qwen2',
  'qwen3',
  'gpt_neox',
  'llama3',
];

/** The golden models of families that are no relatives of BERT's, made from transformers' own modules. */
export const laterFamilies = [
  'modernbert',
  'mpnet',
  'deberta-v2',
  ...causalFamilies,
  'marian',
  'bart',
  't5',
];

/** One golden model of each family, with its tokenizer. */
export const families = [
  'distilbert',
  'roberta',
  'xlm-roberta',
  'camembert',
  'electra-small',
  'albert',
  ...laterFamilies,
  'odd-sizes',
];

/** Lists the files of a golden model that a reader of it has. @param {string} name */
export function filesOf(name) {
  const isVocabulary = (/** @type {string} */ file) => /\.(json|txt|spm)$/.test(file);
  return readdirSync(goldenFolder(name)).filter(
    (file) => isVocabulary(file) || file === 'model.safetensors',
  );
}

/** One engine for a whole test file. */
export const runtime = await createRuntime();

/** A golden model needs a vocabulary only to be loaded; its tests give token ids. */
const ANY_VOCABULARY = '[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n';

/**
 * @param {string} name
 * @param {'int8' | 'f32'} [precision]
 */
export async function loadGolden(name, precision = 'f32') {
  const source = await openModel(goldenFolder(name));
  const has = (/** @type {string} */ file) => file in source.files;
  if (!has('tokenizer.json') && !has('vocab.json')) source.files['vocab.txt'] ??= ANY_VOCABULARY;
  return runtime.load(source, {precision});
}

/**
 * @param {import('../../web/engine/host/loaded-model.js').LoadedModel} model
 * @param {string} text
 * @returns Every attention matrix of the text, one behind the other.
 */
export async function allAttention(model, text) {
  const {pass} = await model.attend(text);
  const matrices = [];
  for (let layer = 0; layer < model.shape.layers; layer++) {
    for (let head = 0; head < model.shape.heads; head++) {
      matrices.push(...(await model.pull(pass, 'attention', [layer, head])));
    }
  }
  return matrices;
}

/**
 * @param {Uint8Array} bytes
 * @param {number[]} [cuts] Positions between chunks, ascending.
 */
export async function* inChunks(bytes, cuts = []) {
  let begin = 0;
  for (const cut of [...cuts, bytes.length]) {
    yield bytes.subarray(begin, cut);
    begin = cut;
  }
}

/** @param {Iterable<Uint8Array>} parts */
export const join = (parts) => new Uint8Array(Buffer.concat([...parts]));

/** @typedef {import('../../web/engine/files/safetensors-header.js').Dtype} Dtype */

/**
 * @param {{name: string, dtype: Dtype, shape: number[], bytes: Uint8Array}[]} tensors
 * @param {Record<string, string>} [metadata]
 */
export function safetensors(tensors, metadata) {
  return join(writeSafetensors(tensors, (index) => tensors[index].bytes, metadata));
}

/**
 * Makes a file with any header.
 * @param {unknown} header JSON, or text as it is.
 * @param {number} [dataBytes]
 */
export function withHeader(header, dataBytes = 0) {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return join([length, text, Buffer.alloc(dataBytes)]);
}

/**
 * @param {AsyncIterable<Uint8Array>} chunks
 * @returns The whole file, its tensors' bytes put together.
 */
export async function readAll(chunks) {
  const {header, pieces, close} = await readSafetensors(chunks, 'file');
  try {
    /** @type {Map<string, {dtype: Dtype, shape: number[], bytes: Uint8Array}>} */
    const tensors = new Map();
    for await (const {tensor, bytes, first} of pieces) {
      const {name, dtype, shape} = tensor;
      const before = first ? new Uint8Array(0) : tensors.get(name)?.bytes;
      tensors.set(name, {dtype, shape, bytes: join([before ?? new Uint8Array(0), bytes])});
    }
    return {metadata: header.metadata, tensors};
  } finally {
    await close();
  }
}

/** @typedef {{shape: number[], data: Float32Array | Int32Array | Int16Array}} Tensor */

/**
 * Limits of differences from PyTorch and NumPy, in the float32 mode: three times the largest that the
 * golden models show. Both sides compute in float32 but add in different orders.
 */
export const TOLERANCE = {
  attention: 3e-6,
  hiddenStates: 1.4e-5, // of queries, keys, values and the pooler's output too
  logits: 6.5e-5,
  probabilities: 4.5e-6,
  bits: 4e-5,
  measures: 1.4e-5, // norms, rollout, flow and head statistics
  contributions: 1.6e-5, // and what they sum to
};

/**
 * @param {ArrayLike<number>} actual
 * @param {ArrayLike<number>} expected
 * @param {number} [count] Values after these belong to padding.
 */
export function largestDifference(actual, expected, count = actual.length) {
  assert.equal(actual.length, expected.length);
  let largest = 0;
  for (let at = 0; at < count; at++) {
    largest = Math.max(largest, Math.abs(actual[at] - expected[at])); // NaN stays
  }
  return largest;
}

/** One text as the encoder takes it. @param {ArrayLike<number>} ids */
export const batchOf = (ids) => ({
  ids: Int32Array.from(ids),
  tokenTypes: new Int32Array(ids.length),
  lengths: Int32Array.of(ids.length),
});

/** @param {string} name The name of a golden model. */
export const expectedOf = (name) => readTensors(`${goldenFolder(name)}/expected.safetensors`);

const ARRAYS = {F32: Float32Array, I32: Int32Array, I16: Int16Array};

/** @param {string} path The path of a safetensors file from the scripts in Python. */
export async function readTensors(path) {
  const file = readFileSync(path);
  const {tensors} = await readAll(inChunks(new Uint8Array(file)));
  /** @type {Record<string, Tensor>} */
  const arrays = {};
  for (const [key, {dtype, shape, bytes}] of tensors) {
    const TypedArray = ARRAYS[/** @type {keyof typeof ARRAYS} */ (dtype)];
    arrays[key] = {shape, data: new TypedArray(bytes.slice().buffer)};
  }
  return arrays;
}

/** @param {Tensor} tensor @param {number[]} indices The indices of the leading dimensions. */
export function part({shape, data}, ...indices) {
  const rest = shape.slice(indices.length).reduce((product, size) => product * size, 1);
  const at = indices.reduce((at, index, dimension) => at * shape[dimension] + index, 0);
  return data.subarray(at * rest, (at + 1) * rest);
}
