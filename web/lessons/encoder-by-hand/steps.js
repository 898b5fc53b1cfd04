import {causalMask, lookup, nearIdentity, tokenIds} from './embedding-steps.js';
import {classifier, encoder, pair, positions} from './encoder-steps.js';
import {attentionHead, feedForward, layerNorm, multiHead} from './layer-steps.js';

export const steps = {
  ids: tokenIds,
  lookup,
  'near-identity': nearIdentity,
  'attention-head': attentionHead,
  'multi-head': multiHead,
  'feed-forward': feedForward,
  'layer-norm': layerNorm,
  positions,
  encoder,
  classifier,
  pair,
  'causal-mask': causalMask,
};
