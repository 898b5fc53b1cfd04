import {cutEdge, lookingAcross, stepByStep} from './cross-steps.js';
import {causalMask, encoderStep, inAndOut, ownAttention} from './own-text-steps.js';
import {teacherForcing} from './teacher-forcing-step.js';

export const steps = {
  'in-and-out': inAndOut,
  encoder: encoderStep,
  'own-attention': ownAttention,
  'causal-mask': causalMask,
  'looking-across': lookingAcross,
  'step-by-step': stepByStep,
  'teacher-forcing': teacherForcing,
  'cut-edge': cutEdge,
};
