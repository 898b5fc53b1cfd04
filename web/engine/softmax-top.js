/**
 * @param {Float32Array} logits
 * @param {number} count
 * @returns {{index: number, probability: number}[]} The largest, with their share of the softmax
 *   over all of them.
 */
export function softmaxTop(logits, count) {
  const order = Array.from(logits.keys()).sort((a, b) => logits[b] - logits[a] || a - b);
  const largest = logits[order[0]];
  const sum = logits.reduce((sum, logit) => sum + Math.exp(logit - largest), 0);
  return order.slice(0, count).map((index) => ({
    index,
    probability: Math.exp(logits[index] - largest) / sum,
  }));
}
