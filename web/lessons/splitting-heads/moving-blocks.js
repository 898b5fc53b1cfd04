import {html} from 'lit';
import {headColour} from '../../views/parts/head-colours.js';
import {formatNumber} from '../../views/parts/number-format.js';

/**
 * A layout of the numbers of `[tokens, heads · d_k]`: together; split into heads; or wrong, which is the
 * order of memory cut into the new shape without exchanging the axes.
 *
 * @typedef {'together' | 'split' | 'wrong'} Way
 *
 * @typedef {object} Blocks
 * @property {readonly string[]} tokens
 * @property {number} heads
 * @property {number} size  d_k
 * @property {Float32Array} data  [tokens, heads · d_k]
 * @property {Float32Array} order  [heads, tokens, d_k]: the index in `data` of each number after the split
 */

/** The width and height of a cell, and the space between blocks. */
const gap = 0.6;
/** The space for the names of tokens. */
const names = 2;

/**
 * @param {Blocks} blocks
 * @param {Way} way
 * @param {{dark: boolean, head: (head: number) => string}} options
 */
export function movingBlocks({tokens, heads, size, data, order}, way, {dark, head}) {
  const count = tokens.length;
  const width = heads * size;
  // The split layout has two blocks side by side.
  const across = way === 'together' ? 1 : 2;
  const blockHeight = count + gap + 0.9;
  const blockAt = (/** @type {number} */ block) => ({
    x: names + (block % across) * (size + gap + names),
    y: 0.9 + Math.floor(block / across) * blockHeight,
  });
  /** @type {Map<number, number>} */
  const places = new Map();
  order.forEach((from, to) => places.set(from, to));
  const placeOf = (/** @type {number} */ from) => {
    if (way === 'together') return {x: names + (from % width), y: 0.9 + Math.floor(from / width)};
    const to = way === 'split' ? (places.get(from) ?? 0) : from;
    const {x, y} = blockAt(Math.floor(to / (count * size)));
    return {x: x + (to % size), y: y + (Math.floor(to / size) % count)};
  };
  const blockCount = way === 'together' ? 1 : heads;
  const columns = way === 'together' ? names + width : 2 * (names + size) + gap;
  const rows = 0.9 + Math.ceil(blockCount / across) * blockHeight;
  const at = (/** @type {{x: number, y: number}} */ {x, y}) =>
    `transform: translate(calc(${x} * var(--cell)), calc(${y} * var(--row)))`;
  return html`<div
    class="moving"
    style="--columns: ${columns}; --rows: ${rows}; height: calc(${rows} * var(--row)); --cells: ${columns}"
    aria-hidden="true"
  >
    ${Array.from(
      {length: blockCount},
      (_, block) => html`
        ${tokens.map((token, row) => {
          const {x, y} = blockAt(block);
          return html`<span class="row-name" style=${at({x: x - names, y: y + row})}
            ><bdi>${token}</bdi></span
          >`;
        })}
      `,
    )}
    ${Array.from({length: heads}, (_, block) => {
      const {x, y} = way === 'together' ? {x: names + block * size, y: 0.9} : blockAt(block);
      return html`<span class="head-name" style=${at({x, y: y - 0.9})}>${head(block)}</span>`;
    })}
    ${Array.from(data, (value, from) => {
      const hue = headColour(Math.floor((from % width) / size), dark);
      return html`<span class="cell" style="${at(placeOf(from))}; --hue: ${hue}"
        >${formatNumber(value, 1)}</span
      >`;
    })}
  </div>`;
}
