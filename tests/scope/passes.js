import {plainDisplay} from '../../web/attention/display.js';
import {createSnapshot} from '../../web/attention/snapshot.js';
import {savedPass} from '../../web/session/saved-pass.js';

/** @import {LazySnapshot} from '../../web/attention/snapshot.js' */
/** @import {Choice} from '../../web/scope/view-data.js' */

/**
 * Makes a saved pass of a text. In head h of layer l, each token attends to itself with weight 1 / (1 + l + h), and to
 * all others equally.
 *
 * @param {string} text  its tokens, separated by spaces
 * @param {{layers?: number, heads?: number, sentenceB?: number, has?: LazySnapshot['has']}} [model]
 */
export function passOf(text, {layers = 2, heads = 3, sentenceB, has} = {}) {
  const tokens = text.split(' ');
  const snapshot = createSnapshot({
    tokens,
    tokenTypeIds: tokens.map((_, i) => Number(sentenceB !== undefined && i >= sentenceB)),
    special: tokens.map((token) => /^\[.*\]$|^<.*>$/.test(token)),
    layers,
    heads,
    attention(layer, head) {
      const own = 1 / (1 + layer + head);
      const other = (1 - own) / (tokens.length - 1);
      return Float32Array.from({length: tokens.length ** 2}, (_, at) =>
        Math.floor(at / tokens.length) === at % tokens.length ? own : other,
      );
    },
  });
  return savedPass(text, {all: {...snapshot, has}});
}

/** Makes the choice that a reader starts with. @param {Partial<Choice>} [change] @returns {Choice} */
export const choiceOf = (change) => ({
  layer: 0,
  heads: [],
  filter: 'all',
  token: null,
  display: plainDisplay,
  grid: {isOpen: false, layers: [], heads: []},
  dark: false,
  ...change,
});
