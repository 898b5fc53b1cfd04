/**
 * @param {Float32Array} logits
 * @param {number} count
 * @returns {{index: number, probability: number}[]} The largest, with their share of the softmax
 *   over all of them; of equal ones the earlier comes first.
 */
export function softmaxTop(logits, count) {
  const top = indicesOfLargest(logits, count);
  const largest = logits[top[0]];
  const sum = logits.reduce((sum, logit) => sum + Math.exp(logit - largest), 0);
  return top.map((index) => ({index, probability: Math.exp(logits[index] - largest) / sum}));
}

/**
 * @param {Float32Array} logits
 * @param {number} index
 * @returns {number} The natural logarithm of its share of the softmax over all of them.
 */
export function logSoftmax(logits, index) {
  const largest = logits.reduce((a, b) => Math.max(a, b));
  const sum = logits.reduce((sum, logit) => sum + Math.exp(logit - largest), 0);
  return logits[index] - largest - Math.log(sum);
}

/**
 * One pass that keeps what may still belong to the largest, at most twice as many.
 * @param {Float32Array} values
 * @param {number} count
 */
function indicesOfLargest(values, count) {
  /** @type {number[]} */
  let kept = [];
  const keepLargest = () => {
    kept.sort((a, b) => values[b] - values[a] || a - b);
    kept = kept.slice(0, count);
  };
  let least = -Infinity; // that the largest so far are all at least
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
