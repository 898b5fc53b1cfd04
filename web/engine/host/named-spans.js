/** Joins what a classifier of tokens says of each token to spans of the text. */

/**
 * @typedef {object} NamedSpan Tokens in a row that a classifier names.
 * @property {string} label Without B- and I-.
 * @property {number} begin The index of the first token.
 * @property {number} end That of the token after the last.
 * @property {number} probability The mean of those of the tokens' likeliest classes.
 */

/**
 * Joins tokens in a row whose classes are of one name, such as B-PER and I-PER, unless a B- begins another one, and leaves
 * those of class O out. Source: transformers' `pipelines/token_classification.py`, the strategy "simple".
 * @param {Iterable<{token: number, label: string, probability: number}>} classes The likeliest class of each token that is
 *   not special, in the order of the text.
 * @returns {NamedSpan[]}
 */
export function namedSpans(classes) {
  /** @type {NamedSpan[]} */
  const spans = [];
  let last = /** @type {NamedSpan | null} */ (null);
  for (const {token, label: whole, probability} of classes) {
    const [, isFirst, label] = /^(?:(B)|I)-(.*)$/s.exec(whole) ?? ['', '', whole];
    if (last?.end === token && last.label === label && !isFirst) {
      const tokens = token - last.begin;
      last.probability = (last.probability * tokens + probability) / (tokens + 1);
      last.end = token + 1;
    } else {
      last = {label, begin: token, end: token + 1, probability};
      spans.push(last);
    }
  }
  return spans.filter(({label}) => label !== 'O');
}
