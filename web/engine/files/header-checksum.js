/**
 * The checksum of a quantized file's header. It protects the version, which says whether rows are
 * rotated: with a wrong version the weights would load, but give wrong results.
 */

import {refuse} from './safetensors-header.js';

/** @import {Header, TensorEntry} from './safetensors-header.js' */

/**
 * @param {Record<string, string>} metadata
 * @param {Pick<TensorEntry, 'name' | 'dtype' | 'shape'>[]} tensors
 * @returns {string} The CRC-32 of format, version, and each tensor's name, type and shape.
 */
export function checksumOf({format, version}, tensors) {
  const facts = tensors.map(({name, dtype, shape}) => JSON.stringify([name, dtype, shape]));
  // The tensors are sorted, because files may list them in any order.
  const text = [format, version, ...facts.sort()].join('\n');
  return crc32(new TextEncoder().encode(text)).toString(16).padStart(8, '0');
}

/**
 * Refuses a quantized file whose header is not the one that was written.
 * @param {Header} header
 * @param {string} path
 * @returns {string[]} A note if the file is older than the checksum.
 */
export function verifyHeader({metadata, tensors}, path) {
  const {checksum: found} = metadata;
  if (found === undefined) return [`${path} is unverified: it has no checksum of its header`];
  const expected = checksumOf(metadata, tensors);
  if (found === expected) return [];
  throw refuse(path, `the checksum ${expected} of its version and shapes`, found.slice(0, 16));
}

/** Source: https://www.w3.org/TR/png-3/#D-CRCAppendix @param {Uint8Array} bytes */
function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}
