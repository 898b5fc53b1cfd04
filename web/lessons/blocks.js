import {html} from 'lit';
import './tensor-block.js';

/** @import {RowNames, Tensor} from './tensor.js' */

/**
 * A vector for each token.
 *
 * @param {string} label
 * @param {Tensor | null} tensor  […, tokens, numbers]
 * @param {readonly string[]} axes
 * @param {RowNames} tokens
 */
export const vectorBlock = (label, tensor, axes, tokens) =>
  html`<tensor-block
    label=${label}
    .tensor=${tensor}
    .axes=${axes}
    .rows=${tokens}
  ></tensor-block>`;

/**
 * Attention weights as a table, with the sum of each row.
 *
 * @param {string} label
 * @param {Tensor} weights  [queries, keys]
 * @param {readonly string[]} axes
 * @param {readonly string[]} tokens
 */
export const weightTable = (label, weights, axes, tokens) =>
  html`<tensor-block
    label=${label}
    kind="weights"
    numbers
    digits="3"
    .tensor=${weights}
    .axes=${axes}
    .rows=${tokens}
    .columns=${tokens}
    .sums=${{rows: true}}
  ></tensor-block>`;
