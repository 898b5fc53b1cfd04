import {nothing} from 'lit';
import {select} from '../controls/fields.js';
import {mappedStatistic} from '../scope/head-overview-data.js';
import {strings} from '../strings/index.js';
import {panelStrings as words} from '../strings/panels.js';

/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {Model} from '../session/shared-models.js' */
/** @import {ScopeActions, ScopeState} from '../scope/layout.js' */
/** @import {Statistic, StatisticName} from '../attention/head-statistics.js' */

/** The statistic of an address that names none: the map is free to show what is offered. */
const ofPage = /** @type {const} */ ('word');

/**
 * What can colour the map besides statistics of all tokens: `word`, where a word looks, or `relation`, how often heads
 * find a grammatical relation.
 *
 * @typedef {'word' | 'relation'} Offer
 */

/**
 * What is offered for the map of each element, and which offer the reader wants.
 *
 * @type {WeakMap<BertScope, {wanted: Offer, word?: Statistic, relation?: {statistic: Statistic, model: Model | null}}>}
 */
const offers = new WeakMap();

const ofScope = (/** @type {BertScope} */ scope) => offers.get(scope) ?? {wanted: ofPage};

/**
 * Colours the map by what answers the word, unless the reader has chosen something else.
 *
 * @param {BertScope} scope
 * @param {Statistic | undefined} word
 */
export function offerWord(scope, word) {
  offers.set(scope, {...ofScope(scope), word});
  showOffer(scope);
}

/**
 * Colours the map by how often heads find a relation, until the reader chooses something else.
 *
 * @param {BertScope} scope
 * @param {Statistic | null} statistic  of the model that is loaded; null: none is offered any more
 */
export function offerRelation(scope, statistic) {
  const {model} = scope;
  const relation = statistic ? {statistic, model} : undefined;
  offers.set(scope, {...ofScope(scope), relation, wanted: relation ? 'relation' : ofPage});
  if (relation) scope.change({statistic: ofPage});
  scope.requestUpdate();
}

/** Colours the map by what is offered, unless the reader has chosen a statistic. @param {BertScope} scope */
export function showOffer(scope) {
  if (!offers.has(scope)) return;
  const [, offered] = shownOffer(scope);
  scope.mapped = scope.statistic === ofPage ? offered : undefined;
}

/** @param {BertScope} scope @returns {[Offer, Statistic | undefined]} */
function shownOffer(scope) {
  const {wanted} = ofScope(scope);
  const offered = offeredIn(scope);
  return offered[wanted] ? [wanted, offered[wanted]] : [ofPage, offered.word];
}

/** A relation is offered while the map is of the model that was measured. @param {BertScope} scope @returns {Partial<Record<Offer, Statistic>>} */
function offeredIn(scope) {
  const {word, relation} = ofScope(scope);
  const isMeasured = relation?.model === scope.model && !scope.isSaved && !scope.compare;
  return {word, relation: isMeasured ? relation?.statistic : undefined};
}

/**
 * Says what colours the map, and lets the reader choose it.
 *
 * @param {BertScope} scope
 * @param {ScopeState} state
 * @param {ScopeActions} actions
 */
export function mapColour(scope, {overview: {map, known}}, {choose}) {
  if (!map || scope.mapped === null) return nothing;
  const offered = Object.entries(offeredIn(scope)).flatMap(([offer, statistic]) =>
    statistic ? [[offer, statistic.name]] : [],
  );
  const names = {...Object.fromEntries(offered), ...known};
  const chosen = scope.mapped ? shownOffer(scope)[0] : mappedStatistic(known, scope.statistic);
  // There is little room where everything is shown at once.
  const label = scope.panel === 'all' ? strings.map.colour : words.colour;
  return select(label, names, chosen, (/** @type {Offer | StatisticName} */ name) => {
    if (name !== 'word' && name !== 'relation') return choose({statistic: name});
    offers.set(scope, {...ofScope(scope), wanted: name});
    choose({statistic: ofPage});
    // The state may be as before.
    scope.requestUpdate();
  });
}
