/**
 * What heads do on average, one number each: the numbers of `src/analysis/head_statistics.h`, with the
 * definitions given there, for attention that comes without the engine.
 *
 * @typedef {'entropy' | 'breadth' | 'distance' | 'previous' | 'next' | 'self' | 'cls' | 'sep' | 'punctuation' | 'sameWord'} StatisticName
 *
 * @typedef {object} TokenClasses  one entry a token
 * @property {ArrayLike<number>} kinds  0: ordinary, 1: `[CLS]`, 2: `[SEP]`, 3: punctuation
 * @property {ArrayLike<number>} words  equal where a word occurs again; -1 for what is no word
 * @property {ArrayLike<number>} occurrences  equal for the pieces of one occurrence
 *
 * @typedef {object} Statistic  one number for each head of a model, however it was come by
 * @property {string} name  as a reader calls it
 * @property {string} help  a sentence on what it says
 * @property {ArrayLike<number>} values  `[layers * heads]`; NaN where it is not known
 * @property {{least: number, most: number}} range  that of the colours
 * @property {boolean} [isDifference]  it has two directions, with nothing in the middle of the range
 * @property {(value: number) => string} format
 */

/** In the order in which a reader may want them. @type {readonly StatisticName[]} */
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
 * Of one head and one text. Between two different texts, as in cross-attention, there is only how
 * widely it spreads.
 *
 * @param {Float32Array} weights  `[queries * keys]`, each row sums to 1
 * @param {number} keys
 * @param {TokenClasses | null} classes  of the tokens, when queries and keys are the same
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

/** `[CLS]` and `[SEP]` ask nothing that counts. @param {number} kind */
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
