import {html, nothing} from 'lit';
import {strings} from '../strings/index.js';

/** @import {ReaderChoice} from './reader-choice.js' */
/** @import {StatisticName} from '../views/head-statistics.js' */

/**
 * The map of all heads, and what colours it.
 *
 * @param {{map: HTMLElement | null, known: readonly StatisticName[]}} overview
 * @param {{view: string, statistic: string, onlyLayers: number[], onlyHeads: number[]}} state
 * @param {(choice: ReaderChoice) => void} choose
 */
export function mapControls({map, known}, {view, statistic, onlyLayers, onlyHeads}, choose) {
  if (!map) return html`<div class="map-controls"></div>`;
  const {title, colour, help, showAll} = strings.map;
  const isPart = onlyLayers.length + onlyHeads.length > 0;
  return html`<div class="map-controls">
    <div class="map-head">
      <span>${title}</span>
      <label class="colour">
        <span>${colour}</span>
        <select
          @change=${(/** @type {Event} */ {target}) =>
            choose({statistic: /** @type {any} */ (target).value})}
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
    <p class="map-help">
      ${view === 'model' ? help.model : help.several}
      ${
        view === 'model' && isPart
          ? html`<button type="button" @click=${() => choose({onlyLayers: [], onlyHeads: []})}>
              ${showAll}
            </button>`
          : nothing
      }
    </p>
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
