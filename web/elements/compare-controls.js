import {html} from 'lit';
import {strings} from '../strings/index.js';
import {segment} from './scope-controls.js';

/** @import {Pass} from './passes.js' */
/** @import {CompareMode} from './picture.js' */

const {compare: words} = strings;

/**
 * Keeping a picture to hold the next one against.
 *
 * @param {{pass: Pass, mode: CompareMode} | null} kept
 * @param {{keep: () => void, choose: (mode: CompareMode) => void, end: () => void}} actions
 */
export function compareControls(kept, {keep, choose, end}) {
  if (!kept) {
    return html`<div class="compare">
      <button type="button" class="all" title=${words.help} @click=${keep}>${words.keep}</button>
    </div>`;
  }
  return html`<div class="compare" role="group" aria-labelledby="compare-label">
    <span id="compare-label">${words.title}</span>
    <p title=${words.link}>${words.kept} <bdi>${kept.pass.name}</bdi></p>
    <div class="cells" role="radiogroup" aria-label=${words.title}>
      ${
        /** @type {const} */ (['side', 'difference']).map((mode) =>
          segment('compare', words.modes[mode], mode === kept.mode, () => choose(mode)),
        )
      }
      <button type="button" class="all" @click=${end}>${words.end}</button>
    </div>
  </div>`;
}
