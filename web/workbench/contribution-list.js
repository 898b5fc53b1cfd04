import {html} from 'lit';
import {isSigned} from '../attention/contributions.js';
import {explanationStrings as words} from '../strings/explanation.js';
import {formatNumber, formatPercent} from '../views/parts/number-format.js';
import {colourIndex, inkOnRgb, matrixColours} from '../views/parts/weight-colours.js';

/** @import {Method} from '../engine/methods.js' */

/**
 * Contributions as a reader sees them, of tokens or of whole words.
 *
 * @typedef {object} Contributions
 * @property {Method} method
 * @property {string[]} names
 * @property {number[]} amounts
 * @property {boolean[]} special  which ones are special tokens
 * @property {number[]} starts  the first token of each
 * @property {number} [answerBegin]  where the tokens of the model's own answer begin, if some are
 */

/** Writes a contribution. @param {Method} method @param {number} amount */
export function amountOf(method, amount) {
  if (!isSigned(method)) return formatPercent(amount);
  const text = formatNumber(amount, 2);
  return amount > 0 && Number(text) !== 0 ? `+${text}` : text;
}

/**
 * Gives each contribution its colours.
 *
 * @param {Contributions} contributions
 * @param {number} largest  the amount of the strongest colour
 * @param {boolean} dark
 */
export function coloursOf({method, amounts}, largest, dark) {
  const signed = isSigned(method);
  const colours = matrixColours(signed, dark);
  return amounts.map((amount) => {
    const colour = colours[colourIndex(amount, largest, signed)];
    return {ground: `rgb(${colour.join(' ')})`, ink: inkOnRgb(colour)};
  });
}

/** The largest amount without its sign, or 1. @param {readonly Contributions[]} all */
export const largestOf = (all) =>
  Math.max(...all.flatMap(({amounts}) => amounts.map(Math.abs))) || 1;

/**
 * Draws contributions as buttons, each of which pins its token.
 *
 * @param {Contributions} contributions
 * @param {object} how
 * @param {string} how.label
 * @param {number} how.largest  the amount of the strongest colour
 * @param {boolean} how.dark
 * @param {number | null} how.pinned  a token
 * @param {(token: number) => void} how.onPin
 */
export function contributionList(contributions, {label, largest, dark, pinned, onPin}) {
  const {method, names, amounts, starts} = contributions;
  const colours = coloursOf(contributions, largest, dark);
  const isPinned = (/** @type {number} */ at) =>
    pinned !== null && pinned >= starts[at] && pinned < (starts[at + 1] ?? Infinity);
  return html`<ol class="contributions" aria-label=${label}>
    ${names.map((name, at) => {
      const amount = amountOf(method, amounts[at]);
      return html`<li>
        <button
          type="button"
          class="contribution"
          style="--ground: ${colours[at].ground}; --ink: ${colours[at].ink}"
          aria-pressed=${isPinned(at)}
          title=${words.token(name, amount)}
          @click=${() => onPin(starts[at])}
        >
          <bdi>${name}</bdi> <small>${amount}</small>
        </button>
      </li>`;
    })}
  </ol>`;
}
