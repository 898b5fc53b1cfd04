/** Has every view in the same script: a saved page cannot load one later. */

import {matrixView} from './matrix/matrix-view.js';
import {modelView} from './model/model-view.js';
import {neuronView} from './neuron/styled-neuron-view.js';
import {views} from './loaded-views.js';

/** @type {Omit<Required<typeof views>, 'head'>} */
const laterOnes = {model: modelView, neuron: neuronView, matrix: matrixView};
Object.assign(views, laterOnes);
