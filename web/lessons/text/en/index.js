import {encoderByHand} from './encoder-by-hand.js';
import {frame} from './frame.js';
import {queryKeyValue} from './query-key-value.js';
import {readingHeads} from './reading-heads.js';

export const english = {
  frame,
  lessons: {
    'query-key-value': queryKeyValue,
    'encoder-by-hand': encoderByHand,
    'reading-heads': readingHeads,
  },
};
