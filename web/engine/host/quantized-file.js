import {checksumOf} from '../files/header-checksum.js';
import {writeSafetensors} from '../files/safetensors.js';

/** @import {Encoder} from './encoder.js' */

/** The metadata of a quantized file says this of its format. */
export const FORMAT = Object.freeze({
  name: 'bertscope-int8',
  /**
   * The version of the format for each basis of the int8 weights. Version 2 was never published.
   */
  versions: Object.freeze({plain: '1', rotated: '3'}),
});

/**
 * @param {Encoder} encoder Its weights must be int8.
 * @param {Encoder | undefined} decoder
 * @param {Record<string, string>} files The texts that belong to the weights, by file name.
 * @returns The parts of the file, in their order.
 */
export function quantizedFileOf(encoder, decoder, files) {
  const own = encoder.tensors();
  // Both halves have the word embeddings, which are written once.
  const others = (decoder?.tensors() ?? [])
    .map((tensor, index) => ({tensor, index}))
    .filter(({tensor}) => own.every(({name}) => name !== tensor.name));
  const tensors = [...own, ...others.map(({tensor}) => tensor)];
  const bytesOf = (/** @type {number} */ index) =>
    index < own.length || !decoder
      ? encoder.tensorBytes(index)
      : decoder.tensorBytes(others[index - own.length].index);
  const form = {format: FORMAT.name, version: FORMAT.versions[encoder.basis]};
  const checksum = checksumOf(form, tensors);
  return writeSafetensors(tensors, bytesOf, {...form, checksum, ...files});
}
