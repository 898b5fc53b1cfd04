/** Bounds the memory of what a model has in no file. */

import {BertscopeError} from '../errors.js';

/** @import {ModelConfig} from '../wasm-module.d.ts' */

/** This is enough for 8,192 positions of the largest Marian, which has 512, and for the 96 MiB of DeBERTa v3 large. */
const MAX_COMPUTED_BYTES = 2 ** 27;

/**
 * Refuses a model that takes more memory than its file states: all weights are in the file, but
 * sinusoids and what distances add to scores are computed for as many positions or buckets as the configuration says.
 * @param {ModelConfig[]} sides An encoder, and perhaps its decoder.
 * @param {number} dataBytes The size of all tensors in the file.
 * @param {string} name The model's, for messages.
 */
export function checkMemory(sides, dataBytes, name) {
  const bytes = sides.reduce((sum, side) => sum + computedBytes(side), 0);
  const most = Math.min(dataBytes, MAX_COMPUTED_BYTES);
  if (bytes <= most) return;
  const [{positions, distanceBuckets, distanceVectors}] = sides;
  const [field, what, count] = distanceVectors
    ? ['buckets of distances', 'queries and keys', distanceBuckets]
    : distanceBuckets
      ? ['positions', 'biases of distances', positions]
      : ['max_position_embeddings', 'sinusoids', positions];
  const expected = `${field} whose ${what} take at most ${most} bytes`;
  const message = `${name}: config.json: expected ${expected}, found ${count}, whose take ${bytes}`;
  throw new BertscopeError('bad-config', message);
}

/** @param {ModelConfig} config @returns {number} The size of the tables that are in no file. */
function computedBytes({sinusoidalPositions, distanceBuckets = 0, positions, ...config}) {
  const {hiddenSize, embeddingSize, heads, positionOffset} = config;
  if (config.distanceVectors) {
    const width = config.headSize ? heads * config.headSize : hiddenSize;
    return FLOAT_BYTES * 2 * config.layers * distanceBuckets * width;
  }
  const sinusoids = (positions + positionOffset) * (embeddingSize || hiddenSize);
  const biases = heads * (2 * positions - 1);
  return FLOAT_BYTES * ((sinusoidalPositions ? sinusoids : 0) + (distanceBuckets ? biases : 0));
}

const FLOAT_BYTES = 4;
