/** Has every view in the same script: a saved page cannot load one later. */

import {matrixView} from './matrix/matrix-view.js';
import {modelView} from './model/model-view.js';
import {neuronView} from './neuron/neuron-view.js';
import {views} from './view-kinds.js';

Object.assign(views, {model: modelView, neuron: neuronView, matrix: matrixView});
