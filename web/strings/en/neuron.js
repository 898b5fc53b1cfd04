/** What the neuron view says, in English. */
export const neuron = {
  missing:
    'The arithmetic needs the queries, keys and values of the model, and these data hold attention only.',
  /** @param {number} layer @param {number} head */
  place: (layer, head) => `Layer ${layer}, head ${head}`,
  /** @param {number} count */
  first: (count) => `the first of ${count} chosen heads`,
  /** @param {number} size */
  size: (size) => `vectors of ${size} numbers`,
  columns: {
    query: 'q',
    key: 'k',
    product: 'q × k',
    position: 'position b',
    score: 'q·k / √d',
    softmax: 'softmax',
    value: 'v',
    weighted: 'α · v',
  },
  links: '→',
  queryTokens: 'query',
  keyTokens: 'key',
  sum: 'sum',
  output: 'output',
  /** For a difference of two passes; every number is formatted already. */
  change: {
    note: 'Each number is that of now minus that of before.',
    /** @param {string} q @param {string} k @param {string} product */
    product: (q, k, product) => `now minus before: q ${q}, k ${k}, q × k ${product}`,
    /** @param {string} alpha @param {string} v @param {string} weighted */
    weighted: (alpha, v, weighted) => `α ${alpha}, v ${v}, α · v ${weighted}`,
    /** @param {ChangeOfScore} numbers */
    score: ({sum, position, formula, score, weight}) =>
      `q·k ${sum}${position && `, b ${position}`}, ${formula} ${score}, softmax ${weight}`,
  },
  legend: {positive: 'positive', negative: 'negative', faint: 'fainter = closer to 0'},
  changed:
    'Attention was changed here: the weights α, which α·v and the output use, are not the softmax of these scores.',
  /** The label of buttons that lead to the strongest keys, in a text too long for the canvas. */
  strongest: 'Strongest keys',
  filtered: 'The filter hides some keys; softmax and output include them.',
  causal: 'A causal model: keys after the query are not seen.',
  /** Explains the column of what distances add. */
  position:
    'b is what the distance adds: a learned number, or in DeBERTa the products of query and key with vectors of the distance, divided too.',
  zoom: 'One query and one key, enlarged',
  dimension: 'Dimension',
  /** @param {number} dimension */
  inDimension: (dimension) => `dimension ${dimension}`,
  /** @param {string} q @param {string} k @param {string} product */
  productSum: (q, k, product) => `q ${q} × k ${k} = ${product}`,
  /** @param {string} alpha @param {string} v @param {string} weighted */
  weightedSum: (alpha, v, weighted) => `α ${alpha} × v ${v} = ${weighted}`,
  /** @param {ScoreSum} numbers */
  scoreSum: ({size, sum, divisor, position, score, weight}) =>
    `all ${size} products sum to ${sum}; ${divisor ? `divided by ${divisor}` : 'not divided'}${position && `, and ${position} for the distance`}: ${score}; softmax: ${weight}`,
  tables: {
    title: 'All numbers, as tables',
    keys: 'Each key',
    keyColumns: ['key', 'q·k', 'position b', 'q·k / √d', 'softmax', 'α'],
    dimensions: 'Each dimension',
    dimensionColumns: ['dimension', 'q', 'k', 'q × k', 'v', 'α · v', 'output'],
  },
  stepper: {
    label: 'The arithmetic, step by step',
    /** @param {number} step @param {number} count */
    position: (step, count) => `part ${step} of ${count}`,
    back: 'Previous',
    next: 'Next',
    again: 'From the start',
  },
  /**
   * The story of the neuron view, told with the reader's own tokens and numbers.
   *
   * @type {((story: Story) => (string | {token: string})[])[]}
   */
  steps: [
    ({query, size}) => [
      'Compare the query of ',
      {token: query},
      ` with every key. A query (q) says in ${size} numbers what a token looks for, a key (k) what a token has to offer.`,
    ],
    ({key, dimension, q, k, product}) => [
      'Multiply query and key, dimension by dimension. For ',
      {token: key},
      ` the largest product is in dimension ${dimension}: ${q} × ${k} = ${product}.`,
    ],
    ({key, size, divisor, root, sum, position, score}) => [
      `Add up the ${size} products: ${sum} for `,
      {token: key},
      divisor
        ? `. Dividing by ${divisor} = ${root} keeps long vectors from inflating the score`
        : '. This model does not divide it',
      position && `. The distance from the query adds ${position}`,
      `: ${score}.`,
    ],
    ({query, key, score, power, total, percent}) => [
      'Softmax makes the scores into shares that sum to 1. ',
      {token: query},
      ' gives most to ',
      {token: key},
      `: e^${score} ≈ ${power}, out of ${total} summed over all keys: ${percent}%.`,
    ],
    ({key, weight, second, secondWeight}) => [
      'A value (v) is what a token passes on. Each is multiplied by its share α: that of ',
      {token: key},
      ` by ${weight}`,
      ...(second ? [', that of ', {token: second}, ` by ${secondWeight}`] : []),
      '.',
    ],
    ({query, key, size, share}) => [
      `Add up the weighted values. The ${size} sums are what this head has found for `,
      {token: query},
      '; measured along that output, ',
      {token: key},
      ` contributed ${share}%.`,
    ],
  ],
};

/**
 * How a score has changed; the numbers are formatted already.
 *
 * @typedef {object} ChangeOfScore
 * @property {string} sum  q·k
 * @property {string} position  what the distance adds; empty if nothing is added
 * @property {string} formula  what a score is
 * @property {string} score
 * @property {string} weight
 */

/**
 * How a score came about; the numbers that are strings are formatted already.
 *
 * @typedef {object} ScoreSum
 * @property {number} size  the number of dimensions
 * @property {string} sum  q·k
 * @property {string} divisor  what it is divided by, such as √64; empty if it is not
 * @property {string} position  what the distance adds; empty if nothing is added
 * @property {string} score
 * @property {string} weight
 */

/**
 * The tokens and numbers that the story of the neuron view is told with; those that are strings are formatted already.
 *
 * @typedef {object} Story
 * @property {string} query  the token that attends
 * @property {string} key  the token it attends to most
 * @property {string} second  the token it attends to second most; empty if there is none
 * @property {number} size  the number of dimensions
 * @property {string} divisor  what the sum is divided by, such as √64; empty if it is not
 * @property {string} root  the number that this is
 * @property {string} position  what the distance of `key` adds to its score; empty if nothing is added
 * @property {number} dimension  the dimension with the largest product of query and key
 * @property {string} q
 * @property {string} k
 * @property {string} product
 * @property {string} sum  q·k
 * @property {string} score  q·k / √size
 * @property {string} power  e to the power of `score`
 * @property {string} total  the sum of e to the power of every score
 * @property {string} weight
 * @property {string} percent
 * @property {string} secondWeight
 * @property {string} share  how much of the output comes from `key`, in percent
 */

/** @typedef {typeof neuron} Words */
