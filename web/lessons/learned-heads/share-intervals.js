import {html, nothing} from 'lit';
import {formatPercent} from '../../views/parts/number-format.js';

/** @import {RelationScore} from '../../engine/syntax/relation-counts.js' */

/**
 * How often the best head of each relation finds it, with its interval if enough sentences have it, beside the best fixed
 * distance.
 *
 * @param {Record<string, any>} labels
 * @param {readonly {name: string, score: Pick<RelationScore, 'best' | 'position'>, isBetter: boolean}[]} rows
 */
export const shareIntervals = (labels, rows) =>
  html`<table class="intervals">
    <caption>
      ${labels.caption}
    </caption>
    <thead>
      <tr>
        <th scope="col">${labels.columns.finds}</th>
        <th scope="col">${labels.columns.head}</th>
        <td class="track" aria-hidden="true"></td>
        <th scope="col" class="number">${labels.columns.share}</th>
        <th scope="col" class="number">${labels.columns.distance}</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(({name, score: {best, position}, isBetter}) => {
        const hasInterval = !best.interval.some(Number.isNaN);
        const [low, high] = best.interval.map(formatPercent);
        return html`<tr class=${isBetter ? 'better' : ''}>
          <th scope="row">${name}</th>
          <td>${best.layer}.${best.head}</td>
          <td class="track" aria-hidden="true">
            <div style=${placesOf(best, position.share)}>
              ${hasInterval ? html`<span class="interval"></span>` : nothing}<span
                class="distance"
              ></span>
              <span class="share"></span>
            </div>
          </td>
          <td class="number">
            ${formatPercent(best.share)}
            <small>${hasInterval ? labels.interval(low, high) : nothing}</small>
          </td>
          <td class="number">${formatPercent(position.share)}</td>
        </tr>`;
      })}
    </tbody>
  </table>`;

/** @param {RelationScore['best']} best @param {number} distance */
function placesOf({share, interval}, distance) {
  const [low, high] = interval.map((end) => (Number.isNaN(end) ? share : end));
  const percent = (/** @type {number} */ value) => `${(100 * value).toFixed(1)}%`;
  return `--low: ${percent(low)}; --wide: ${percent(high - low)}; --share: ${percent(share)}; --distance: ${percent(distance)}`;
}
