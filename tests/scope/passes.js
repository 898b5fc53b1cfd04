import {plainDisplay} from '../../web/attention/display.js';
import {createSnapshot} from '../../web/attention/snapshot.js';
import {savedPass} from '../../web/scope/saved-pass.js';

/** @import {Snapshot} from '../../web/attention/snapshot.js' */
/** @import {Choice} from '../../web/scope/view-data.js' */

/**
 * A saved pass of a text. Head h of layer l looks at its own token with weight 1 / (1 + l + h), and
 * evenly at the others.
 *
 * @param {string} text  its tokens, between spaces
 * @param {{layers?: number, heads?: number, sentenceB?: number, has?: Snapshot['has']}} [model]
 */
export function passOf(text, {layers = 2, heads = 3, sentenceB, has} = {}) {
  const tokens = text.split(' ');
  const snapshot = createSnapshot({
    tokens,
    tokenTypeIds: tokens.map((_, i) => Number(sentenceB !== undefined && i >= sentenceB)),
    special: tokens.map((token) => /^\[.*\]$/.test(token)),
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

/** What a reader sees at first. @param {Partial<Choice>} [change] @returns {Choice} */
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
