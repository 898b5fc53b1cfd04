import {crossAttention} from './cross-attention-step.js';
import {decoderLayer, sides} from './decoder-steps.js';
import {combine, splitting} from './moving-steps.js';

export const steps = {
  split: splitting,
  combine,
  'cross-attention': crossAttention,
  sides,
  'decoder-layer': decoderLayer,
};
