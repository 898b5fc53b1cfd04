import {vectorKindsOf} from '../engine/measures.js';
import {neuronStory} from '../views/neuron-story.js';
import {baseOf} from './view-data.js';

/** @import {Pass} from '../session/pass.js' */
/** @import {Selection} from '../attention/selection.js' */
/** @import {Story} from '../strings/en/neuron.js' */

/**
 * Collects the numbers that explain what one head gives to the tokens of a pass.
 *
 * @param {Pass} pass
 * @param {Selection} selection  the first of its heads is explained
 * @param {number} query  the token that attends
 * @returns {Promise<Story | null>}  null if the pass has no vectors, as attention from a file
 */
export async function storyOfPass(pass, selection, query) {
  const {
    layer,
    heads: [head],
  } = selection;
  if (!pass.model) return null;
  const base = baseOf(pass, selection.filter);
  const kinds = /** @type {const} */ (['attention', ...vectorKindsOf(base)]);
  await pass.fetch(kinds.map((kind) => ({kind, measure: 'weight', layer, head})));
  return neuronStory(base, selection, query);
}
