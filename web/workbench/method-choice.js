/** Lets the reader choose the method of an explanation, agree to a slow one, and cancel one that runs. */

import {TaskStatus} from '@lit/task';
import {html, nothing} from 'lit';
import {select} from '../controls/fields.js';
import {explanationStrings as words} from '../strings/explanation.js';

/** @import {Method} from '../engine/methods.js' */

/**
 * @param {readonly Method[]} methods
 * @param {Method} method
 * @param {(method: string) => void} onChoose
 */
export function methodChoice(methods, method, onChoose) {
  const names = Object.fromEntries(methods.map((each) => [each, words.methods[each].name]));
  return select(words.method, names, method, onChoose);
}

/**
 * Says what a method does, and what it cannot say.
 *
 * @param {Method} method
 * @param {'ofDecoder' | 'ofWritten' | null} [of]  where some methods do something else
 */
export function methodHint(method, of = null) {
  const {does, limit} = (of && words[of][method]) || words.methods[method];
  return html`<p class="hint">${does} ${limit}</p>`;
}

/** A button that starts a method that takes long. @param {number} tokens @param {() => void} onStart */
export const startRow = (tokens, onStart) =>
  html`<div class="row">
    <button type="button" class="primary" @click=${onStart}>${words.start}</button>
    <span class="hint">${words.slow(tokens)}</span>
  </div>`;

/** @param {{status: number, abort: () => void}} task @param {number} progress  from 0 to 1 */
export const progressRow = (task, progress) =>
  task.status === TaskStatus.PENDING && progress > 0
    ? html`<div class="row">
        <progress max="1" .value=${progress}></progress>
        <button type="button" @click=${() => task.abort()}>${words.cancel}</button>
      </div>`
    : nothing;
