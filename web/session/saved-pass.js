import {classifyTokens} from '../engine/text/token-classes.js';
import {BERT_TOKENS} from '../engine/text/vocabulary.js';
import {statisticsOf} from '../attention/head-statistics.js';
import {importAttention} from '../attention/import-attention.js';
import {SnapshotError, attentionOf} from '../attention/snapshot.js';
import {frameOf} from '../attention/special-tokens.js';
import {originOf} from './pass-origin.js';

/** @import {Origin} from './pass-origin.js' */
/** @import {Pass} from './pass.js' */
/** @import {Survey} from './head-surveys.js' */
/** @import {EngineAccess} from './engine-access.js' */
/** @import {StatisticName} from '../attention/head-statistics.js' */
/** @import {SnapshotParts} from '../attention/import-attention.js' */
/** @import {Snapshot} from '../attention/snapshot.js' */

/**
 * Makes a saved pass, which has all its matrices and needs no engine.
 *
 * @param {string} name
 * @param {SnapshotParts} parts
 * @param {Origin} [origin]  by default, a file of this name
 * @returns {Pass}
 */
export function savedPass(name, parts, origin = originOf({file: name})) {
  const snapshots = Object.values(parts);
  return {
    text: snapshots[0].about?.text || name,
    name: snapshots[0].about?.name || name,
    origin,
    snapshot: snapshots[0],
    measured: () => snapshots[0],
    parts: snapshots.length > 1 ? parts : undefined,
    result: null,
    fetch: async () => {},
    has: () => true,
    survey,
  };
}

/** The statistics that are not known for tokens without names. */
const ofNames = ['cls', 'sep', 'punctuation', 'sameWord'];

/**
 * Computes the statistics of all heads. It pauses after each head, because one of a long text takes some 30 ms and the
 * page has to stay responsive.
 *
 * @param {Snapshot} snapshot  a snapshot that has all its matrices
 * @param {AbortSignal} [signal]
 * @returns {Promise<Survey>}
 */
async function survey(snapshot, signal) {
  const {layers, heads, queryTokens, keyTokens, special, isNumbered} = snapshot;
  const isSelf = queryTokens === keyTokens;
  const ownSpecial = {...BERT_TOKENS, ...frameOf(keyTokens, special.key)};
  const classes = isSelf ? classifyTokens([...keyTokens], {special: ownSpecial}) : null;
  /** @type {Partial<Record<StatisticName, Float32Array>>} */
  const statistics = {};
  for (let layer = 0; layer < layers; layer++) {
    for (let head = 0; head < heads; head++) {
      const weights = attentionOf(snapshot, layer, head) ?? new Float32Array();
      const applicable = Object.entries(statisticsOf(weights, keyTokens.length, classes)).filter(
        ([name]) => !isNumbered || !ofNames.includes(name),
      );
      for (const [name, value] of applicable) {
        const known = /** @type {StatisticName} */ (name);
        statistics[known] ??= new Float32Array(layers * heads).fill(NaN);
        statistics[known][layer * heads + head] = value;
      }
      await new Promise((resolve) => setTimeout(resolve));
      signal?.throwIfAborted();
    }
  }
  return {statistics, habits: null};
}

/**
 * @param {string} url  the address of saved attention
 * @param {AbortSignal} signal
 * @param {EngineAccess | null} engine  null: only JSON can be read
 * @returns {Promise<Pass>}
 */
export async function loadSavedPass(url, signal, engine) {
  const name = url.split('/').at(-1) ?? url;
  const origin = originOf({src: url});
  if (engine) {
    await engine.mayFetch(url);
    signal.throwIfAborted();
    return savedPass(name, await engine.readFile(url, signal), origin);
  }
  const response = await fetch(url, {signal});
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return savedPass(name, importAttention(parseSnapshot(await response.text(), name)), origin);
}

/**
 * @param {string} text
 * @param {string} place  the place of the text, for the error message
 * @returns {any}
 * @throws {SnapshotError} if the text is not JSON
 */
export function parseSnapshot(text, place) {
  try {
    return JSON.parse(text);
  } catch (error) {
    const {message} = /** @type {Error} */ (error);
    throw new SnapshotError(`Expected a snapshot as JSON in ${place}; ${message}`);
  }
}
