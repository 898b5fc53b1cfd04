import {html, nothing} from 'lit';
import {segment} from '../controls/fields.js';
import {strings} from '../strings/index.js';

/** @import {BaselineOrigin, CompareMode} from '../session/pass-origin.js' */

const {compare: words} = strings;

/**
 * The buttons that keep a picture, and compare the next one with it.
 *
 * @param {BaselineOrigin | null} baseline
 * @param {string} name  the name of the kept picture
 * @param {{keep: () => void, choose: (mode: CompareMode) => void, end: () => void}} actions
 */
export function compareControls(baseline, name, {keep, choose, end}) {
  if (!baseline) {
    return html`<div class="compare">
      <button type="button" title=${words.help} @click=${keep}>${words.keep}</button>
    </div>`;
  }
  return html`<div class="compare" role="group" aria-labelledby="compare-label">
    <span id="compare-label">${words.title}</span>
    <p title=${baseline.file ? words.link : nothing}>${words.kept} <bdi>${name}</bdi></p>
    <div class="cells" role="radiogroup" aria-label=${words.title}>
      ${
        /** @type {const} */ (['side', 'difference']).map((mode) =>
          segment('compare', words.modes[mode], mode === baseline.mode, () => choose(mode)),
        )
      }
      <button type="button" @click=${end}>${words.end}</button>
    </div>
  </div>`;
}
