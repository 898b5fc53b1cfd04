/** A token that a reader has chosen. @typedef {{index: number, token: string}} ChosenToken */

/**
 * Finds a chosen token in a text that may have changed since: the same token at the same index, or the nearest one.
 *
 * @param {readonly string[]} tokens
 * @param {ChosenToken} chosen
 * @returns {number}  -1: it is not there
 */
export function nearestSameToken(tokens, {index, token}) {
  const sameTokens = tokens.flatMap((each, at) => (each === token ? [at] : []));
  const distance = (/** @type {number} */ at) => Math.abs(at - index);
  return sameTokens.sort((a, b) => distance(a) - distance(b))[0] ?? -1;
}
