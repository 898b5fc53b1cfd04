/**
 * Each statistic is one number that says what a head does on average. `src/analysis/head_statistics.h` defines
 * them; this file computes them for attention that comes without the engine.
 *
 * @typedef {'entropy' | 'breadth' | 'distance' | 'previous' | 'next' | 'self' | 'cls' | 'sep' | 'punctuation' | 'sameWord'} StatisticName
 *
 * @typedef {object} TokenClasses  lists with one entry for each token
 * @property {ArrayLike<number>} kinds  0: ordinary, 1: `[CLS]`, 2: `[SEP]`, 3: punctuation
 * @property {ArrayLike<number>} words  the number of a word, equal where it occurs again; -1: not a word
 * @property {ArrayLike<number>} occurrences  the number of an occurrence of a word, equal for its pieces
 *
 * @typedef {object} Statistic  one number for each head of a model, from any source
 * @property {string} name  the name that a reader sees
 * @property {string} help  a sentence that explains the number
 * @property {ArrayLike<number>} values  `[layers * heads]`; NaN where it is not known
 * @property {{least: number, most: number}} range  the values at the two ends of the colours
 * @property {boolean} [isDifference]  whether values are changes, with 0 in the middle of the range
 * @property {(value: number) => string} format
 * @property {(at: number) => string} [tell]  says of one head what its formatted value alone would not
 */

/** All statistics, in the order in which the page lists them. @type {readonly StatisticName[]} */
export const statisticNames = [
  'previous',
  'self',
  'next',
  'sameWord',
  'punctuation',
  'cls',
  'sep',
  'breadth',
  'entropy',
  'distance',
];

/**
 * Computes the statistics of one head for one text. For cross-attention there are only those that say how widely
 * attention is spread: entropy and breadth.
 *
 * @param {Float32Array} weights  `[queries * keys]`, each row sums to 1
 * @param {number} keys
 * @param {TokenClasses | null} classes  null where queries and keys are different tokens
 * @returns {Partial<Record<StatisticName, number>>}
 */
export function statisticsOf(weights, keys, classes) {
  /** @type {Partial<Record<StatisticName, {sum: number, count: number}>>} */
  const means = {};
  const count = (/** @type {StatisticName} */ name, /** @type {number} */ value) => {
    const mean = (means[name] ??= {sum: 0, count: 0});
    mean.sum += value;
    mean.count++;
  };
  for (let query = 0; query * keys < weights.length; query++) {
    const row = weights.subarray(query * keys, (query + 1) * keys);
    if (classes && isFrame(classes.kinds[query])) continue;
    const entropy = row.reduce((sum, w) => (w > 0 ? sum - w * Math.log(w) : sum), 0);
    count('entropy', entropy);
    count('breadth', keys > 1 ? entropy / Math.log(keys) : 0);
    if (classes) countPlaces(row, query, classes, count);
  }
  return Object.fromEntries(
    Object.entries(means).map(([name, mean]) => [name, mean.sum / mean.count]),
  );
}

/** The rows of `[CLS]` and `[SEP]` are not counted. @param {number} kind */
const isFrame = (kind) => kind === 1 || kind === 2;

/**
 * @param {Float32Array} row
 * @param {number} query
 * @param {TokenClasses} classes
 * @param {(name: StatisticName, value: number) => void} count
 */
function countPlaces(row, query, {kinds, words, occurrences}, count) {
  const onKind = [0, 0, 0, 0];
  let distance = 0;
  let sameWord = 0;
  let occursAgain = false;
  row.forEach((weight, key) => {
    onKind[kinds[key]] += weight;
    distance += weight * Math.abs(query - key);
    const isAgain = words[query] >= 0 && words[key] === words[query];
    if (!isAgain || occurrences[key] === occurrences[query]) return;
    occursAgain = true;
    sameWord += weight;
  });
  if (query > 0) count('previous', row[query - 1]);
  if (query + 1 < row.length) count('next', row[query + 1]);
  count('self', row[query]);
  count('cls', onKind[1]);
  count('sep', onKind[2]);
  count('punctuation', onKind[3]);
  count('distance', distance);
  if (occursAgain) count('sameWord', sameWord);
}
