import {frame} from './frame.js';
import {readingHeads} from './reading-heads.js';

export const english = {
  frame,
  lessons: {
    'reading-heads': readingHeads,
  },
};
