import {strings} from '../../strings/index.js';
import {headColour} from '../parts/head-colours.js';
import {create} from '../parts/create-element.js';

/** @import {NeuronScene, QueryScene} from './scene.js' */

/**
 * Names the head that is shown, and explains the colours.
 *
 * @param {NeuronScene} head
 * @param {number} chosen  the number of active heads; the first is shown
 * @param {boolean} dark
 */
export function headCaption({layer, head, vectors}, chosen, dark) {
  const {place, first, size, legend} = strings.neuron;
  const swatch = create('span', 'swatch');
  swatch.style.background = headColour(head, dark);
  return [
    swatch,
    create('span', 'name', place(layer, head)),
    ...(chosen > 1 ? [create('span', '', first(chosen))] : []),
    size(vectors.headDim),
    create('span', 'sign', create('span', 'tone'), legend.positive),
    create('span', 'sign', create('span', 'tone negative'), legend.negative),
    create('span', 'sign', legend.faint),
  ];
}

/**
 * Tells what the reader may not expect, for example that a filter hides some keys.
 *
 * @param {NeuronScene} head
 * @param {QueryScene} scene
 */
export function notesOf({causal, stride, sides, vectors}, {keys, changed}) {
  const isPart = !causal && keys.end - keys.start < stride;
  const {neuron} = strings;
  return [
    sides && neuron.change.note,
    vectors.positionScores && neuron.position,
    changed && neuron.changed,
    isPart && neuron.filtered,
    causal && neuron.causal,
  ]
    .filter(Boolean)
    .join(' ');
}
