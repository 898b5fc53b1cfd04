/**
 * The views without the engine. Each is `(data, actions) => element` with an `update(data)`, where
 * `data` is `{snapshot, selection: {layer, heads, filter, token}, dark}`; `viewStyles` go into the
 * shadow root that holds them, with the custom properties of `tokenStyle`.
 */

import {headView} from './head-view.js';
import {matrixView} from './matrix-view.js';
import {modelView} from './model-view.js';
import {neuronView} from './neuron-view.js';

export {headView, matrixView, modelView, neuronView};
export {importAttention} from './import-attention.js';
export {importFile} from './import-file.js';
export {plainDisplay, readable} from './readability.js';
export {SnapshotError, createSnapshot, snapshotToJson} from './snapshot.js';
export {tokenStyle, viewStyles} from './styles.js';
