import {html, nothing} from 'lit';
import {formatNumber} from '../../views/parts/number-format.js';
import {formatPower} from './printed-number.js';
import {opacityOf} from '../../views/parts/number-opacity.js';
import {typicalSize} from '../../attention/head-arithmetic.js';
import {range} from '../../attention/range.js';
import {formatInfinite, rowsOf} from './tensor.js';
import {frameText} from '../lesson-text.js';

/** @import {TensorBlock} from './tensor-block.js' */
/** @import {Tensor} from './tensor.js' */

/** With more columns, the numbers are printed in small type; with more rows, these stand close together. */
const densest = 12;
/** With at most this many columns, their names are horizontal. */
const fewest = 8;

/** With more columns, a table in front of an audience prints at most two digits after the point. */
const widestPresented = 16;

const isPresented = () => document.documentElement.hasAttribute('data-present');

/**
 * A matrix as a table of coloured numbers.
 *
 * @param {TensorBlock} block
 * @param {Tensor} tensor  of two axes, or of more of which all but the last two have length 1
 */
export function tensorTable(block, tensor) {
  const {label, rows, columns, scientific, sums} = block;
  const {data, shape} = tensor;
  const [height, width] = shape.slice(-2);
  const digits =
    width > widestPresented && isPresented() ? Math.min(2, block.digits) : block.digits;
  const print = (/** @type {number} */ value) =>
    scientific ? formatPower(value, digits) : formatNumber(value, digits);
  const finite = data.filter(Number.isFinite);
  const typical = typicalSize(finite);
  const cell = (/** @type {number} */ index) => cellOf(block, data[index], {index, typical, print});
  const sum = (
    /** @type {number} */ start,
    /** @type {number} */ step,
    /** @type {number} */ count,
  ) => {
    let total = 0;
    for (let i = 0; i < count; i++) total += data[start + i * step];
    return html`<td class="sum">${formatNumber(total, digits)}</td>`;
  };
  const names = rowsOf(rows, 0);
  const places = range(width);
  const longest = Math.max(...Array.from(finite, (value) => print(value).length), digits + 2);
  return html`<table class=${densityOf(width, height)} style="--longest: ${longest}">
    <caption class="visually-hidden">
      ${label}
    </caption>
    ${
      columns.length
        ? headOf(
            places.map((j) => columns[j]),
            Boolean(sums.rows),
          )
        : nothing
    }
    <tbody>
      ${range(height).map(
        (i) =>
          html`<tr>
            <th scope="row"><bdi>${names[i] ?? i}</bdi></th>
            ${places.map((j) => cell(i * width + j))}
            ${sums.rows ? sum(i * width, 1, width) : nothing}
          </tr>`,
      )}
      ${
        sums.columns
          ? html`<tr class="sums">
              <th scope="row" class="sum">${frameText.tensor.sum}</th>
              ${places.map((j) => sum(j, width, height))}
              ${sums.rows ? html`<td class="sum"></td>` : nothing}
            </tr>`
          : nothing
      }
    </tbody>
  </table>`;
}

/** How close together the numbers of a table stand. @param {number} width @param {number} height */
function densityOf(width, height) {
  const ofColumns = width > densest ? 'dense' : width <= fewest ? 'few' : '';
  return `${ofColumns} ${height > densest ? 'tall' : ''}`.trim();
}

/** @param {readonly string[]} columns @param {boolean} hasSums */
const headOf = (columns, hasSums) =>
  html`<thead>
    <tr>
      <td class="corner"></td>
      ${columns.map((name) => html`<th scope="col"><bdi>${name}</bdi></th>`)}
      ${hasSums ? html`<th scope="col" class="sum">${frameText.tensor.sum}</th>` : nothing}
    </tr>
  </thead>`;

/**
 * @param {TensorBlock} block
 * @param {number} value
 * @param {{index: number, typical: number, print: (value: number) => string}} place  where the value stands, and the size
 *   of a typical one
 */
function cellOf({kind, cursor, marked}, value, {index, typical, print}) {
  const isFinite = Number.isFinite(value);
  const share = kind === 'weights' ? Math.sqrt(value) : opacityOf(value, typical * 1.5);
  const classes = [
    isFinite ? (value < 0 ? 'negative' : 'positive') : 'infinite',
    index === cursor ? 'on' : '',
    marked(index) ? 'marked' : '',
  ];
  return html`<td
    class=${classes.join(' ').trim()}
    data-cell=${index}
    style="--share: ${isFinite ? (share * 100).toFixed(1) : 0}%"
  >
    ${isFinite ? print(value) : formatInfinite(value)}
  </td>`;
}
