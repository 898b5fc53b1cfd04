import {batch, causalAverage, hiddenStates} from './batch-steps.js';
import {multiHead, selfAttention} from './head-steps.js';
import {maskedMultiHead} from './masked-step.js';
import {scale} from './scale-step.js';

export const steps = {
  batch,
  'hidden-states': hiddenStates,
  'causal-average': causalAverage,
  'self-attention': selfAttention,
  'multi-head': multiHead,
  scale,
  'masked-multi-head': maskedMultiHead,
};
