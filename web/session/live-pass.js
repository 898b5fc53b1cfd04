import {remembered} from '../attention/remembered.js';
import {plainSnapshot} from '../attention/snapshot.js';
import {frameOf, inNamesOf} from '../attention/special-tokens.js';
import {liveStrings} from '../strings/live.js';
import {toInterventions, isUntouched} from '../attention/reader-changes.js';
import {formatPercent} from '../views/parts/number-format.js';
import {MatrixStore, eachOnce} from './matrix-store.js';
import {runTranslation} from './translated-pass.js';

/** @import {Model} from './shared-engine.js' */
/** @import {Origin} from './pass-origin.js' */
/** @import {Survey} from './head-surveys.js' */
/** @import {Pass, Result} from './pass.js' */
/** @import {Measure} from '../attention/display.js' */
/** @import {StatisticName} from '../attention/head-statistics.js' */
/** @import {MatrixRef, PlainSnapshot, Snapshot} from '../attention/snapshot.js' */
/** @import {Habit} from '../views/parts/inspector.js' */

/**
 * @typedef {object} RunOptions
 * @property {boolean} specialTokens
 * @property {AbortSignal} signal
 * @property {MatrixRef[]} [parts]  the matrices that come with the pass
 * @property {boolean} [isBesideChanged]  whether the unchanged model runs the text of a changed one. Both passes are
 *   named after the state of the model then, since they have the same text.
 */

/** @typedef {keyof typeof liveStrings.analysis.heads} HeadName */

const {analysis, changes} = liveStrings;

/**
 * A pass that the engine has run. It asks the engine for matrices.
 *
 * @implements {Pass}
 */
export class LivePass {
  #store;
  /** @type {Map<Measure, PlainSnapshot>} */
  #snapshots = new Map();

  /**
   * @param {Origin} origin
   * @param {Model} model
   * @param {Result} result
   * @param {string} [name]  its name beside another pass; by default, the text
   * @param {MatrixRef[]} [parts]  the matrices that came with the result
   */
  constructor(origin, model, result, name, parts = []) {
    const {text, textPair: pair} = origin;
    this.text = pair.trim() ? `${text} / ${pair}` : text;
    this.name = name ?? this.text;
    this.origin = origin;
    this.model = model;
    this.result = result;
    this.#store = new MatrixStore(result, model.shape);
    this.#store.take(parts, result.matrices);
  }

  get snapshot() {
    return this.measured('weight');
  }

  /** @param {Measure} measure */
  measured(measure) {
    const {tokens, sentences, specialTokens, offsets, ids} = this.result;
    return remembered(this.#snapshots, measure, () =>
      plainSnapshot({
        tokens,
        tokenTypeIds: sentences,
        special: specialTokens,
        offsets,
        ids,
        isByteLevel: this.model.isByteLevel,
        ...this.#store.lists(measure),
      }),
    );
  }

  /** @param {MatrixRef[]} parts */
  has(parts) {
    return this.#store.has(parts);
  }

  /**
   * @param {MatrixRef[]} parts
   * @param {AbortSignal} [signal]  aborted when the caller no longer waits
   */
  fetch(parts, signal) {
    return this.#store.fetch(parts, signal);
  }

  /** @param {Snapshot} _snapshot @param {AbortSignal} [signal] @returns {Promise<Survey>} */
  async survey(_snapshot, signal) {
    const {statistics, names} = await this.result.headStatistics({signal});
    const {tokens, specialTokens} = this.result;
    const say = inNamesOf(frameOf(tokens, specialTokens));
    return {statistics, habits: names.map((name, at) => habitOf(name, statistics, at, say))};
  }
}

/**
 * Says what a head does in a text.
 *
 * @param {HeadName} name
 * @param {Record<StatisticName, ArrayLike<number>>} statistics
 * @param {number} at  the place of the head in each of the statistics
 * @param {(words: string) => string} say  names the tokens around the text
 * @returns {Habit}
 */
function habitOf(name, statistics, at, say) {
  const {name: called, rule} = analysis.heads[name];
  const habit = {name: say(called), rule: say(rule)};
  const {told} = analysis;
  if (name === 'content') return {...habit, told: told.content};
  const share = formatPercent(statistics[name === 'broad' ? 'breadth' : name][at]);
  const isPlace = name !== 'broad' && name !== 'sameWord';
  return {
    ...habit,
    isPattern: true,
    told: isPlace ? told.place(habit.name, share) : told[name](share),
  };
}

/**
 * Runs a text through a model with the interventions of an origin.
 *
 * @param {Model} model
 * @param {Origin} origin
 * @param {RunOptions} options
 * @returns {Promise<Pass>}
 */
export async function runPass(model, origin, {specialTokens, signal, parts, isBesideChanged}) {
  if (model.decoderShape) return runTranslation(model, origin, {signal, isBesideChanged});
  const {text, textPair: pair, ids, interventions} = origin;
  const isChanged = !isUntouched(interventions);
  const wanted = eachOnce(parts ?? []);
  const result = await model.attend(text, {
    pair: pair.trim() ? pair : undefined,
    specialTokens,
    ids: ids.length ? ids : undefined,
    matrices: wanted,
    signal,
    ...(isChanged ? {interventions: toInterventions(interventions, model)} : {}),
  });
  const {before, after} = changes;
  return new LivePass(
    origin,
    model,
    result,
    isChanged ? after : isBesideChanged ? before : undefined,
    wanted,
  );
}
