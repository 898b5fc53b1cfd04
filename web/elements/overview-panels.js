import {html, nothing} from 'lit';
import {strings} from '../strings/index.js';

/** @import {StatisticName} from '../views/head-statistics.js' */

/**
 * The map of all heads, and what colours it.
 *
 * @param {{map: HTMLElement | null, known: readonly StatisticName[]}} overview
 * @param {string} statistic
 * @param {(statistic: StatisticName) => void} choose
 */
export function mapControls({map, known}, statistic, choose) {
  if (!map) return html`<div class="map-controls"></div>`;
  const {title, colour, help} = strings.map;
  return html`<div class="map-controls">
    <div class="map-head">
      <span title=${help}>${title}</span>
      <label class="colour">
        <span>${colour}</span>
        <select
          @change=${(/** @type {Event} */ {target}) =>
            choose(/** @type {StatisticName} */ (/** @type {any} */ (target).value))}
        >
          ${known.map(
            (name) =>
              html`<option value=${name} .selected=${name === statistic}>
                ${strings.analysis.statistics[name].name}
              </option>`,
          )}
        </select>
      </label>
    </div>
    ${map}
  </div>`;
}

/**
 * What the picture shows, in words; a sheet below it on a small screen. `actions` are what can be
 * done to the heads and tokens it speaks of.
 *
 * @param {HTMLElement | null} content
 * @param {unknown} [actions]
 */
export function inspectorPanel(content, actions = nothing) {
  return html`<aside class="inspector" aria-label=${strings.inspector.title}>
    ${content}
    <div class="actions">${actions}</div>
  </aside>`;
}
