import {shorten} from '../engine/json.js';
import {isUnknown} from '../attention/unknown-token.js';
import {strings} from '../strings/index.js';
import {panelStrings} from '../strings/panels.js';
import {find} from './find-element.js';

/** @import {BertScope} from '../scope/bert-scope.js' */

const {unreadable: words} = panelStrings;

/** The largest number of pieces of text that are named. */
const most = 8;

/**
 * Says above the picture which pieces of the text have no token of their own. If they are most of the text, it offers to
 * choose another model.
 */
export class UnreadableBanner {
  #scope;
  #banner = find('unreadable', HTMLParagraphElement);
  #text = find('unreadable-text', HTMLSpanElement);
  #button = find('unreadable-model', HTMLButtonElement);

  /** @param {BertScope} scope @param {() => void} chooseModel */
  constructor(scope, chooseModel) {
    this.#scope = scope;
    this.#button.textContent = words.other;
    this.#button.addEventListener('click', chooseModel);
    for (const event of ['result', 'change']) scope.addEventListener(event, () => this.#show());
    this.#show();
  }

  #show() {
    const {result, file} = this.#scope;
    const unknown = (file ? [] : (result?.tokens ?? [])).flatMap((token, at) =>
      isUnknown(token) && !result?.specialTokens[at] ? at : [],
    );
    this.#banner.hidden = unknown.length === 0;
    if (!result || unknown.length === 0) return;
    const all = result.specialTokens.filter((isSpecial) => !isSpecial).length;
    const isUnreadable = unknown.length > all / 2;
    const pieces = unknown.flatMap((at) => {
      const place = result.offsets[at];
      const sentence = result.sentences[at] === 1 ? result.pair : result.text;
      return place ? sentence.slice(...place) : [];
    });
    const named = [...new Set(pieces)];
    const shown = [...named.slice(0, most).map((piece) => words.quoted(shorten(piece)))];
    if (named.length > most) shown.push('…');
    this.#text.textContent = strings.text.sentences([
      ...(isUnreadable ? [words.says(unknown.length, all)] : []),
      ...(shown.length
        ? [words.standsFor(result.tokens[unknown[0]], shown.join(strings.text.comma))]
        : []),
    ]);
    this.#button.hidden = !isUnreadable;
  }
}
