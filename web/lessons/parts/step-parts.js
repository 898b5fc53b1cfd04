import {html, nothing} from 'lit';
import {segments} from './step-controls.js';
import {frameText} from '../lesson-text.js';

/** @import {StepContext} from '../step.js' */

/**
 * The pictures of a step. All are shown if the window has room for them, else the one that the reader chooses; see
 * `WindowFit`.
 *
 * @param {StepContext} context
 * @param {Record<string, {label: string, content: unknown}>} parts
 */
export function stepParts(context, parts) {
  const names = Object.keys(parts);
  const chosen = names.find((name) => name === context.choices.part) ?? names[0];
  const labels = Object.fromEntries(names.map((name) => [name, parts[name].label]));
  return html`<div class="parts">
    ${
      names.length > 1
        ? html`<div class="part-choice">
            ${segments({...context, choices: {part: chosen}}, 'part', frameText.parts, labels)}
          </div>`
        : nothing
    }
    ${names.map(
      (name) =>
        html`<div class="step-part ${name === chosen ? 'chosen' : ''}">
          ${parts[name].content}
        </div>`,
    )}
  </div>`;
}

/** What a step with a single picture draws. @param {unknown} content */
export const onePart = (content) =>
  html`<div class="parts"><div class="step-part">${content}</div></div>`;
