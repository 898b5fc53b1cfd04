import {html} from 'lit';

/** @import {Desk} from './step.js' */

/**
 * The page's own view of the sentences of a step.
 *
 * @param {Desk} desk
 * @param {object} shown
 * @param {string} shown.view
 * @param {number} [shown.layer]
 * @param {number[]} [shown.heads]
 * @param {string} [shown.pair]
 * @param {boolean} [shown.noSpecialTokens]
 * @param {string} [shown.text]
 */
export function scope({sentences, theme, large, src}, shown) {
  const {view, layer = 0, heads = [], text, pair, noSpecialTokens = false} = shown;
  return html`<bert-scope
    .src=${src}
    .text=${text ?? sentences[0]}
    .textPair=${pair ?? sentences[1] ?? ''}
    .noSpecialTokens=${noSpecialTokens}
    .view=${view}
    .layer=${layer}
    .heads=${heads}
    .theme=${theme}
    .large=${large}
  ></bert-scope>`;
}
