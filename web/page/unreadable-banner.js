import {pageStrings} from '../strings/page.js';
import {find} from './find-element.js';

/** @import {BertScope} from '../scope/bert-scope.js' */

const {unreadable: words} = pageStrings;

/** Says above the picture that the model cannot read most of the text, and offers to choose another model. */
export class UnreadableBanner {
  #scope;
  #banner = find('unreadable', HTMLParagraphElement);
  #text = find('unreadable-text', HTMLSpanElement);

  /** @param {BertScope} scope @param {() => void} chooseModel */
  constructor(scope, chooseModel) {
    this.#scope = scope;
    const button = find('unreadable-model', HTMLButtonElement);
    button.textContent = words.other;
    button.addEventListener('click', chooseModel);
    for (const event of ['result', 'change']) scope.addEventListener(event, () => this.#show());
    this.#show();
  }

  #show() {
    const {result, file} = this.#scope;
    const tokens = result?.tokens.filter((_, at) => !result.specialTokens[at]) ?? [];
    const unknown = tokens.filter((token) => /^(\[UNK\]|<unk>)$/.test(token)).length;
    const isUnreadable = !file && unknown > tokens.length / 2;
    if (isUnreadable) this.#text.textContent = words.says(unknown, tokens.length);
    this.#banner.hidden = !isUnreadable;
  }
}
