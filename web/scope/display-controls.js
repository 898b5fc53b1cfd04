import {html, nothing} from 'lit';
import {checkbox, select, slider} from '../controls/fields.js';
import {strings} from '../strings/index.js';

/** @import {Display} from '../attention/display.js' */
/** @import {ViewKind} from '../views/view-kinds.js' */

const {display: words} = strings;

/**
 * The controls of the display: words, special tokens, the strongest share. A plain view has none of these,
 * because it shows the numbers of the model.
 *
 * @param {Display & {large: boolean, kind: ViewKind, isOpen: boolean}} state
 * @param {(changed: Partial<Display & {large: boolean, noSpecialTokens: boolean}>) => void} choose
 * @param {unknown} measure  the choice of the measure
 * @param {unknown} more  more controls, which come last
 */
export function displayControls(state, choose, measure, more) {
  const {isPlain, hasGrid, hasScale} = state.kind;
  const percent = Math.round(state.strongest * 100);
  const large = checkbox(words.large, state.large, (on) => choose({large: on}));
  return html`<details class="display" ?open=${state.isOpen}>
    <summary>${words.title}</summary>
    ${
      isPlain
        ? html`<p>${words.neuron}</p>`
        : html`${measure}
          ${checkbox(words.words, state.words, (on) => choose({words: on}), words.wordsRule)}
          ${
            hasGrid
              ? nothing
              : checkbox(words.meanLayers, state.meanLayers === 'all', (on) =>
                  choose({meanLayers: on ? 'all' : []}),
                )
          }
          ${
            hasScale
              ? checkbox(words.fullScale, state.fullScale, (on) => choose({fullScale: on}))
              : nothing
          }
          ${select(words.special, words.specialChoices, state.special, (special) =>
            choose({special, noSpecialTokens: false}),
          )}
          ${slider(
            words.strongest(percent),
            {min: 10, max: 100, step: 5, value: percent},
            (value) => choose({strongest: value / 100}),
          )}`
    }
    ${large} ${more}
  </details>`;
}
