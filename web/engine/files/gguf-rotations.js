/**
 * Reads how far the positions of a GGUF file's model turn. Facts say it, but for the slower rotations of
 * Llama 3.1 there is a tensor, which has what each rotation is divided by.
 * Source: `generate_extra_tensors` of `LlamaModel` in `convert_hf_to_gguf.py` of llama.cpp.
 */

import {BertscopeError} from '../errors.js';
import {readBytes} from './byte-file.js';
import {refusalOf} from './gguf-header.js';

/** @import {ByteFile} from './byte-file.js' */
/** @import {GgufTensor} from './gguf-header.js' */

export const DIVISORS = 'rope_freqs.weight';

/** No head is so wide that there are more. */
const MAX_DIVISORS = 4096;

/** All models of this kind have these settings; only the factor differs. */
const LLAMA3 = {
  rope_type: 'llama3',
  low_freq_factor: 1,
  high_freq_factor: 4,
  original_max_position_embeddings: 8192,
};
/** The divisors were rounded to float32. */
const TOLERANCE = 1e-4;

/**
 * The configuration depends on this tensor, so it is read before its turn.
 * @param {ByteFile} file
 * @param {GgufTensor[]} tensors
 * @param {number} begin Where the tensors begin.
 * @returns {Promise<Float32Array | undefined>}
 */
export async function readDivisors(file, tensors, begin) {
  const tensor = tensors.find(({name}) => name === DIVISORS);
  if (!tensor) return undefined;
  const [count] = tensor.shape;
  if (tensor.block.name !== 'F32' || tensor.shape.length !== 1 || count > MAX_DIVISORS) {
    const found = `${tensor.block.name} [${tensor.shape}]`;
    throw refusalOf(file.path)(`${DIVISORS} to have at most ${MAX_DIVISORS} F32`, found);
  }
  const bytes = await readBytes(file, begin + tensor.offset, begin + tensor.offset + tensor.bytes);
  return new Float32Array(bytes.buffer);
}

/**
 * @param {(key: string) => unknown} fact
 * @param {Float32Array | undefined} divisors
 * @param {number} base
 * @param {number} headSize
 * @param {string} path For messages.
 * @returns {object | null} `rope_scaling` of `config.json`
 */
export function scalingOf(fact, divisors, base, headSize, path) {
  if (divisors) return divisorsOfLlama3(divisors, base, headSize, path);
  const factor = fact('rope.scaling.factor') ?? fact('rope.scale_linear');
  // llama.cpp takes a factor without a type for a linear one.
  const type = fact('rope.scaling.type') ?? (factor === undefined ? 'none' : 'linear');
  return type === 'none' || factor === 1 ? null : {rope_type: type, factor};
}

/**
 * @param {Float32Array} divisors
 * @param {number} base
 * @param {number} headSize
 * @param {string} path
 */
function divisorsOfLlama3(divisors, base, headSize, path) {
  const {
    low_freq_factor: low,
    high_freq_factor: high,
    original_max_position_embeddings: trained,
  } = LLAMA3;
  const factor = divisors.reduce((most, each) => Math.max(most, each), 1);
  const isLlama3 = divisors.every((found, index) => {
    const wavelength = 2 * Math.PI * base ** ((2 * index) / headSize);
    // Between both ends, the divisor goes from 1 to the factor.
    const share = Math.min(1, Math.max(0, (trained / wavelength - low) / (high - low)));
    const expected = 1 / ((1 - share) / factor + share);
    return Math.abs(found - expected) <= TOLERANCE * expected;
  });
  if (isLlama3 && 2 * divisors.length === headSize) return {...LLAMA3, factor};
  const message = `${path}: expected ${DIVISORS} to have the ${headSize / 2} divisors of Llama 3.1, found others`;
  throw new BertscopeError('unsupported-model', message);
}
