import {adoptStyles} from '../controls/adopt-styles.js';
import {leaveFullScreen} from '../controls/full-screen.js';
import barStyle from '../controls/presentation.css?inline';
import {followPresenter, presentationBar} from '../controls/presentation.js';
import {html, nothing} from 'lit';
import {live} from 'lit/directives/live.js';
import {mostCharacters} from './address.js';
import {pageStrings} from '../strings/page.js';
import style from './explore-presented.css?inline';

/** @import {Direction} from '../controls/presentation.js' */
/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {FindingGuide} from './finding-guide.js' */

const {present: words} = pageStrings;

/**
 * Presents one picture after another to an audience: the opened files while one of them is shown, and otherwise what was
 * found in the text.
 */
export class Presenter {
  #scope;
  #guide;

  /** @param {BertScope} scope @param {FindingGuide} guide */
  constructor(scope, guide) {
    this.#scope = scope;
    this.#guide = guide;
    adoptStyles(/** @type {ShadowRoot} */ (scope.renderRoot), barStyle, style);
    followPresenter({
      isOn: () => scope.present && scope.checkVisibility(),
      go: (by) => this.go(by),
      end: () => this.end(),
    });
  }

  /** The bar below the picture. */
  get bar() {
    const {at, count} = this.#place;
    const position = count > 1 && at >= 0 ? words.position(at + 1, count) : '';
    const actions = {go: (/** @type {Direction} */ by) => this.go(by), end: () => this.end()};
    return presentationBar(words, position, actions, this.#sentence);
  }

  /** A field for a sentence of the audience; there is none for a file or for two sentences. */
  get #sentence() {
    const {files, file, text, textPair} = this.#scope;
    if (files.has(file) || textPair) return nothing;
    const field = (/** @type {Event} */ {target}) => /** @type {HTMLInputElement} */ (target);
    return html`<input
      type="text"
      dir="auto"
      autocomplete="off"
      spellcheck="false"
      maxlength=${mostCharacters}
      aria-label=${pageStrings.page.sentence}
      .value=${live(text)}
      @input=${(/** @type {Event} */ event) => this.#scope.change({text: field(event).value})}
      @keydown=${(/** @type {KeyboardEvent} */ event) => {
        // The next keys are the presenter's.
        if (/^(Enter|Escape)$/.test(event.key) && !event.isComposing) field(event).blur();
      }}
    />`;
  }

  end() {
    leaveFullScreen();
    this.#scope.change({present: false});
  }

  /** @param {Direction} by */
  go(by) {
    const {files} = this.#scope;
    const {at, count} = this.#place;
    if (!files.has(this.#scope.file)) this.#guide.go(by);
    else this.#scope.change({file: [...files.keys()][(at + by + count) % count]});
  }

  /** Which of the pictures is shown, and how many there are; -1: none of them. */
  get #place() {
    const {files, file, result} = this.#scope;
    const names = [...files.keys()];
    if (files.has(file)) return {at: names.indexOf(file), count: names.length};
    return result ? {at: this.#guide.at, count: this.#guide.list.length} : {at: -1, count: 0};
  }
}
