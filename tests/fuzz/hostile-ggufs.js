/** A generator of GGUF files that state what is not so. */

import fc from 'fast-check';
import {factsWith, F32, ggufFile, LIST, STRING, U32, U64} from '../engine/files/gguf-file.js';

/** @import {Hostile} from './hostile-files.js' */
/** @import {Fact} from '../engine/files/gguf-file.js' */

const numbers = fc.constantFrom(0, 1, 2, 3, 4, 24, 100, 2 ** 14, 2 ** 20, 2 ** 31, 2 ** 32 - 1);
const counts = fc.oneof(
  {weight: 6, arbitrary: fc.constant(undefined)},
  numbers,
  fc.constantFrom(2n ** 40n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n),
);
const words = fc.constantFrom(
  'a',
  'b',
  'ab',
  'a b',
  'Ġ',
  '▁',
  '▁a',
  '<0x00>',
  '',
  ' ',
  '__proto__',
);
const long = fc.constantFrom(30, 512, 5000, 10 ** 5).map((length) => 'a'.repeat(length));

/** A list of texts, each perhaps many times. */
const texts = fc
  .array(fc.tuple(fc.oneof({weight: 9, arbitrary: words}, long), fc.constantFrom(1, 1, 1, 40)), {
    maxLength: 8,
  })
  .map((parts) => parts.flatMap(([text, times]) => Array(times).fill(text)));
const lists = fc.oneof(
  fc.tuple(fc.constant(STRING), texts, counts),
  fc.tuple(fc.constantFrom(U32, F32), fc.array(fc.nat(6), {maxLength: 9}), counts),
  fc.tuple(fc.constantFrom(LIST, 13), fc.constant([]), counts),
);

/** The keys of a small model, so that most files get past the first checks. */
const keys = fc.constantFrom(
  ...factsWith().map(([key]) => key),
  ...[
    'general.alignment',
    'general.type',
    'llama.rope.scaling.type',
    'llama.attention.head_count_kv',
    'tokenizer.ggml.scores',
    'tokenizer.ggml.token_type',
    'tokenizer.ggml.bos_token_id',
    'tokenizer.ggml.add_bos_token',
  ],
);
const fact = fc.tuple(
  keys,
  fc.oneof(
    fc.tuple(fc.constantFrom(U32, F32), numbers),
    fc.tuple(fc.constant(U64), numbers),
    fc.tuple(
      fc.constant(STRING),
      fc.oneof(words, fc.constantFrom('llama', 'qwen2', 'gpt2', 'default', 'smollm', 'linear')),
    ),
    fc.tuple(fc.constant(LIST), lists),
  ),
);

const tensor = fc.record(
  {
    name: fc.constantFrom(
      ...['token_embd.weight', 'output.weight', 'output_norm.weight', 'blk.0.attn_q.weight'],
      ...['blk.0.attn_k.weight', 'rope_freqs.weight', 'x', '', '__proto__', 'n'.repeat(600)],
    ),
    sizes: fc.array(fc.constantFrom(1, 2, 4, 32, 64, 256, 2 ** 31, 2n ** 62n), {maxLength: 5}),
    type: fc.constantFrom(0, 0, 0, 1, 2, 3, 6, 8, 10, 12, 13, 14, 30, 99),
    offset: counts,
  },
  {requiredKeys: ['name', 'sizes']},
);

/** @type {fc.Arbitrary<Hostile>} */
export const ggufs = fc
  .record({
    version: fc.constantFrom(3, 3, 3, 2, 1, 2 ** 24),
    changed: fc.array(fact, {maxLength: 4}),
    tensors: fc.option(fc.array(tensor, {maxLength: 5}), {nil: undefined}),
    tensorCount: counts,
    factCount: counts,
    dataBytes: fc.constantFrom(0, 64, 100, 5000, 2 ** 20),
    cut: fc.oneof({weight: 4, arbitrary: fc.constant(1)}, fc.double({min: 0, max: 1, noNaN: true})),
  })
  .map(({changed, tensors, cut, ...parts}) => {
    const facts = changed.map(([key, [type, value]]) => [
      key,
      /** @type {Fact} */ ([key, type, value]),
    ]);
    const words = {name: 'token_embd.weight', sizes: [4, 4]};
    const whole = ggufFile({
      ...parts,
      facts: factsWith(Object.fromEntries(facts)),
      tensors: [words, ...(tensors ?? [])],
    });
    const bytes = /** @type {Uint8Array<ArrayBuffer>} */ (
      whole.slice(0, Math.ceil(cut * whole.length))
    );
    return {bytes, stated: bytes.length};
  });
