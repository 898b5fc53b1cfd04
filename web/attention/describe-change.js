import {namedToken} from './byte-level-tokens.js';
import {strings} from '../strings/index.js';
import {liveStrings} from '../strings/live.js';

/** @import {ModelPart} from '../engine/interventions.js' */
/** @import {Change, HeadPlace} from './reader-changes.js' */

/**
 * Lists the tokens on one side of a part, or of the text if there is only one.
 *
 * @typedef {(side: 'query' | 'key', part?: ModelPart) => readonly string[]} TokensOf
 */

const {changes: words} = liveStrings;

/**
 * Describes one change in a few words.
 *
 * @param {Change} change
 * @param {TokensOf} tokensOf  a token that is not in the list is named by its number
 */
export function describeChange({kind, change}, tokensOf) {
  const {controls, model} = strings;
  const placeOf = (/** @type {HeadPlace} */ {layer, head, part}) => {
    const place = model.place(layer, head);
    return part && part !== 'encoder' ? words.ofPart(controls.filters[part], place) : place;
  };
  switch (kind) {
    case 'layer':
      return words.layerOff(model.layer(change));
    case 'head': {
      const {scale} = change;
      const place = placeOf(change);
      return scale === 0
        ? controls.headOff(place)
        : words.headScaled(place, Math.round(scale * 100));
    }
    case 'token':
      return words.unseen(namedToken(tokensOf('query')[change] ?? `#${change}`));
    case 'edge': {
      const {part, weight} = change;
      const [query, key] = /** @type {const} */ (['query', 'key']).map((side) =>
        namedToken(tokensOf(side, part)[change[side]] ?? `#${change[side]}`),
      );
      return words.edgeSet(placeOf(change), `${query} → ${key}`, weight.toFixed(2));
    }
    case 'causal':
      return words.causal;
    case 'temperature':
      return words.temperatureSet(change);
    case 'layerTemperature':
      return words.layerTemperatureSet(model.layer(change.layer), change.temperature);
    case 'scoreScale':
      return `${words.scoreScale} ${words.scoreScales[change]}`;
  }
}
