import {firstState} from './address.js';

/** @import {PageStrings} from '../strings/en/live.js' */

/**
 * One or two sentences to start with, and a head of the embedded model that shows what their name asks.
 *
 * @typedef {object} Example
 * @property {keyof PageStrings['examples']} name
 * @property {string} text
 * @property {string} pair  empty: no second sentence
 * @property {{layer: number, heads: number[], token: number}} shown  the head and the query that are shown
 */

const {text, textPair: pair, layer, heads, token} = firstState;

/** @type {readonly Example[]} */
export const examples = [
  {name: 'flies', text, pair, shown: {layer, heads, token: token?.index ?? 0}},
  {
    name: 'tired',
    text: "The animal didn't cross the street because it was too tired.",
    pair: '',
    shown: {layer: 1, heads: [5], token: 10}, // “it” gives most, 48 %, to “animal”
  },
  {
    name: 'banks',
    text: 'He sat on the bank of the river.',
    pair: 'She put her money in the bank.',
    shown: {layer: 1, heads: [3], token: 5}, // “bank” gives 85 % to “river”; in sentence B, it gives 73 % to [SEP]
  },
  {
    name: 'right',
    text: 'My friend told me about this class and I love it so far! She was right.',
    pair: '',
    shown: {layer: 0, heads: [7], token: 15}, // “she” gives most to “I”, 36 %, and “friend”, 10 %
  },
  {
    name: 'mats',
    text: 'the cat sat on the mat',
    pair: 'the cat lay on the rug',
    shown: {layer: 3, heads: [2], token: 6}, // “mat” gives most, 58 %, to “rug”
  },
];
