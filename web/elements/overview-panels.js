import {html, nothing} from 'lit';
import {strings} from '../strings/index.js';
import {segment} from './scope-controls.js';

/** @import {Side} from './sides.js' */
/** @import {ReaderChoice} from './reader-choice.js' */
/** @import {StatisticName} from '../views/head-statistics.js' */

/**
 * The map of all heads, and what colours it.
 *
 * @param {{map: HTMLElement | null, known: readonly StatisticName[]}} overview
 * @param {object} state
 * @param {string} state.view
 * @param {string} state.statistic
 * @param {number[]} state.onlyLayers
 * @param {number[]} state.onlyHeads
 * @param {number} state.layers  the rows of the map: there is room for it before it is there
 * @param {{sides: Side[], speaker: Side} | null} state.compared
 * @param {object} actions
 * @param {(choice: ReaderChoice) => void} actions.choose
 * @param {(isKept: boolean) => void} actions.speakOf  of two, what was kept or what is here now
 */
export function mapControls(
  {map, known},
  {view, statistic, onlyLayers, onlyHeads, layers, compared},
  {choose, speakOf},
) {
  if (!map) return html`<div class="map-controls" style="--layers: ${layers}"></div>`;
  const {title, colour, help, showAll} = strings.map;
  const isPart = onlyLayers.length + onlyHeads.length > 0;
  return html`<div class="map-controls">
    <div class="map-head">
      <span>${title}</span>
      <label class="colour">
        <span>${colour}</span>
        <select
          class="framed"
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
    ${compared ? speakerChoice(compared, speakOf) : nothing} ${map}
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
 * Which of two sides the map and the inspector speak of; one that lacks what is chosen cannot.
 *
 * @param {{sides: Side[], speaker: Side}} compared
 * @param {(isKept: boolean) => void} speakOf
 */
function speakerChoice({sides, speaker}, speakOf) {
  return html`<div class="speaker">
    <span id="speaker-label">${strings.compare.speaker}</span>
    <div class="cells" role="radiogroup" aria-labelledby="speaker-label">
      ${sides.map((side, at) =>
        segment(
          'speaker',
          side.name,
          side === speaker,
          () => speakOf(at === 0),
          strings.text.sentences(side.said) || side.name,
          side.lacks && side !== speaker,
        ),
      )}
    </div>
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
