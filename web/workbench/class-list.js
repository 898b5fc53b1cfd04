import {html, nothing} from 'lit';
import {workbenchStrings} from '../strings/workbench.js';
import {formatNumber, formatPercent} from '../views/parts/number-format.js';
import {inPoints} from './percentage-points.js';

/** @import {Result} from '../session/pass.js' */

/** @typedef {Awaited<ReturnType<Result['classes']>>} Classes */

/**
 * Lists classes with their probabilities, and what changes of the model have done to these.
 *
 * @param {Classes | undefined} classes
 * @param {Classes | null} [before]  by the unchanged model
 */
export function classList(classes, before = null) {
  // A model with one output was trained to give a number, which is not a probability.
  const isOneNumber = classes?.length === 1;
  return html`<ol class="candidates classes">
    ${classes?.map(
      ({label, probability, logit}, i) =>
        html`<li style=${isOneNumber ? nothing : `--length: ${100 * probability}%`}>
          <span
            ><bdi>${label}</bdi>
            <small>${workbenchStrings.predictions.logit(formatNumber(logit, 3))}</small></span
          >
          <span class="number">
            ${isOneNumber ? nothing : formatPercent(probability)}
            ${
              before && !isOneNumber
                ? html`<small>${inPoints(probability - before[i].probability)}</small>`
                : nothing
            }
          </span>
        </li>`,
    )}
  </ol>`;
}
