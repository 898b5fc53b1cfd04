import {html, nothing, render} from 'lit';
import {adoptStyles} from '../controls/adopt-styles.js';
import {segment} from '../controls/fields.js';
import {originOf} from '../session/pass-origin.js';
import {pageAddresses} from '../session/page-access.js';
import {namesSnapshot} from '../session/source-address.js';
import {strings} from '../strings/index.js';
import {pageStrings} from '../strings/page.js';
import {firstOf, mostCharacters} from './address.js';
import {find} from './find-element.js';
import pictureStyle from './compared-explore.css?inline';
import style from './compared-sentence.css?inline';

/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {BaselineOrigin} from '../session/pass-origin.js' */

const {compare: words} = strings;

/**
 * Keeps the picture, and shows where that of the text that is written next differs from it.
 *
 * @param {BertScope} scope
 * @param {HTMLTextAreaElement} field  of that text
 */
export function compareText(scope, field) {
  const {text, textPair, src, ids, file, interventions} = scope;
  const kept = originOf({text, textPair, src, ids, file, interventions});
  scope.change({compare: {...kept, mode: 'difference'}});
  field.select();
}

/** The sentence that the other one is compared with, as a field beside it, and the buttons of the comparison. */
export class ComparedSentence {
  #scope;
  #place = document.createElement('div');

  /** @param {BertScope} scope */
  constructor(scope) {
    this.#scope = scope;
    this.#place.className = 'sentence';
    this.#place.id = 'before';
    this.#place.hidden = true;
    adoptStyles(document, style);
    adoptStyles(/** @type {ShadowRoot} */ (scope.renderRoot), pictureStyle);
    find('sentences', HTMLFormElement).prepend(this.#place);
  }

  /** Shows what the element compares with; nothing where that is its own text in the unchanged model. */
  follow() {
    const {compare, contrast, panel} = this.#scope;
    const isShown = compare !== null && !contrast;
    this.#place.hidden = !isShown;
    if (!isShown) return;
    const isText = !compare.file && !namesSnapshot(compare.src, pageAddresses);
    const isDense = panel === 'all';
    render(
      html`${
        isText
          ? html`<label for="before-text">${pageStrings.page.before}</label>`
          : html`<p>${pageStrings.page.before} <bdi>${compare.file || compare.src}</bdi></p>`
      }
      ${isDense ? nothing : this.#buttons(compare)}
      ${isText ? this.#field(compare, 'text') : nothing}
      ${isText && compare.textPair ? this.#field(compare, 'textPair') : nothing}`,
      this.#place,
    );
  }

  /** The researcher view has them in its panel. @param {BaselineOrigin} compare */
  #buttons(compare) {
    return html`<div class="compare" role="group" aria-label=${words.title}>
      <div class="joined" role="radiogroup" aria-label=${words.title}>
        ${
          /** @type {const} */ (['side', 'difference']).map((mode) =>
            segment('compare', words.modes[mode], mode === compare.mode, () =>
              this.#scope.choose({compare: {...compare, mode}}),
            ),
          )
        }
      </div>
      <button type="button" class="bare" @click=${() => this.#scope.choose({compare: null})}>
        ${words.end}
      </button>
    </div>`;
  }

  /**
   * While a field is empty, what it held before stays: without a text there is nothing to compare with.
   *
   * @param {BaselineOrigin} compare
   * @param {'text' | 'textPair'} name
   */
  #field(compare, name) {
    return html`<textarea
      id=${name === 'text' ? 'before-text' : 'before-pair'}
      aria-label=${name === 'text' ? nothing : pageStrings.page.secondSentence}
      dir="auto"
      rows="1"
      maxlength=${mostCharacters}
      autocomplete="off"
      spellcheck="false"
      .value=${compare[name]}
      @input=${(/** @type {Event} */ {target}) => {
        const text = firstOf(/** @type {HTMLTextAreaElement} */ (target).value);
        // The words may be cut otherwise than the tokens that the kept text was run with.
        if (text.trim()) this.#scope.change({compare: {...compare, [name]: text, ids: []}});
      }}
      @keydown=${(/** @type {KeyboardEvent} */ {key, isComposing, target}) => {
        if (key === 'Escape' && !isComposing) /** @type {HTMLElement} */ (target).blur();
      }}
    ></textarea>`;
  }
}
