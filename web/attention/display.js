import {measures} from '../engine/measures.js';
import {isByteLevel, readableTokens, textOfBytes} from './byte-level-tokens.js';
import {range} from './range.js';
import {remembered} from './remembered.js';
import {tokensOf} from './selection.js';
import {holds} from './shape.js';
import {lazySnapshot} from './snapshot.js';

/** @import {Side, Slice, TokenRef} from './selection.js' */
/** @import {LazySnapshot, Snapshot, SnapshotFields} from './snapshot.js' */

/**
 * These options make a snapshot readable. The result is again a snapshot, so every view can draw it.
 *
 * @typedef {object} Display
 * @property {boolean} words  whether pieces are merged to words: weights are summed over keys, averaged over queries
 * @property {'show' | 'hide' | 'renormalise'} special  how special tokens are treated; without them a row
 *   sums to less than 1 unless it is renormalised
 * @property {number} strongest  the share of each row's sum that is kept, strongest weights first; 1: all.
 *   If rows are renormalised, the weights that are left sum to 1
 * @property {MeanLayers} meanLayers
 * @property {boolean} fullScale  whether the matrix view colours weights from 0 to 1, however small the largest is
 * @property {Measure} measure
 *
 * @typedef {'all' | readonly number[]} MeanLayers  each layer shows the mean of these; none: each shows itself
 */

/** @typedef {import('../engine/measures.js').Measure} Measure  what the numbers of a snapshot say */

export const measureNames = /** @type {Measure[]} */ (Object.keys(measures));

/** The measures that combine all heads of a layer. */
export const ofAllHeads = measureNames.filter((measure) => !measures[measure].ofHead);

/** @type {Readonly<Display>} */
export const plainDisplay = Object.freeze({
  words: false,
  special: 'show',
  strongest: 1,
  meanLayers: [],
  fullScale: false,
  measure: 'weight',
});

/**
 * @typedef {object} Grouping  runs of tokens that are merged to one token each, whatever `words` says
 * @property {readonly Slice[]} runs
 * @property {readonly Slice[]} as  the tokens by which a selection names each run; they become `Snapshot.runs`
 */

/**
 * @param {Snapshot} snapshot
 * @param {Display} display
 * @param {Grouping} [grouping]  only for self-attention
 * @returns {LazySnapshot}
 */
export function readable(snapshot, {words, special, strongest, meanLayers}, grouping) {
  const layers = layersOf(meanLayers, snapshot.layers);
  let shown = lazySnapshot(snapshot);
  if (layers.length) shown = meanOfLayers(shown, layers);
  const hide = special !== 'show';
  shown =
    grouping || words || hide ? regroup(shown, words, hide, grouping) : withReadableTokens(shown);
  if (strongest < 1) shown = mapRows(shown, (row) => keepStrongest(row, strongest));
  // This comes last, so that what is left of a row sums to 1.
  if (special === 'renormalise') shown = mapRows(shown, renormalise);
  return shown;
}

/**
 * Returns the layers whose mean is shown, of a model with `count` layers; none: each layer shows itself.
 *
 * @param {MeanLayers} layers
 * @param {number} count
 * @returns {number[]}
 */
export function layersOf(layers, count) {
  const all = range(count);
  return layers === 'all' ? all : all.filter((layer) => layers.includes(layer));
}

/** @param {LazySnapshot} snapshot @param {number[]} layers */
function meanOfLayers(snapshot, layers) {
  return derive(snapshot, {}, (_, head) => {
    const size = snapshot.queryTokens.length * snapshot.keyTokens.length;
    const mean = new Float32Array(size);
    const held = layers.filter((layer) => holds(snapshot, layer, head));
    for (const layer of held) {
      const matrix = snapshot.attention(layer, head);
      if (!matrix) return undefined;
      for (let i = 0; i < size; i++) mean[i] += matrix[i] / held.length;
    }
    return mean;
  });
}

/**
 * Makes one row and one column for each run of tokens.
 *
 * @param {LazySnapshot} snapshot
 * @param {boolean} merge  whether runs are words; otherwise each token is a run
 * @param {boolean} hide  whether special tokens are left out
 * @param {Grouping} [grouping]
 */
function regroup(snapshot, merge, hide, grouping) {
  const {queryTokens, keyTokens, special, sentenceB} = snapshot;
  const isMerged = merge || grouping !== undefined;
  const isShown =
    (/** @type {Side} */ side) =>
    (/** @type {Slice} */ {start}) =>
      !hide || !special[side][start];
  const runsOf = (/** @type {Side} */ side) => {
    const tokens = tokensOf(snapshot, side);
    const runs =
      grouping?.runs ??
      (merge
        ? wordRuns(tokens, special[side], sentenceB, isByteLevel(snapshot, side))
        : tokens.map((_, i) => runAt(i)));
    return runs.filter(isShown(side));
  };
  const query = runsOf('query');
  const key = keyTokens === queryTokens ? query : runsOf('key');
  const labelsOf = (/** @type {Side} */ side, /** @type {Slice[]} */ runs) => {
    const tokens = tokensOf(snapshot, side);
    const spell = spellingOf(snapshot, side);
    const label = isMerged ? (/** @type {string[]} */ pieces) => wordText(pieces, spell) : spell;
    return runs.map(({start, end}) => label(tokens.slice(start, end)));
  };
  const queryLabels = labelsOf('query', query);
  const second = sentenceB === null ? -1 : query.findIndex(({start}) => start >= sentenceB);
  const as = grouping?.as.filter((_, index) => isShown('query')(grouping.runs[index]));

  const changed = {
    queryTokens: queryLabels,
    keyTokens: key === query ? queryLabels : labelsOf('key', key),
    special: {
      query: query.map(({start}) => special.query[start]),
      key: key.map(({start}) => special.key[start]),
    },
    sentenceB: second < 0 ? null : second,
    runs: as ? {query: as, key: as} : {query, key},
    offsets: undefined,
    ids: undefined,
    isByteLevel: false,
  };
  return mapMatrices(snapshot, changed, (matrix) => sumRuns(matrix, keyTokens.length, query, key));
}

/**
 * @param {Float32Array} matrix
 * @param {number} stride
 * @param {Slice[]} query
 * @param {Slice[]} key
 */
function sumRuns(matrix, stride, query, key) {
  const merged = new Float32Array(query.length * key.length);
  let place = 0;
  for (const rows of query) {
    for (const columns of key) {
      let sum = 0;
      for (let row = rows.start; row < rows.end; row++) {
        for (let at = columns.start; at < columns.end; at++) sum += matrix[row * stride + at];
      }
      merged[place++] = sum / (rows.end - rows.start);
    }
  }
  return merged;
}

/**
 * Divides tokens into words. BERT's vocabularies mark pieces that continue a word (`##ing`). Others mark those that
 * begin one (`▁the`, `Ġthe` in bytes), except named tokens (`<mask>` includes the space before it) and, in some, the
 * first word. If the text is only that word, a special token such as `<s>` shows which kind it is.
 *
 * @param {readonly string[]} tokens
 * @param {readonly boolean[]} special  which tokens are not part of a word
 * @param {number | null} sentenceB
 * @param {boolean} hasBytes  whether the tokens are bytes in GPT-2's spelling
 * @returns {Slice[]}
 */
export function wordRuns(tokens, special, sentenceB, hasBytes) {
  const mark = hasBytes ? 'Ġ' : '▁';
  const marksBeginnings = tokens.some(
    (token, index) => token.startsWith(mark) || (special[index] && /^<.*>$/.test(token)),
  );
  const continued = /^##./;
  const named = /^<\w+>$/;
  const begins = (/** @type {string} */ token) =>
    marksBeginnings ? token.startsWith(mark) || named.test(token) : !continued.test(token);
  /** @type {Slice[]} */
  const runs = [];
  tokens.forEach((token, index) => {
    const before = tokens[index - 1];
    const continues =
      before !== undefined &&
      index !== sentenceB &&
      !special[index] &&
      !special[index - 1] &&
      !begins(token);
    if (continues) runs[runs.length - 1].end = index + 1;
    else runs.push(runAt(index));
  });
  return runs;
}

/** @param {number} index @returns {Slice} */
function runAt(index) {
  return {start: index, end: index + 1};
}

/**
 * Joins pieces and removes the marks of their places in a word. Byte-level pieces have spaces, which `spell` writes
 * as `▁`.
 *
 * @param {readonly string[]} pieces
 * @param {Spelling} spell
 */
export function wordText(pieces, spell) {
  const text = spell(pieces.map((piece) => piece.replace(/^##(?=.)/, '')));
  return text.replace(/^▁(?=.)/, '').replaceAll(/(?<=.)▁+(?=.)/g, ' ');
}

/** @typedef {(pieces: readonly string[]) => string} Spelling  returns consecutive pieces as a reader sees them */

/**
 * @param {Snapshot} snapshot
 * @param {Side} side
 * @returns {Spelling}
 */
export function spellingOf(snapshot, side) {
  const read = isByteLevel(snapshot, side) ? textOfBytes : String;
  return (pieces) => read(pieces.join(''));
}

/** @param {LazySnapshot} snapshot */
function withReadableTokens(snapshot) {
  const {queryTokens, keyTokens} = snapshot;
  const query = readableTokens(snapshot, 'query');
  const key = keyTokens === queryTokens ? query : readableTokens(snapshot, 'key');
  const isReadable = query === queryTokens && key === keyTokens;
  return isReadable
    ? snapshot
    : {...snapshot, queryTokens: query, keyTokens: key, isByteLevel: false};
}

/**
 * @param {LazySnapshot} snapshot
 * @param {(row: Float32Array) => void} change  changes a row in place
 */
function mapRows(snapshot, change) {
  const columns = snapshot.keyTokens.length;
  return mapMatrices(snapshot, {}, (matrix) => {
    const changed = matrix.slice();
    for (let at = 0; at < changed.length; at += columns) change(changed.subarray(at, at + columns));
    return changed;
  });
}

/**
 * Changes each matrix once, also one that all heads of a layer share, as in a measure of all heads.
 *
 * @param {LazySnapshot} snapshot
 * @param {Partial<SnapshotFields>} changed
 * @param {(matrix: Float32Array) => Float32Array} change
 */
function mapMatrices(snapshot, changed, change) {
  /** @type {WeakMap<Float32Array, Float32Array>} */
  const made = new WeakMap();
  return derive(snapshot, changed, (layer, head) => {
    const matrix = snapshot.attention(layer, head);
    return matrix && remembered(made, matrix, change);
  });
}

/** @param {Float32Array} row */
function renormalise(row) {
  const sum = row.reduce((total, weight) => total + weight, 0);
  if (sum > 0) row.forEach((weight, i) => (row[i] = weight / sum));
}

/** Weights are rounded to 32 bits, so weights that reach a share exactly may sum to this much less. */
const rounding = 1e-6;

/**
 * Keeps the fewest weights that make up a share of the row's sum, and sets the others to 0.
 *
 * @param {Float32Array} row
 * @param {number} share
 */
function keepStrongest(row, share) {
  const order = Array.from(row, (_, i) => i).sort((a, b) => row[b] - row[a]);
  let rest = share * row.reduce((total, weight) => total + weight, 0);
  for (const i of order) {
    if (rest <= rounding) row[i] = 0;
    else rest -= row[i];
  }
}

/**
 * @param {LazySnapshot} snapshot
 * @param {Partial<SnapshotFields>} changed
 * @param {LazySnapshot['attention']} attention  is called for each matrix until it returns one
 * @returns {LazySnapshot}
 */
function derive(snapshot, changed, attention) {
  /** @type {Map<string, Float32Array | undefined>} */
  const made = new Map();
  return {
    ...snapshot,
    ...changed,
    headDim: undefined,
    vectors: undefined,
    attention: (layer, head) => remembered(made, `${layer}.${head}`, () => attention(layer, head)),
  };
}

/**
 * Returns where a token of the original snapshot is drawn; null if it is hidden.
 *
 * @param {Snapshot} snapshot
 * @param {TokenRef | null} token
 * @returns {TokenRef | null}
 */
export function drawnToken({runs}, token) {
  if (!runs || !token) return token;
  const index = runs[token.side].findIndex(
    ({start, end}) => token.index >= start && token.index < end,
  );
  return index < 0 ? null : {side: token.side, index};
}

/**
 * Returns the first token of the original snapshot that a drawn token stands for.
 *
 * @param {Snapshot} snapshot
 * @param {TokenRef | null} token
 * @returns {TokenRef | null}
 */
export function originalToken({runs}, token) {
  if (!runs || !token) return token;
  // The pointer may still be on a row of the text before.
  const run = runs[token.side][token.index];
  return run ? {side: token.side, index: run.start} : null;
}
