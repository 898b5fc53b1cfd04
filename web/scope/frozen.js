/** `<bert-scope>` for saved pictures alone, without engine and export. Every saved page contains this script. */

import {matrixView} from '../views/matrix/matrix-view.js';
import {modelView} from '../views/model/model-view.js';
import {neuronView} from '../views/neuron/neuron-view.js';
import {views} from '../views/view-kinds.js';
import {BertScope} from './bert-scope.js';
import {define} from './define-element.js';

Object.assign(views, {model: modelView, neuron: neuronView, matrix: matrixView});
define('bert-scope', BertScope);
