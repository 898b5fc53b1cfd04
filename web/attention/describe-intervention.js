import {strings} from '../strings/index.js';
import {liveStrings} from '../strings/live.js';

/** @import {Change} from './interventions.js' */

const {changes: words} = liveStrings;

/**
 * Describes one change in a few words.
 *
 * @param {Change} change
 * @param {readonly string[]} tokens  the tokens of the text; a token that is not in the list is named by its number
 */
export function describeChange({kind, change}, tokens) {
  const {controls, model} = strings;
  const token = (/** @type {number} */ index) => tokens[index] ?? `#${index}`;
  switch (kind) {
    case 'layer':
      return words.layerOff(model.layer(change));
    case 'head': {
      const {layer, head, scale} = change;
      const place = model.place(layer, head);
      return scale === 0
        ? controls.headOff(place)
        : words.headScaled(place, Math.round(scale * 100));
    }
    case 'token':
      return words.unseen(token(change));
    case 'edge': {
      const {layer, head, query, key, weight} = change;
      const link = `${token(query)} → ${token(key)}`;
      return words.edgeSet(model.place(layer, head), link, weight.toFixed(2));
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
