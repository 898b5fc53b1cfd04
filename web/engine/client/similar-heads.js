/** @import {HeadMap} from '../wasm-module.d.ts' */

/**
 * @param {HeadMap} map
 * @param {number} head layer * heads + head
 * @returns {{head: number, distance: number}[]} All other heads, the most similar first.
 */
export function headsLike({distances}, head) {
  const count = Math.sqrt(distances.length);
  return Array.from({length: count}, (_, other) => ({
    head: other,
    distance: distances[head * count + other],
  }))
    .filter((other) => other.head !== head)
    .sort((a, b) => a.distance - b.distance);
}
