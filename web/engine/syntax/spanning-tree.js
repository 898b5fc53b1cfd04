/** The tree that all heads make together, without directions. */

/**
 * Prim's algorithm, which suits a full graph.
 * @param {number} words
 * @param {(a: number, b: number) => number} weight The same both ways.
 * @returns {[number, number][]} The links of the spanning tree of the largest sum.
 */
export function spanningTree(words, weight) {
  const inside = new Uint8Array(words);
  const nearest = new Int32Array(words);
  const best = new Float64Array(words).fill(-Infinity);
  /** @type {[number, number][]} */
  const links = [];
  for (let at = 0, count = 0; count < words; count++) {
    inside[at] = 1;
    let next = -1;
    for (let word = 0; word < words; word++) {
      if (inside[word]) continue;
      const found = weight(at, word);
      if (found > best[word]) {
        best[word] = found;
        nearest[word] = at;
      }
      if (next < 0 || best[word] > best[next]) next = word;
    }
    if (next < 0) break;
    links.push([nearest[next], next]);
    at = next;
  }
  return links;
}
