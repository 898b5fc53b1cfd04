/** Builds GGUF files that are as their format says, or state what is not so. */

import {join} from '../support.js';

/** @typedef {[key: string, type: number, value: unknown]} Fact A list's value is `[type, items]`, perhaps with a count that is not so. */

/**
 * @typedef {object} Placed
 * @property {string} name
 * @property {(number | bigint)[]} sizes Columns before rows, as in the file.
 * @property {number} [type] F32 unless given.
 * @property {number | bigint} [offset]
 * @property {number} [dimensions]
 */

/**
 * @typedef {object} Parts
 * @property {string} [magic]
 * @property {number} [version]
 * @property {Fact[]} [facts]
 * @property {Placed[]} [tensors] They lie one after the other unless they state something else.
 * @property {number | bigint} [tensorCount]
 * @property {number | bigint} [factCount]
 * @property {number} [alignment]
 * @property {number} [dataBytes]
 */

export const [U32, F32, BOOL, STRING, LIST, U64] = [4, 6, 7, 8, 9, 10];

const u32 = (/** @type {number} */ value) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u64 = (/** @type {number | bigint} */ value) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)));
  return bytes;
};
const f32 = (/** @type {number} */ value) => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
};
const text = (/** @type {string} */ value) =>
  join([u64(Buffer.byteLength(value)), Buffer.from(value)]);

/** @param {number} type @param {any} value @returns {Uint8Array} */
function valueOf(type, value) {
  if (value instanceof Uint8Array) return value;
  if (type === STRING) return text(value);
  if (type === F32) return f32(value);
  if (type === BOOL) return Uint8Array.of(value ? 1 : 0);
  if (type === U64) return u64(value);
  if (type !== LIST) return u32(value);
  const [item, items, count = items.length] = value;
  return join([
    u32(item),
    u64(count),
    ...items.map((/** @type {unknown} */ each) => valueOf(item, each)),
  ]);
}

/** @param {Parts} parts */
export function ggufFile(parts) {
  const {magic = 'GGUF', version = 3, facts = [], tensors = [], alignment = 32, dataBytes} = parts;
  const padding = (/** @type {number} */ bytes) => (alignment - (bytes % alignment)) % alignment;
  let end = 0;
  const places = tensors.flatMap(
    ({name, sizes, type = 0, offset = end, dimensions = sizes.length}) => {
      const bytes = sizes.reduce(
        (/** @type {number} */ product, size) => product * Number(size),
        4,
      );
      end += bytes + padding(bytes);
      return [text(name), u32(dimensions), ...sizes.map(u64), u32(type), u64(offset)];
    },
  );
  const header = join([
    Buffer.from(magic),
    u32(version),
    u64(parts.tensorCount ?? tensors.length),
    u64(parts.factCount ?? facts.length),
    ...facts.flatMap(([key, type, value]) => [text(key), u32(type), valueOf(type, value)]),
    ...places,
  ]);
  return join([header, Buffer.alloc(padding(header.length)), Buffer.alloc(dataBytes ?? end)]);
}

/** The facts of a model that is as small as can be. @type {Fact[]} */
const FACTS = [
  ['general.architecture', STRING, 'llama'],
  ['llama.context_length', U32, 8],
  ['llama.embedding_length', U32, 4],
  ['llama.block_count', U32, 1],
  ['llama.feed_forward_length', U32, 4],
  ['llama.attention.head_count', U32, 2],
  ['llama.attention.layer_norm_rms_epsilon', F32, 1e-5],
  ['tokenizer.ggml.model', STRING, 'gpt2'],
  ['tokenizer.ggml.pre', STRING, 'gpt-2'],
  ['tokenizer.ggml.tokens', LIST, [STRING, ['a', 'b', 'ab', 'Ġ']]],
  ['tokenizer.ggml.merges', LIST, [STRING, ['a b']]],
];

/** @type {Placed[]} */
const TENSORS = [
  {name: 'token_embd.weight', sizes: [4, 4]},
  {name: 'output_norm.weight', sizes: [4]},
  {name: 'blk.0.attn_q.weight', sizes: [4, 4]},
];

/**
 * @param {Record<string, Fact | [string] | undefined>} [changed] Facts by their keys; undefined leaves one out.
 * @returns {Fact[]}
 */
export function factsWith(changed = {}) {
  const facts = new Map(FACTS.map((fact) => [fact[0], fact]));
  for (const [key, fact] of Object.entries(changed)) {
    if (fact) facts.set(key, /** @type {Fact} */ (fact));
    else facts.delete(key);
  }
  return [...facts.values()];
}

/** @param {Parts} [parts] @param {Parameters<typeof factsWith>[0]} [changed] */
export const smallModel = (parts = {}, changed = {}) =>
  ggufFile({facts: factsWith(changed), tensors: TENSORS, ...parts});
