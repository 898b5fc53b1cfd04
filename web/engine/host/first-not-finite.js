import {areFinite} from './finite.js';

/**
 * Finds where a pass has other numbers than finite ones first, in the order of computing.
 * @param {(part: 'hiddenStates' | 'attention', indices: number[]) => Float32Array} read Reads the pass.
 * @param {{layers: number, heads: number}} shape
 * @returns {string} Empty if hidden states and attention are finite.
 */
export function firstNotFinite(read, {layers, heads}) {
  /** @param {'hiddenStates' | 'attention'} part @param {number[]} indices */
  const isFine = (part, ...indices) => areFinite(read(part, indices));
  if (!isFine('hiddenStates', 0)) return 'the embeddings';
  for (let layer = 0; layer < layers; layer++) {
    let fine = isFine('hiddenStates', layer + 1);
    for (let head = 0; head < heads; head++) fine &&= isFine('attention', layer, head);
    if (!fine) return `layer ${layer}`;
  }
  return '';
}
