/** Makes models that are each wrong in one way, and gives the message that must name the fault and its place. */

import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {zipSync} from 'fflate';

/**
 * @typedef {object} BadModel
 * @property {string} what  the fault
 * @property {Record<string, Buffer>} files The model's files by name.
 * @property {string} says Part of the message that refuses the model.
 */

const WORDS = 'bert.embeddings.word_embeddings.weight';
const QUERY = 'bert.encoder.layer.0.attention.self.query.weight';
const NORM = 'bert.embeddings.LayerNorm.weight';

/**
 * @param {string} folder The folder of the golden model `odd-sizes`, which is correct.
 * @returns {BadModel[]}
 */
export function badModels(folder) {
  const good = Object.fromEntries(
    readdirSync(folder)
      .filter((name) => ['config.json', 'model.safetensors', 'vocab.txt'].includes(name))
      .map((name) => [name, readFileSync(join(folder, name))]),
  );
  const weights = good['model.safetensors'];
  const ofWeights = (/** @type {string} */ name, /** @type {Buffer} */ bytes) => ({
    'config.json': good['config.json'],
    'vocab.txt': good['vocab.txt'],
    [name]: bytes,
  });
  const ofConfig = (/** @type {Record<string, unknown>} */ changed) => ({
    ...good,
    'config.json': Buffer.from(
      JSON.stringify({...JSON.parse(`${good['config.json']}`), ...changed}),
    ),
  });
  return [
    {
      what: 'a file that is cut off',
      files: ofWeights('cut.safetensors', weights.subarray(0, 9000)),
      says: 'cut.safetensors: expected 395916 bytes, found 9000 (the file is cut off)',
    },
    {
      what: 'a header that lies about its length',
      files: ofWeights(
        'long.safetensors',
        Buffer.concat([Buffer.alloc(8, 0x7f), weights.subarray(8)]),
      ),
      says: 'long.safetensors: expected a safetensors header of at most 100000000 bytes, found its length given as 9187201950435737471',
    },
    {
      what: 'a header that lies about a shape',
      files: ofWeights(
        'lying.safetensors',
        withHeader(weights, (tensors) => (tensors[NORM].shape = [61])),
      ),
      says: `lying.safetensors: expected ${NORM} to have 244 bytes for F32 [61], found 240 in data_offsets [240, 480]`,
    },
    {
      what: 'tensors that overlap',
      files: ofWeights(
        'overlap.safetensors',
        withHeader(weights, (tensors) => (tensors[NORM].data_offsets = [0, 240])),
      ),
      says: `overlap.safetensors: expected ${NORM} to begin at byte 240, found 0: an overlap`,
    },
    {
      what: 'a weight that is not a number',
      files: ofWeights('nan.safetensors', withWeight(weights, QUERY, 3 * 60 + 7, NaN)),
      says: `${QUERY} at [3, 7]: expected a finite number, found NaN`,
    },
    {
      what: 'an infinite weight',
      files: ofWeights('infinite.safetensors', withWeight(weights, WORDS, 60 * 2 + 1, -Infinity)),
      says: `${WORDS} at [2, 1]: expected a finite number, found infinity`,
    },
    {
      what: 'a classifier with more scales than classes',
      files: ofWeights(
        'scales.safetensors',
        withTensors(weights, {
          'classifier.weight_scale': {dtype: 'F32', shape: [65536], bytes: Buffer.alloc(262144)},
          'classifier.weight': {dtype: 'I8', shape: [1, 60], bytes: Buffer.alloc(60)},
          'classifier.bias': {dtype: 'F32', shape: [1], bytes: Buffer.alloc(4)},
        }),
      ),
      says: 'classifier.weight: expected shape [65536, 60], found [1, 60]',
    },
    {
      what: 'a configuration without a field',
      files: ofConfig({num_attention_heads: undefined}),
      says: 'config.json: expected num_attention_heads to be a positive integer, found nothing',
    },
    {
      what: 'a configuration of other sizes than the weights',
      files: ofConfig({intermediate_size: 128}),
      says: 'bert.encoder.layer.0.intermediate.dense.bias: expected shape [128], found [100]',
    },
    {
      what: 'a configuration of more layers than the weights',
      files: ofConfig({num_hidden_layers: 4}),
      says: 'the weights: missing bert.encoder.layer.3.attention.output.LayerNorm.bias',
    },
    {
      what: 'a vocabulary of other words than the weights',
      files: {...good, 'vocab.txt': Buffer.from(`${good['vocab.txt']}${'more\nand more\n'}`)},
      says: 'vocab.txt: expected 101 tokens at most, as many as the model has word embeddings (vocab_size), found ids up to 102 (and more)',
    },
    {
      what: 'a pickle that would run something',
      files: ofWeights('pytorch_model.bin', archiveOf('\x80\x02cposix\nsystem\n(X\x02\0\0\0lstR.')),
      says: 'torch.…Storage, found posix.system',
    },
  ];
}

/**
 * @param {Buffer} file  a safetensors file
 * @param {(tensors: Record<string, {shape: number[], data_offsets: number[]}>) => unknown} change
 */
function withHeader(file, change) {
  const {tensors, dataBegin} = readHeader(file);
  change(tensors);
  const text = Buffer.from(JSON.stringify(tensors));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, file.subarray(dataBegin)]);
}

/**
 * @param {Buffer} file  a safetensors file
 * @param {Record<string, {dtype: string, shape: number[], bytes: Buffer}>} added  tensors that follow its own
 */
function withTensors(file, added) {
  let end = file.length - readHeader(file).dataBegin;
  const grown = withHeader(file, (tensors) => {
    for (const [name, {dtype, shape, bytes}] of Object.entries(added)) {
      const entry = {dtype, shape, data_offsets: [end, (end += bytes.length)]};
      tensors[name] = entry;
    }
  });
  return Buffer.concat([grown, ...Object.values(added).map(({bytes}) => bytes)]);
}

/**
 * @param {Buffer} file  a safetensors file in float32
 * @param {string} tensor
 * @param {number} index
 * @param {number} value
 */
function withWeight(file, tensor, index, value) {
  const changed = Buffer.from(file);
  const {tensors, dataBegin} = readHeader(file);
  changed.writeFloatLE(value, dataBegin + tensors[tensor].data_offsets[0] + 4 * index);
  return changed;
}

/** @param {Buffer} file */
function readHeader(file) {
  const dataBegin = 8 + Number(file.readBigUInt64LE());
  return {tensors: JSON.parse(file.subarray(8, dataBegin).toString()), dataBegin};
}

/** Makes a checkpoint like PyTorch's. @param {string} pickle  each character is one byte */
function archiveOf(pickle) {
  return Buffer.from(zipSync({'x/data.pkl': Buffer.from(pickle, 'latin1')}));
}
