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
  {name: 'children', text, pair, shown: {layer, heads, token: token?.index ?? 0}},
  {
    name: 'flies',
    text: 'time flies like an arrow',
    pair: 'fruit flies like a banana',
    shown: {layer: 3, heads: [2], token: 2}, // “flies” gives most, 95 %, to the other “flies”
  },
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
    name: 'grandmother',
    text: 'My grandmother said that she would bake a cake for us.',
    pair: '',
    shown: {layer: 1, heads: [5], token: 5}, // “she” gives most, 74 %, to “grandmother”
  },
  {
    name: 'mats',
    text: 'the cat sat on the mat',
    pair: 'the cat lay on the rug',
    shown: {layer: 3, heads: [2], token: 6}, // “mat” gives most, 58 %, to “rug”
  },
];
