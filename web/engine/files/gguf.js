/**
 * Reads GGUF files, which hold a whole model: its tensors, mostly quantized, its configuration and its
 * tokenizer. Only such files load this module.
 * Source: `docs/gguf.md` of ggml-org/ggml.
 */

import {shorten} from '../json.js';
import {padded, readGgufHeader, refusalOf} from './gguf-header.js';
import {GgufInput, joined} from './gguf-input.js';
import {describeModel, isPermuted, plainName} from './gguf-model.js';
import {DIVISORS, readDivisors} from './gguf-rotations.js';
import {describeTokenizer} from './gguf-tokenizer.js';

/** @import {ByteFile} from './byte-file.js' */
/** @import {GgufTensor} from './gguf-header.js' */
/** @import {Description} from './gguf-model.js' */
/** @import {TensorEntry} from './safetensors-header.js' */
/** @import {Piece, Reader} from './safetensors.js' */

/** So many numbers are written at a time. */
const PIECE_VALUES = 1 << 16;

/** @typedef {TensorEntry & {stored: GgufTensor}} Entry */

/**
 * @param {ByteFile} file
 * @returns {Promise<Reader>} Has the header of a safetensors file with the same tensors, and the texts
 *   that would be beside it.
 */
export async function readGguf(file) {
  const refuse = refusalOf(file.path);
  const input = new GgufInput(file.read(), refuse);
  try {
    const {version, facts, tensors, begin, alignment} = await readGgufHeader(input, file.path);
    const last = tensors.at(-1);
    const dataBytes = last ? last.offset + last.bytes : 0;
    const fileBytes = begin + dataBytes;
    if (file.bytes !== undefined && file.bytes < fileBytes) {
      throw refuse(`${fileBytes} bytes`, `${file.bytes} (the file is cut off)`);
    }
    const most = begin + padded(dataBytes, alignment);
    if (file.bytes !== undefined && file.bytes > most) throw goesOn(file.path, most);
    const divisors = await readDivisors(file, tensors, begin);
    const model = describeModel(facts, tensors, divisors, file.path);
    /** @type {Entry[]} */
    const entries = tensors
      .filter(({name}) => name !== DIVISORS)
      .map((stored) => ({
        name: plainName(stored.name),
        dtype: stored.block.dtype,
        shape: stored.shape,
        begin: stored.offset,
        end: stored.offset + stored.bytes,
        storedAs: stored.block.name,
        stored,
      }));
    const texts = {'config.json': JSON.stringify(model.config)};
    return {
      header: {
        tensors: entries,
        metadata: {format: 'gguf', version: String(version)},
        fileBytes,
      },
      dataBytes,
      files: {...texts, ...describeTokenizer(facts, file.path)},
      pieces: readPieces(input, {entries, model, begin, most, path: file.path}),
      close: () => input.close(),
    };
  } catch (error) {
    await input.close();
    throw error;
  }
}

/**
 * @param {GgufInput} input
 * @param {{entries: Entry[], model: Description, begin: number, most: number, path: string}} layout `most`: the
 *   bytes of the file with those that fill its last tensor up
 * @returns {AsyncGenerator<Piece, void>}
 */
async function* readPieces(input, {entries, model, begin, most, path}) {
  for (const tensor of entries) {
    const {stored} = tensor;
    for await (const _ of input.take(begin + stored.offset - input.position, stored.name));
    let isWanted = true;
    const skip = () => (isWanted = false);
    yield {tensor, bytes: new Uint8Array(0), first: true, last: false, skip};
    const chunks = input.take(stored.bytes, stored.name);
    let left = stored.bytes;
    for await (const {bytes, fileBytes} of isWanted
      ? valuesOf(chunks, stored, model)
      : chunksOf(chunks)) {
      left -= fileBytes;
      if (isWanted) yield {tensor, bytes, fileBytes, first: false, last: left === 0};
    }
  }
  if (await input.endsWithin(most - input.position)) return;
  throw goesOn(path, most);
}

/** @param {string} path @param {number} most */
const goesOn = (path, most) =>
  refusalOf(path)(`${most} bytes`, 'more bytes behind the last tensor');

/** @typedef {{bytes: Uint8Array, fileBytes: number}} Values `fileBytes`: the bytes of the file that they were. */

/** @param {AsyncIterable<Uint8Array>} chunks @returns {AsyncGenerator<Values, void>} */
async function* chunksOf(chunks) {
  for await (const bytes of chunks) yield {bytes, fileBytes: bytes.length};
}

/**
 * @param {AsyncIterable<Uint8Array>} chunks All of a tensor.
 * @param {GgufTensor} tensor
 * @param {Description} model
 * @returns {AsyncGenerator<Values, void>}
 */
async function* valuesOf(chunks, tensor, model) {
  const {block, shape, bytes: all} = tensor;
  const rowBytes = all / shape[0];
  const rows = isPermuted(tensor, model) ? model.headSize : 0;
  const unit = rows > 0 ? rows * rowBytes : block.bytes;
  for await (const whole of inUnits(chunks, unit)) {
    const ordered = rows > 0 ? inHalves(whole, rows, rowBytes) : whole;
    if (!block.read) {
      yield {bytes: ordered, fileBytes: ordered.length};
      continue;
    }
    const most = (PIECE_VALUES / block.values) * block.bytes;
    for (let at = 0; at < ordered.length; at += most) {
      const part = ordered.subarray(at, at + most);
      yield {bytes: readBlocks(part, tensor), fileBytes: part.length};
    }
  }
}

/**
 * @param {Uint8Array} bytes Whole blocks.
 * @param {GgufTensor} tensor
 * @returns {Uint8Array} Their numbers.
 */
function readBlocks(bytes, {block, name}) {
  const {read} = block;
  if (!read) throw new Error(`expected blocks of ${shorten(name)}`);
  const out = new Float32Array((bytes.length / block.bytes) * block.values);
  for (let at = 0, to = 0; at < bytes.length; at += block.bytes, to += block.values) {
    read(bytes, at, out, to);
  }
  return new Uint8Array(out.buffer);
}

/**
 * Cuts chunks where units end. What has arrived of a unit is kept as it is until the unit is whole.
 * @param {AsyncIterable<Uint8Array>} chunks
 * @param {number} unit In bytes.
 * @returns {AsyncGenerator<Uint8Array, void>} One or more units each.
 */
async function* inUnits(chunks, unit) {
  /** @type {Uint8Array[]} */
  let parts = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
    if (length < unit) continue;
    const all = joined(parts, length);
    const rest = length % unit;
    yield all.subarray(0, length - rest);
    parts = rest > 0 ? [all.subarray(length - rest)] : [];
    length = rest;
  }
}

/**
 * GGML rotates neighbours of a head together, Hugging Face's models the two halves of a head. So the
 * rows of queries and keys of Llama were interleaved when the file was made. This undoes it.
 * Source: `LlamaModel.permute` of `convert_hf_to_gguf.py`.
 * @param {Uint8Array} bytes Whole heads.
 * @param {number} rows How many a head has.
 * @param {number} rowBytes
 */
function inHalves(bytes, rows, rowBytes) {
  const out = new Uint8Array(bytes.length);
  for (let head = 0; head < bytes.length; head += rows * rowBytes) {
    for (let row = 0; row < rows; row++) {
      const from = head + row * rowBytes;
      const to = head + ((row % 2) * (rows / 2) + (row >> 1)) * rowBytes;
      out.set(bytes.subarray(from, from + rowBytes), to);
    }
  }
  return out;
}
