import {html, nothing} from 'lit';
import {fileName, save} from '../../export/download.js';
import {tensorsNpz} from '../../export/tensor-files.js';
import {frameText} from '../lesson-text.js';
import {copyButton} from './copy-button.js';
import {preambleOf} from './same-numbers.js';

/** @import {Choices, Step} from '../step.js' */
/** @import {Tensor} from './tensor.js' */

/**
 * The PyTorch code of a step for what the reader has typed and chosen.
 *
 * @typedef {object} Program
 * @property {string} preamble  what has to stand before the code
 * @property {string} code
 * @property {Record<string, Tensor>} arrays  tensors that the code reads
 * @property {Record<string, Tensor>} results  tensors that it computes, as the step has them
 *
 * @param {Step} step
 * @param {unknown} data
 * @param {Choices} choices
 * @param {readonly string[]} sentences
 * @returns {Program | null}  null for a step without code
 */
export function programOf({code: written, arrays, results}, data, choices, sentences) {
  if (!written) return null;
  const code = (typeof written === 'string' ? written : written(data, choices, sentences)).trim();
  return {
    preamble: preambleOf(code, !results),
    code,
    arrays: arrays?.(data) ?? {},
    results: results?.(data) ?? {},
  };
}

/** @param {Program | null} program */
export function stepProgram(program) {
  if (!program) return nothing;
  const {preamble, code, arrays, results} = program;
  const words = frameText.program;
  const saveTensors = () =>
    save(
      fileName(['step'], 'npz'),
      new Blob([new Uint8Array(tensorsNpz({...arrays, ...results}))]),
    );
  return html`<details class="code">
    <summary>${frameText.code}</summary>
    <p class="actions">
      ${copyButton(words.copy, () => `${preamble}\n\n\n${code}\n`)}
      ${
        Object.keys({...arrays, ...results}).length
          ? html`<button type="button" @click=${saveTensors}>${words.save}</button>`
          : nothing
      }
    </p>
    ${Object.keys(arrays).length ? html`<p>${words.reads(fileName(['step'], 'npz'))}</p>` : nothing}
    <pre tabindex="0"><code>${code}</code></pre>
    <details>
      <summary>${words.preamble}</summary>
      <pre tabindex="0"><code>${preamble}</code></pre>
    </details>
  </details>`;
}
