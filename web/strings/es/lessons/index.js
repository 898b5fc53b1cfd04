import {attentionFromScratch} from './attention-from-scratch.js';
import {doesItMatter} from './does-it-matter.js';
import {encoderAndDecoder} from './encoder-and-decoder.js';
import {encoderByHand} from './encoder-by-hand.js';
import {frame} from './frame.js';
import {guessTheWord} from './guess-the-word.js';
import {learnedHeads} from './learned-heads.js';
import {queryKeyValue} from './query-key-value.js';
import {readingHeads} from './reading-heads.js';
import {splittingHeads} from './splitting-heads.js';
import {whyWritten} from './why-written.js';

/** @import {Course} from '../../en/lessons/index.js' */

/** @type {Course} */
export const course = {
  frame,
  lessons: {
    'guess-the-word': guessTheWord,
    'attention-from-scratch': attentionFromScratch,
    'query-key-value': queryKeyValue,
    'encoder-by-hand': encoderByHand,
    'splitting-heads': splittingHeads,
    'encoder-and-decoder': encoderAndDecoder,
    'why-written': whyWritten,
    'reading-heads': readingHeads,
    'learned-heads': learnedHeads,
    'does-it-matter': doesItMatter,
  },
};
