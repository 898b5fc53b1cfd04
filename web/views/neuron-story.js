import {neuronScene, queryScene, storyOf} from './neuron/scene.js';

/** @import {Selection} from '../attention/selection.js' */
/** @import {Snapshot} from '../attention/snapshot.js' */

/**
 * Collects the numbers of the story of one head, as the neuron view tells it.
 *
 * @param {Snapshot} snapshot
 * @param {Selection} selection
 * @param {number} query  the token whose attention is explained
 * @returns {ReturnType<typeof storyOf> | null}  null if the vectors are not known
 */
export function neuronStory(snapshot, selection, query) {
  const head = neuronScene(snapshot, selection);
  return head && storyOf(queryScene(head, query), head, snapshot);
}
