import {laterStyle} from '../parts/later-style.js';
import style from './neuron-view.css?inline';

laterStyle.replaceSync(style);

export {neuronView} from './neuron-view.js';
