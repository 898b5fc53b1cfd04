/** Measures passes with a changed model, and with every head off in turn, beside plain passes. */

import {NO_CHANGES} from '../../../web/engine/interventions.js';
import {startEngine} from './ours.js';
import {inTurn, twoBatches} from './passes.js';
import {takeTurns} from './sampling.js';

/** @import {Changes} from '../../../web/engine/interventions.js' */
/** @import {OurFiles} from './ours.js' */
/** @import {Effort} from './sampling.js' */

/**
 * @typedef {object} InterventionTask
 * @property {'interventions'} kind
 * @property {OurFiles} ours
 * @property {number} tokens
 * @property {Effort} effort
 */

/**
 * @typedef {object} InterventionRow
 * @property {string} change
 * @property {number} passes
 * @property {number} changed_ms The median of all passes.
 * @property {number} plain_ms The median of as many passes without changes.
 */

/**
 * Each change reaches down to the first layer, so that nothing of the pass before is used again. Two
 * changes take turns, because the same change again would cost nothing.
 *
 * @type {Record<string, [Partial<Changes>, Partial<Changes>]>}
 */
const CHANGES = {
  'a head off': [
    {heads: [{layer: 0, head: 0, scale: 0}]},
    {heads: [{layer: 0, head: 1, scale: 0}]},
  ],
  'a layer off': [{layersOff: [0]}, {layersOff: [0, 1]}],
  'a token hidden': [{maskedTokens: [3]}, {maskedTokens: [4]}],
  'a weight set': [
    {edges: [{layer: 0, head: 0, query: 1, key: 2, weight: 0.5, renormalise: true}]},
    {edges: [{layer: 0, head: 0, query: 1, key: 3, weight: 0.5, renormalise: true}]},
  ],
  'no later token seen': [{causal: true}, {causal: true, maskedTokens: [4]}],
  'scores undivided': [{scoreScale: 'none'}, {scoreScale: 'hidden'}],
};

/**
 * @param {InterventionTask} task
 * @param {(text: string) => void} progress
 * @returns {Promise<InterventionRow[]>}
 */
export async function measureInterventions({ours, tokens, effort}, progress) {
  progress('loading');
  const engine = await startEngine();
  const {encoder} = await engine.load(ours);
  const {layers, heads, vocabulary} = encoder.config;
  const batches = twoBatches(tokens, vocabulary);
  const [batch] = batches;
  const plain = inTurn(encoder, batches);
  const temperatures = [0.5, 2].map((each) => ({layerTemperature: Array(layers).fill(each)}));
  const changed = encoder.sibling();
  const turn = (/** @type {Partial<Changes>[]} */ pair) =>
    inTurn(
      changed,
      pair.map((changes) => ({...batch, changes: {...NO_CHANGES, ...changes}})),
    );
  progress(`${tokens} tokens, single changes`);
  const single = {...CHANGES, 'another temperature': temperatures};
  const {plain: plain_ms, ...medians} = (
    await takeTurns(
      {
        plain,
        ...Object.fromEntries(Object.entries(single).map(([name, pair]) => [name, turn(pair)])),
      },
      effort,
    )
  ).medians;
  progress(`${tokens} tokens, every head in turn`);
  const headsOff = await takeTurns(
    {
      plain,
      // `headEffects` goes from the last layer to the first, too.
      ablations: async () => {
        for (let layer = layers - 1; layer >= 0; layer--) {
          for (let head = 0; head < heads; head++) {
            const changes = {...NO_CHANGES, heads: [{layer, head, scale: 0}]};
            await changed.run({...batch, changes});
          }
        }
      },
    },
    effort,
  );
  return [
    ...Object.entries(medians).map(([change, changed_ms]) => ({
      change,
      passes: 1,
      changed_ms,
      plain_ms,
    })),
    {
      change: 'every head off in turn',
      passes: layers * heads,
      changed_ms: headsOff.medians.ablations,
      plain_ms: headsOff.medians.plain * layers * heads,
    },
  ];
}
