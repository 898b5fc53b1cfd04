/** Pictures of tensors that several lessons use. */

import {html} from 'lit';
import './tensor-block.js';

/** @import {Kind, Sums} from './tensor-block.js' */
/** @import {RowNames, Tensor} from './tensor.js' */

/**
 * Draws one vector for each token.
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
 * Draws the queries, keys and values of a head side by side, each in its hue.
 *
 * @param {Record<'query' | 'key' | 'value', Tensor>} vectors  […, tokens, numbers]
 * @param {Names} queries
 * @param {Names} [keys]  of keys and values; those of the queries unless given
 *
 * @typedef {object} Names
 * @property {readonly string[]} axes
 * @property {RowNames} [tokens]
 */
export const headVectors = (vectors, queries, keys = queries) => {
  const block = (/** @type {keyof typeof vectors} */ kind, /** @type {Names} */ names) =>
    html`<tensor-block
      label=${kind[0]}
      kind=${kind}
      .tensor=${vectors[kind]}
      .axes=${names.axes}
      .rows=${names.tokens ?? []}
    ></tensor-block>`;
  return html`<div class="three">
    ${block('query', queries)} ${block('key', keys)} ${block('value', keys)}
  </div>`;
};

/** Two pictures side by side, where there is room. @param {unknown} left @param {unknown} right */
export const sideBySide = (left, right) =>
  html`<div class="two">
    <div>${left}</div>
    <div>${right}</div>
  </div>`;

/**
 * A table with a number for each query and key.
 *
 * @param {string} label
 * @param {Tensor} tensor  [queries, keys]
 * @param {readonly string[]} axes
 * @param {readonly string[]} queries
 * @param {object} [options]
 * @param {readonly string[]} [options.keys]  the queries unless given
 * @param {Kind} [options.kind]
 * @param {number} [options.digits]
 * @param {Sums} [options.sums]
 * @param {boolean} [options.scientific]
 */
export const pairTable = (
  label,
  tensor,
  axes,
  queries,
  {keys = queries, kind = 'plain', digits = 2, sums = {}, scientific = false} = {},
) =>
  html`<tensor-block
    label=${label}
    kind=${kind}
    numbers
    ?scientific=${scientific}
    digits=${digits}
    .tensor=${tensor}
    .axes=${axes}
    .rows=${queries}
    .columns=${keys}
    .sums=${sums}
  ></tensor-block>`;

/**
 * Attention weights as a table, with the sum of each row.
 *
 * @param {string} label
 * @param {Tensor} weights  [queries, keys]
 * @param {readonly string[]} axes
 * @param {readonly string[]} queries
 * @param {{keys?: readonly string[], digits?: number, scientific?: boolean}} [options]
 */
export const weightTable = (label, weights, axes, queries, {digits = 3, ...options} = {}) =>
  pairTable(label, weights, axes, queries, {
    ...options,
    kind: 'weights',
    digits,
    sums: {rows: true},
  });
