import fc from 'fast-check';
import {
  noReaderChanges,
  withEdge,
  withHead,
  withItem,
  withTemperature,
} from '../../web/attention/reader-changes.js';

/** @import {ReaderChanges} from '../../web/attention/reader-changes.js' */

const temperature = fc.constantFrom(0.1, 0.5, 1, 2.25, 5);
const index = fc.integer({min: 0, max: 40});
/** The parts of an encoder-decoder that are named; what names none is of the encoder. */
const part = fc.constantFrom('decoder', 'cross');
const share = fc.double({min: 0, max: 1, noNaN: true}).map((value) => Number(value.toFixed(4)));

/** An arbitrary of all interventions that a reader can make with the controls. */
export const reached = fc
  .record({
    heads: fc.array(
      fc.record(
        {layer: index, head: index, scale: share, part},
        {requiredKeys: ['layer', 'head', 'scale']},
      ),
    ),
    layersOff: fc.array(index),
    maskedTokens: fc.array(index),
    edges: fc.array(
      fc.record(
        {
          layer: index,
          head: index,
          query: index,
          key: index,
          weight: share,
          renormalise: fc.boolean(),
          part,
        },
        {requiredKeys: ['layer', 'head', 'query', 'key', 'weight', 'renormalise']},
      ),
    ),
    causal: fc.boolean(),
    temperature,
    layerTemperatures: fc.array(fc.record({layer: index, temperature})),
    scoreScale: fc.constantFrom('head', 'hidden', 'none'),
  })
  .map(({heads, layersOff, maskedTokens, edges, layerTemperatures, ...rest}) => {
    /** @type {ReaderChanges} */
    let interventions = {...noReaderChanges, ...rest};
    for (const {layer, temperature} of layerTemperatures) {
      interventions = withTemperature(interventions, temperature, layer);
    }
    for (const head of heads) interventions = withHead(interventions, {...head});
    for (const edge of edges) interventions = withEdge(interventions, {...edge});
    for (const layer of layersOff) {
      interventions = {
        ...interventions,
        layersOff: withItem(interventions.layersOff, layer, true),
      };
    }
    for (const token of maskedTokens) {
      interventions = {
        ...interventions,
        maskedTokens: withItem(interventions.maskedTokens, token, true),
      };
    }
    return interventions;
  });
