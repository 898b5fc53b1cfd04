import {html, nothing, svg} from 'lit';
import {formatNumber} from '../../views/parts/number-format.js';
import {frameText} from '../lesson-text.js';

/**
 * @typedef {object} Line
 * @property {string} name
 * @property {readonly number[]} values  at equal distances from the left end to the right
 * @property {boolean} chosen
 *
 * @typedef {object} Chart
 * @property {string} label
 * @property {{label: string, from: number, to: number}} x
 * @property {{label: string, from?: number}} y
 * @property {readonly Line[]} lines
 */

/** The size in the units of its view box: the chart is scaled to the width of its container. */
const width = 480;
const height = 240;
const margin = {left: 44, right: 12, top: 28, bottom: 36};

/**
 * Draws lines over a common axis, with a table of their numbers below.
 *
 * @param {Chart} chart
 */
export function lineChart({label, x, y, lines}) {
  const all = lines.flatMap(({values}) => values);
  const low = Math.min(y.from ?? Infinity, ...all);
  const high = Math.max(...all);
  const across = scale([x.from, x.to], [margin.left, width - margin.right]);
  const up = scale([low, high], [height - margin.bottom, margin.top]);
  const at = (/** @type {number} */ i, /** @type {number} */ count) =>
    x.from + ((x.to - x.from) * i) / (count - 1);
  const path = (/** @type {readonly number[]} */ values) =>
    values
      .map((value, i) => `${across(at(i, values.length)).toFixed(1)},${up(value).toFixed(1)}`)
      .join(' ');
  return html`<figure class="chart">
    <figcaption>
      <span class="name">${label}</span>
      ${
        lines.length > 1
          ? lines.map(
              ({name, chosen}) => html`<span class="key ${chosen ? 'chosen' : ''}">${name}</span>`,
            )
          : nothing
      }
    </figcaption>
    <svg viewBox="0 0 ${width} ${height}" role="img" aria-label=${label}>
      ${ticks(low, high).map(
        (tick) =>
          svg`<line class="grid" x1=${margin.left} x2=${width - margin.right} y1=${up(tick)} y2=${up(tick)} />
            <text x=${margin.left - 6} y=${up(tick)} dy="0.32em" text-anchor="end">${formatNumber(tick, Number.isInteger(tick) ? 0 : 1)}</text>`,
      )}
      ${ticks(x.from, x.to).map(
        (tick) =>
          svg`<text x=${across(tick)} y=${height - margin.bottom + 16} text-anchor="middle">${formatNumber(tick, 0)}</text>`,
      )}
      <text class="axis" x=${width - margin.right} y=${height - 4} text-anchor="end">
        ${x.label}
      </text>
      <text class="axis" x="4" y="8" dy="0.32em">${y.label}</text>
      ${lines.map(
        ({values, chosen}) =>
          svg`<polyline class=${chosen ? 'chosen' : ''} points=${path(values)} />`,
      )}
    </svg>
    <details>
      <summary>${frameText.numbers}</summary>
      <tensor-block
        label=${label}
        numbers
        .tensor=${{
          shape: [lines[0].values.length, lines.length],
          data: Float32Array.from(
            lines[0].values.flatMap((_, i) => lines.map((line) => line.values[i])),
          ),
        }}
        .axes=${[x.label, y.label]}
        .rows=${lines[0].values.map((_, i) => formatNumber(at(i, lines[0].values.length), 1))}
        .columns=${lines.map(({name}) => name)}
      ></tensor-block>
    </details>
  </figure>`;
}

/**
 * @param {[number, number]} from
 * @param {[number, number]} to
 */
function scale(from, to) {
  return (/** @type {number} */ value) =>
    to[0] + ((value - from[0]) / (from[1] - from[0] || 1)) * (to[1] - to[0]);
}

/**
 * About four to eight round numbers between two others.
 *
 * @param {number} from
 * @param {number} to
 */
export function ticks(from, to) {
  const rough = (to - from || 1) / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((times) => times * power >= rough) ?? 10);
  const first = Math.ceil(from / step - 1e-9);
  const count = Math.floor(to / step + 1e-9) - first + 1;
  return Array.from({length: count}, (_, i) => (first + i) * step);
}
