import {strings} from '../strings/index.js';
import {find} from './find-element.js';

/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {Parts} from '../attention/import-attention.js' */

/**
 * Attention from files, shown in place of the sentence's. An address holds the name of the file
 * only: while the page is open back and forward find the file again, and a link asks for it.
 */
export class OpenedFiles {
  /** @type {Map<string, Parts>} */
  #known = new Map();
  #scope;
  #notice = find('imported', HTMLParagraphElement);
  #text = find('imported-name', HTMLSpanElement);
  #again = find('imported-again', HTMLButtonElement);
  #sentences = find('sentences', HTMLFormElement);
  /** Of the file on show; none: the sentence is. */
  name = '';

  /** The file that the address names. */
  #wanted = '';

  /** @param {BertScope} scope */
  constructor(scope) {
    this.#scope = scope;
  }

  /**
   * @param {string} name
   * @param {Parts} parts
   * @returns {boolean}  whether it is to be shown: not where the picture only waits to be compared with it
   */
  add(name, parts) {
    const isOther = !this.#known.has(name) && this.#scope.compare?.file === name;
    this.#known.set(name, parts);
    this.#scope.files = new Map(this.#known);
    return !isOther || this.#wanted === name;
  }

  /** What the status line says of the file on show. @returns {string[]} */
  get facts() {
    const parts = this.#known.get(this.name);
    return parts ? [this.name, shapeOf(parts)] : [];
  }

  /**
   * Shows what an address names.
   *
   * @param {string} name  of a file; empty: the sentence
   */
  async show(name) {
    const parts = this.#known.get(name);
    const before = this.name;
    this.#wanted = name;
    this.name = parts ? name : '';
    this.#notice.hidden = !name;
    this.#again.hidden = Boolean(parts);
    this.#sentences.toggleAttribute('data-not-shown', Boolean(parts));
    if (parts) {
      this.#text.textContent = sentencesOn(name, parts).join(' ');
      // Otherwise a sentence that changes with the address would be run after it.
      await this.#scope.updateComplete;
      if (this.name === name) this.#scope.showAttention(name, parts);
    } else {
      this.#text.textContent = name ? strings.import.missing(name) : '';
      if (before) this.#scope.showText();
    }
  }
}

/** What is said of a file that is shown. @param {string} name @param {Parts} parts */
function sentencesOn(name, parts) {
  const [{about, isNumbered}] = Object.values(parts);
  const {shown, ran, numbered} = strings.import;
  return [
    shown(name, shapeOf(parts), tokenCounts(parts)),
    ...(about?.model ? [ran(about.model, about.interventions)] : []),
    ...(isNumbered ? [numbered] : []),
  ];
}

/** @param {Parts} parts */
function shapeOf(parts) {
  const [{layers, heads}] = Object.values(parts);
  return strings.status.shape(layers, heads);
}

/** Of an encoder-decoder model, those of the input and the output. @param {Parts} parts */
function tokenCounts({all, encoder, decoder, cross}) {
  const input = encoder?.queryTokens ?? cross?.keyTokens;
  const output = decoder?.queryTokens ?? cross?.queryTokens;
  const counts = [all?.queryTokens, input, output].flatMap((tokens) => tokens?.length ?? []);
  return counts.join(' → ');
}
