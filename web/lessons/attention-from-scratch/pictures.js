/** What several steps of this lesson draw. */

import {html} from 'lit';
import {sideBySide, vectorBlock} from '../parts/vector-blocks.js';
import {segments} from '../parts/step-controls.js';

/** @import {StepContext} from '../step.js' */
/** @import {Tensor} from '../parts/tensor.js' */

/**
 * How many heads there may be: as many as share the hidden size evenly.
 *
 * @param {StepContext} context
 * @param {number} hiddenSize
 */
export function headCounts(context, hiddenSize) {
  const counts = [1, 2, 4, 8, 16].filter((count) => hiddenSize % count === 0);
  return segments(context, 'heads', context.labels.heads, counts);
}

/**
 * The weights of both ways side by side.
 *
 * @param {StepContext} context
 * @param {Tensor} right
 * @param {Tensor} wrong
 * @param {string[][]} tokens
 */
export const bothWeights = ({labels}, right, wrong, tokens) => {
  const block = (/** @type {string} */ label, /** @type {Tensor} */ tensor) =>
    html`<tensor-block
      label=${label}
      kind="weights"
      .tensor=${tensor}
      .axes=${labels.weightAxes}
      .rows=${tokens}
    ></tensor-block>`;
  return sideBySide(block(labels.weights, right), block(labels.wrongWeights, wrong));
};

/**
 * @param {StepContext} context
 * @param {Tensor} right
 * @param {Tensor} wrong
 * @param {string[][]} tokens
 */
export const bothOutputs = ({labels}, right, wrong, tokens) => html`
  ${vectorBlock(labels.output, right, labels.axes, tokens)}
  ${vectorBlock(labels.wrongOutput, wrong, labels.axes, tokens)}
`;
