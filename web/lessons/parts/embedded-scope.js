import {html} from 'lit';
import {formatAddress, initialState} from '../../scope/state-fields.js';
import {frameText} from '../lesson-text.js';

/** @import {State} from '../../scope/state-fields.js' */
/** @import {StepContext} from '../step.js' */

/** Whether the tokens of a text have room in large type. @param {string} text @param {string} pair */
const isShort = (text, pair) => `${text} ${pair}`.trim().split(/\s+/).length <= 9;

/** @param {'query' | 'key'} side @param {number | undefined} index */
const pinned = (side, index) => (index === undefined ? null : {side, index});

/**
 * A `<bert-scope>` with the sentences of a step, and a link to the same in the viewer.
 *
 * @param {StepContext} context
 * @param {object} shown
 * @param {string} shown.view
 * @param {'encoder' | 'decoder' | 'cross'} [shown.filter]  the part of an encoder-decoder
 * @param {number} [shown.layer]
 * @param {number[]} [shown.heads]
 * @param {boolean} [shown.noSpecialTokens]
 * @param {boolean} [shown.isDetailed]  whether the neuron view shows a pair of tokens number by number
 * @param {number} [shown.query]  the token that is pinned, to see where it looks
 * @param {number} [shown.key]  or to see what looks at it
 */
export function scope({sentences: [text, pair = ''], ...context}, shown) {
  const {theme, large, model, src, isOnPaper} = context;
  const {view, layer = 0, heads = [], noSpecialTokens = false, isDetailed = false} = shown;
  const {filter = 'all', query, key} = shown;
  const token = pinned('query', query) ?? pinned('key', key);
  const chosen = {text, textPair: pair, noSpecialTokens, view, filter, layer, heads, token, theme};
  const state = /** @type {State} */ ({...initialState, ...chosen, src: model});
  return html`<bert-scope
      class=${isDetailed ? 'detailed' : ''}
      .loading=${isOnPaper ? 'eager' : 'lazy'}
      .src=${src}
      .text=${text}
      .textPair=${pair}
      .noSpecialTokens=${noSpecialTokens}
      .view=${view}
      .filter=${filter}
      .layer=${layer}
      .heads=${heads}
      .token=${token}
      .theme=${theme}
      .large=${large && view !== 'neuron' && isShort(text, pair)}
    ></bert-scope>
    <p class="explore"><a href=${formatAddress(state)}>${frameText.explore}</a></p>`;
}
