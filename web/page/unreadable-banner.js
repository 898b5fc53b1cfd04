import {unknownPieces} from '../attention/unknown-token.js';
import {unknownLine} from '../attention/unknown-line.js';
import {strings} from '../strings/index.js';
import {panelStrings} from '../strings/panels.js';
import {find} from './find-element.js';

/** @import {BertScope} from '../scope/bert-scope.js' */

const {unreadable: words} = panelStrings;

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
    const unknown = result && !file ? unknownPieces(result) : null;
    this.#banner.hidden = !unknown?.count;
    if (!result || !unknown?.count) return;
    const all = result.specialTokens.filter((isSpecial) => !isSpecial).length;
    const isUnreadable = unknown.count > all / 2;
    this.#text.textContent = strings.text.sentences([
      ...(isUnreadable ? [words.says(unknown.count, all)] : []),
      ...unknownLine(unknown),
    ]);
    this.#button.hidden = !isUnreadable;
  }
}
