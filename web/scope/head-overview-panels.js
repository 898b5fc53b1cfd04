import {html, nothing} from 'lit';
import {segment, select} from '../controls/fields.js';
import {strings} from '../strings/index.js';
import {mappedStatistic} from './head-overview-data.js';

/** @import {Comparison} from './comparison.js' */
/** @import {State} from './state-fields.js' */
/** @import {NamedStatistics} from './head-overview-data.js' */

/**
 * The map of all heads, and the choice of the statistic that colours it.
 *
 * @param {{map: HTMLElement | null, known: NamedStatistics}} overview
 * @param {object} state
 * @param {boolean} [state.hasGrid]  whether squares choose what a grid shows
 * @param {string} state.statistic
 * @param {number[]} state.onlyLayers
 * @param {number[]} state.onlyHeads
 * @param {number} state.layers  the rows of the map, which has its place before it is there
 * @param {Comparison | null} state.comparison
 * @param {unknown} [state.choice]  what a page has in place of the choice of the statistic
 * @param {object} actions
 * @param {(choice: Partial<State>) => void} actions.choose
 * @param {(isBaseline: boolean) => void} actions.inspect  chooses which pass of a comparison is inspected
 */
export function mapControls(
  {map, known},
  {hasGrid, statistic, onlyLayers, onlyHeads, layers, comparison, choice},
  {choose, inspect},
) {
  if (!map) return html`<div class="map-controls" style="--layers: ${layers}"></div>`;
  const {title, colour, help, showAll} = strings.map;
  const isPart = onlyLayers.length + onlyHeads.length > 0;
  return html`<div class="map-controls">
    <div class="map-head">
      <span>${title}</span>
      ${choice || select(colour, known, mappedStatistic(known, statistic), (chosen) => choose({statistic: chosen}))}
    </div>
    ${comparison ? inspectedChoice(comparison, inspect) : nothing} ${map}
    <p class="map-help">
      ${hasGrid ? help.model : help.several}
      ${
        hasGrid && isPart
          ? html`<button
              type="button"
              class="bare"
              @click=${() => choose({onlyLayers: [], onlyHeads: []})}
            >
              ${showAll}
            </button>`
          : nothing
      }
    </p>
  </div>`;
}

/**
 * The choice of the pass that the map and the inspector describe. A pass without the chosen heads is disabled.
 *
 * @param {Comparison} comparison
 * @param {(isBaseline: boolean) => void} inspect
 */
export function inspectedChoice({passes, inspected}, inspect) {
  return html`<div class="inspected-pass">
    <span id="inspected-pass-label">${strings.compare.inspected}</span>
    <div class="cells" role="radiogroup" aria-labelledby="inspected-pass-label">
      ${passes.map((pass, at) =>
        segment(
          'inspected',
          pass.name,
          pass === inspected,
          () => inspect(at === 0),
          strings.text.sentences(pass.missing) || pass.name,
          pass.lacksChosen && pass !== inspected,
        ),
      )}
    </div>
  </div>`;
}

/**
 * The panel that says in words what the picture shows. On a small screen it is a sheet at the lower edge. `actions`
 * are buttons for the heads and the token in the picture.
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
