/**
 * @param {Float32Array} logits
 * @param {number} count
 * @returns {{index: number, probability: number}[]} The largest logits, with their
 *   probabilities in the softmax over all. Of equal ones the earlier comes first.
 */
export function softmaxTop(logits, count) {
  const top = indicesOfLargest(logits, count);
  const largest = logits[top[0]];
  const sum = logits.reduce((sum, logit) => sum + Math.exp(logit - largest), 0);
  return top.map((index) => ({index, probability: Math.exp(logits[index] - largest) / sum}));
}

/**
 * @param {Float32Array} values
 * @returns {number} The index of the largest, the first of several.
 */
export function indexOfLargest(values) {
  let largest = 0;
  for (let index = 1; index < values.length; index++) {
    if (values[index] > values[largest]) largest = index;
  }
  return largest;
}

/**
 * @param {Float32Array} logits
 * @param {number} index
 * @returns {number} The natural logarithm of its probability in the softmax over all.
 */
export function logSoftmax(logits, index) {
  return logits[index] - logOfSum(logits);
}

/**
 * @param {Float32Array} logits
 * @returns {Float32Array} The natural logarithms of the probabilities in the softmax over all.
 */
export function logProbabilities(logits) {
  const shift = logOfSum(logits);
  return logits.map((logit) => logit - shift);
}

/** @param {Float32Array} logits @returns {number} The logarithm of the sum of their exponentials. */
function logOfSum(logits) {
  const largest = logits.reduce((a, b) => Math.max(a, b));
  const sum = logits.reduce((sum, logit) => sum + Math.exp(logit - largest), 0);
  return largest + Math.log(sum);
}

/**
 * Goes through the logits once and keeps at most `2 * count` candidates for the largest.
 * @param {Float32Array} values
 * @param {number} count
 */
export function indicesOfLargest(values, count) {
  /** @type {number[]} */
  let kept = [];
  const keepLargest = () => {
    kept.sort((a, b) => values[b] - values[a] || a - b);
    kept = kept.slice(0, count);
  };
  let least = -Infinity; // none of the largest so far is smaller
  for (let index = 0; index < values.length; index++) {
    if (values[index] <= least) continue;
    kept.push(index);
    if (kept.length < 2 * count) continue;
    keepLargest();
    least = values[kept[count - 1]];
  }
  keepLargest();
  return kept;
}
