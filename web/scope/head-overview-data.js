import {statisticNames} from '../attention/head-statistics.js';
import {ofAllHeads} from '../attention/display.js';
import {holds} from '../attention/shape.js';
import {frameOf, inNamesOf} from '../attention/special-tokens.js';
import {strings} from '../strings/index.js';
import {formatPercent} from '../views/parts/number-format.js';

/** @import {ViewKind} from '../views/view-kinds.js' */
/** @import {Survey} from '../session/head-surveys.js' */
/** @import {Statistic, StatisticName} from '../attention/head-statistics.js' */
/** @import {Display} from '../attention/display.js' */
/** @import {Habit, Unlike} from '../views/parts/inspector.js' */
/** @import {Block, Shape} from '../attention/shape.js' */
/** @import {Snapshot} from '../attention/snapshot.js' */
/** @typedef {Partial<Record<StatisticName, string>>} NamedStatistics  what they are called, in the order of a list */
/**
 * @typedef {object} OverviewState
 * @property {string} name  the name of the inspected pass in a comparison; empty if it stands alone
 * @property {string} pictureName  the inspector's name for the picture in a comparison; empty if it stands alone
 * @property {Snapshot} base  the part of the pass that is shown
 * @property {Shape} availableShape  the heads to choose from: in a comparison, those of either pass
 * @property {ViewKind} kind
 * @property {Display} display  the display as the view applies it
 * @property {Block} chosen
 * @property {string} statistic  the statistic that colours the map
 * @property {Statistic | null} [mapped]  what colours the map instead; null while it is not known
 * @property {(layer: number, head: number) => boolean} isOff
 */

/**
 * Makes the data that the map of heads and the inspector show.
 *
 * @param {OverviewState} state
 * @param {{base: Snapshot, survey: Survey} | null} latest  the latest survey, which may be of another text
 */
export function overviewData(state, latest) {
  const {
    name,
    pictureName,
    base,
    availableShape: available,
    kind,
    display,
    chosen,
    statistic,
    mapped,
    isOff,
  } = state;
  const last = latest && fits(latest.base, base) ? latest : null;
  const statistics = last ? statisticsIn(last.survey, last.base, available) : {};
  const isMapped = (/** @type {StatisticName} */ each) => hasOccasion(each, statistics[each]);
  const known = namesIn(base, last ? statisticNames.filter(isMapped) : statisticNames);

  const colour = mapped === undefined ? statistics[mappedStatistic(known, statistic)] : mapped;
  const {layers, heads} = available;
  const habits = last?.survey.habits ? spread(last.survey.habits, last.base, available) : null;
  const habit = habits && ownHabit(habits, available, chosen);
  return {
    known,
    map: {
      ...{layers, heads, chosen, isOff},
      has: (/** @type {number} */ layer, /** @type {number} */ head) =>
        holds(available, layer, head),
      elsewhere: (/** @type {number} */ layer, /** @type {number} */ head) =>
        holds(base, layer, head) ? '' : name,
      isAlike: (/** @type {number} */ layer, /** @type {number} */ head) =>
        Boolean(habit?.isPattern) && habits?.[layer * heads + head]?.name === habit?.name,
      statistic: colour ?? null,
    },
    inspected: {
      ...{name, pictureName},
      chosen: heldBy(base, chosen),
      columns: heads,
      statistics: Object.values(statistics),
      habits,
      isTold: Boolean(kind.showsPinnedWeights),
      isOfAllHeads: ofAllHeads.includes(display.measure),
      unlike: unlikeModel(display),
    },
  };
}

/**
 * What the only chosen head does.
 *
 * @param {ArrayLike<Habit>} habits  `[layers * heads]`
 * @param {Shape} shape
 * @param {Block} chosen
 * @returns {Habit | null}  null if several heads are chosen, or nothing is known of the one
 */
export function ownHabit(habits, {heads}, {layers: [layer, ...lower], heads: [head, ...others]}) {
  const isOne = !lower.length && !others.length;
  return (isOne && habits[layer * heads + head]) || null;
}

/** How a display differs from the weights as the model has them. @param {Display} display @returns {Unlike[]} */
function unlikeModel({measure, special, strongest}) {
  return [
    ...(measure === 'weight' ? [] : /** @type {const} */ (['measure'])),
    ...(special === 'show' ? [] : /** @type {const} */ (['special'])),
    ...(strongest === 1 ? [] : /** @type {const} */ (['strongest'])),
  ];
}

/** Whether two snapshots have the same numbers of layers and heads. @param {Snapshot} a @param {Snapshot} b */
function fits(a, b) {
  return a.layers === b.layers && a.heads === b.heads;
}

/**
 * Returns the part of a block that exists, or the whole block if nothing of it does.
 *
 * @param {Shape} shape
 * @param {Block} block
 * @returns {Block}
 */
function heldBy(shape, {layers, heads}) {
  const held = {
    layers: layers.filter((layer) => heads.some((head) => holds(shape, layer, head))),
    heads: heads.filter((head) => layers.some((layer) => holds(shape, layer, head))),
  };
  return held.layers.length ? held : {layers, heads};
}

/**
 * Moves the values of all heads to the places that the heads have in a larger shape.
 *
 * @template T
 * @param {ArrayLike<T>} values  `[layers * heads]`
 * @param {Shape} own
 * @param {Shape} available
 * @returns {ArrayLike<T>}  one value for each head of `available`; undefined for heads that `own` lacks
 */
function spread(values, own, available) {
  if (own.layers === available.layers && own.heads === available.heads) return values;
  return Array.from({length: available.layers * available.heads}, (_, at) => {
    const [layer, head] = [Math.floor(at / available.heads), at % available.heads];
    const isOwn = layer < own.layers && head < own.heads;
    return values[isOwn ? layer * own.heads + head : -1];
  });
}

/**
 * @param {Survey} survey
 * @param {Snapshot} base
 * @param {Shape} available
 * @returns {Partial<Record<StatisticName, Statistic>>}
 */
function statisticsIn({statistics}, base, available) {
  /** @type {Partial<Record<StatisticName, Statistic>>} */
  const known = {};
  const say = inNamesOf(frameOf(base.keyTokens, base.special.key));
  for (const name of statisticNames) {
    const values = statistics[name];
    if (!values) continue;
    const {name: label, shows} = strings.statistics[name];
    const words = {name: say(label), help: say(shows)};
    const scale = scaleOf(name, base.keyTokens.length);
    known[name] = {...words, values: spread(values, base, available), ...scale};
  }
  return known;
}

/**
 * Names statistics with the special tokens of a text.
 *
 * @param {Snapshot} base
 * @param {readonly StatisticName[]} statistics
 * @returns {NamedStatistics}
 */
function namesIn({keyTokens, special}, statistics) {
  const say = inNamesOf(frameOf(keyTokens, special.key));
  return Object.fromEntries(statistics.map((each) => [each, say(strings.statistics[each].name)]));
}

/**
 * Chooses the statistic that colours the map. Cross-attention lacks most of them, so the first one that is known may
 * replace the chosen one.
 *
 * @param {NamedStatistics} known
 * @param {string} chosen
 */
export function mappedStatistic(known, chosen) {
  const names = /** @type {StatisticName[]} */ (Object.keys(known));
  return names.find((name) => name === chosen) ?? names[0];
}

/**
 * Whether a statistic is worth a map: that of `sameWord` would be blank if no word occurs twice, that of `cls` in a text
 * without such a token.
 *
 * @param {StatisticName} name
 * @param {Statistic | undefined} statistic
 */
function hasOccasion(name, statistic) {
  if (!statistic || !['sameWord', 'cls', 'sep'].includes(name)) return Boolean(statistic);
  return Array.from(statistic.values).some((value) => value > 0);
}

/**
 * @param {StatisticName} name
 * @param {number} keys
 * @returns {Pick<Statistic, 'range' | 'format'>}
 */
function scaleOf(name, keys) {
  if (name === 'entropy') {
    const most = Math.log(Math.max(2, keys));
    return {range: {least: 0, most}, format: (value) => strings.units.nats(value.toFixed(2))};
  }
  if (name === 'distance') {
    const most = Math.max(1, keys - 1);
    return {range: {least: 0, most}, format: (value) => strings.units.tokens(value.toFixed(1))};
  }
  return {range: {least: 0, most: 1}, format: formatPercent};
}
