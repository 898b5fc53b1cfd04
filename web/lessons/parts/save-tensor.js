import {html} from 'lit';
import {fileName, save} from '../../export/download.js';
import {tensorCsv, tensorNpz} from '../../export/tensor-files.js';
import {frameText} from '../lesson-text.js';
import {copyButton} from './copy-button.js';
import {rowsOf} from './tensor.js';

/** @import {TensorBlock} from './tensor-block.js' */

/**
 * Buttons that copy a tensor, or save it as a file.
 *
 * @param {TensorBlock} block
 */
export function saveMenu(block) {
  const {label} = block;
  const words = frameText.tensor;
  const saved = (/** @type {string} */ extension, /** @type {() => BlobPart} */ content) =>
    save(fileName([label], extension), new Blob([content()]));
  return html`<details class="save">
    <summary aria-label=${words.save(label)} title=${words.save(label)}>⤓</summary>
    ${copyButton(words.copy, () => tensorCsv(named(block)), 'bare')}
    <button type="button" class="bare" @click=${() => saved('csv', () => tensorCsv(named(block)))}>
      CSV
    </button>
    <button
      type="button"
      class="bare"
      @click=${() => saved('npz', () => new Uint8Array(tensorNpz(label, named(block))))}
    >
      NPZ
    </button>
  </details>`;
}

/** The tensor of a block with the names that the block shows. @param {TensorBlock} block */
function named({tensor, axes, rows, columns}) {
  const {shape, data} = /** @type {NonNullable<typeof tensor>} */ (tensor);
  const height = shape.at(-2) ?? 1;
  const blocks = data.length / (height * (shape.at(-1) ?? 1));
  const nameOf = (/** @type {number} */ row) =>
    rowsOf(rows, Math.floor(row / height), blocks)[row % height] ?? '';
  return {shape, data, axes, nameOf, columns};
}
