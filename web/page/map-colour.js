import {nothing} from 'lit';
import {select} from '../controls/fields.js';
import {mappedStatistic} from '../scope/head-overview-data.js';
import {initialState} from '../scope/state-fields.js';
import {strings} from '../strings/index.js';
import {panelStrings as words} from '../strings/panels.js';

/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {ScopeActions, ScopeState} from '../scope/layout.js' */
/** @import {ScopeProperties} from '../scope/scope-properties.js' */
/** @import {Statistic} from '../attention/head-statistics.js' */

/** The statistic of an address that names none: the map is free to answer the word. */
const byDefault = initialState.statistic;

/** The value of the choice to colour the map by the links of a word. */
const ofWord = 'word';

/** What answers the word in the map of each element. @type {WeakMap<ScopeProperties, Statistic>} */
const offered = new WeakMap();

/** The elements whose reader has chosen that statistic, and not the links of a word. @type {WeakSet<ScopeProperties>} */
const chosenByHand = new WeakSet();

/**
 * Colours the map by what answers the word, unless the reader has chosen a statistic.
 *
 * @param {BertScope} scope
 * @param {Statistic | undefined} links
 */
export function offerForMap(scope, links) {
  if (links) offered.set(scope, links);
  else offered.delete(scope);
  const isFree = scope.statistic === byDefault && !chosenByHand.has(scope);
  scope.mapped = isFree ? links : undefined;
}

/**
 * Says what colours the map, and lets the reader choose it.
 *
 * @param {ScopeProperties} scope
 * @param {ScopeState} state
 * @param {ScopeActions} actions
 */
export function mapColour(scope, {overview: {map, known}}, {choose}) {
  const links = offered.get(scope);
  if (!map || scope.mapped === null) return nothing;
  const names = {
    ...(links ? {[ofWord]: links.name} : {}),
    ...Object.fromEntries(known.map((name) => [name, strings.statistics[name].name])),
  };
  const chosen = scope.mapped ? ofWord : mappedStatistic(known, scope.statistic);
  return select(words.colour, names, chosen, (name) => {
    if (name === ofWord) chosenByHand.delete(scope);
    else chosenByHand.add(scope);
    choose({statistic: name === ofWord ? byDefault : name});
    // The statistic may be the same as before.
    scope.requestUpdate();
  });
}
