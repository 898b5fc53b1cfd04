import {adoptStyles} from '../controls/adopt-styles.js';
import {html} from 'lit';
import {exploreStrings} from '../strings/explore.js';
import style from './headline.css?inline';
import {Headline, subjectOf, tokenAt} from './headline.js';

/** @import {ScopeState} from './layout.js' */
/** @import {ScopeProperties} from './scope-properties.js' */
/** @import {TokenRef} from '../attention/selection.js' */

/** @type {WeakMap<ScopeProperties, Editor>} */
const editors = new WeakMap();

/**
 * What an editable element has above its picture: the sentence as a field, and the headline.
 *
 * @param {ScopeProperties} scope
 * @param {ScopeState} state
 */
export function editor(scope, state) {
  const known = editors.get(scope) ?? new Editor(scope);
  editors.set(scope, known);
  return known.draw(state);
}

class Editor {
  #scope;
  #headline = new Headline();
  /** The token under the pointer or the focus. @type {TokenRef | null} */
  #hovered = null;

  /** @param {ScopeProperties} scope */
  constructor(scope) {
    this.#scope = scope;
    const root = /** @type {ShadowRoot} */ (scope.renderRoot);
    adoptStyles(root, style);
    for (const type of ['pointerover', 'focusin'])
      root.addEventListener(type, ({target}) => this.#hover(tokenAt(target)));
    for (const type of ['pointerout', 'focusout'])
      root.addEventListener(type, () => this.#hover(null));
  }

  /** @param {ScopeState} state */
  draw(state) {
    const scope = this.#scope;
    return html`<div class="editor">
      <textarea
        rows="1"
        aria-label=${exploreStrings.sentence}
        .value=${scope.text}
        @input=${(/** @type {Event} */ {target}) => (scope.text = /** @type {HTMLTextAreaElement} */ (target).value)}
      ></textarea>
      <div class="headline">
        <div>${this.#headline.draw(subjectOf(scope, state, this.#hovered))}</div>
      </div>
    </div>`;
  }

  /** @param {TokenRef | null} token */
  #hover(token) {
    if (JSON.stringify(token) === JSON.stringify(this.#hovered)) return;
    this.#hovered = token;
    this.#scope.requestUpdate();
  }
}
