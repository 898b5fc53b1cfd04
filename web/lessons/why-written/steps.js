import {eightHeads, oneByOne, taken} from './reading-steps.js';
import {hidden, ownDate, textOrWritten} from './testing-steps.js';

export const steps = {
  'one-by-one': oneByOne,
  'eight-heads': eightHeads,
  taken,
  'text-or-written': textOrWritten,
  hidden,
  'own-date': ownDate,
};
