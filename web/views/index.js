/**
 * Exports the views, without the engine. Each view is a function `(data, actions) => element` whose element has
 * `update(data)`, where `data` is `{snapshot, selection: {layer, heads, filter, token}, dark}`. The shadow root that
 * holds a view needs `viewStyles` and the custom properties of `tokenStyle`.
 */

import {headView} from './head/head-view.js';
import {matrixView} from './matrix/matrix-view.js';
import {modelView} from './model/model-view.js';
import {neuronView} from './neuron/neuron-view.js';
import neuronViewStyle from './neuron/neuron-view.css?inline';
import {startStyles} from './styles.js';

export {headView, matrixView, modelView, neuronView};
export {importAttention, importFile} from './lazy-import.js';
export {plainDisplay, readable} from '../attention/display.js';
export {SnapshotError, createSnapshot, snapshotToJson} from '../attention/snapshot.js';
export {tokenStyle} from './styles.js';

/** The style sheets of the views, as texts for a shadow root. */
export const viewStyles = [...startStyles, neuronViewStyle];
