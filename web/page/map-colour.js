import {nothing} from 'lit';
import {select} from '../controls/fields.js';
import {mappedStatistic} from '../scope/head-overview-data.js';
import {strings} from '../strings/index.js';
import {panelStrings as words} from '../strings/panels.js';

/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {ScopeActions, ScopeState} from '../scope/layout.js' */
/** @import {ScopeProperties} from '../scope/scope-properties.js' */
/** @import {Statistic} from '../attention/head-statistics.js' */

/** The statistic of an address that names none: the map is free to answer the word. */
const ofWord = 'word';

/** What answers the word in the map of each element. @type {WeakMap<ScopeProperties, Statistic>} */
const offered = new WeakMap();

/**
 * Colours the map by what answers the word, unless the reader has chosen a statistic.
 *
 * @param {BertScope} scope
 * @param {Statistic | undefined} links
 */
export function offerForMap(scope, links) {
  if (links) offered.set(scope, links);
  else offered.delete(scope);
  scope.mapped = scope.statistic === ofWord ? links : undefined;
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
  return select(words.colour, names, chosen, (name) => choose({statistic: name}));
}
