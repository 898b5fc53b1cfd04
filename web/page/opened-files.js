import {strings} from '../strings/index.js';
import {find} from './find-element.js';

/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {Parts} from '../attention/import-attention.js' */

/**
 * Attention from files, shown in place of the sentence's. An address holds the name of the file
 * only: while the page is open back and forward find the file again, and a link asks for it.
 */
export class OpenedFiles {
  #scope;
  #notice = find('imported', HTMLParagraphElement);
  #text = find('imported-name', HTMLSpanElement);
  #again = find('imported-again', HTMLButtonElement);
  #sentences = find('sentences', HTMLFormElement);

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
    const {files, file, compare} = this.#scope;
    this.#scope.files = new Map(files).set(name, parts);
    return files.has(name) || file === name || compare?.file !== name;
  }

  /** The file on show; undefined: the sentence is. */
  get shown() {
    return this.#scope.files.get(this.#scope.file);
  }

  /** What the status line says of the file on show. @returns {string[]} */
  get facts() {
    return this.shown ? [this.#scope.file, shapeOf(this.shown)] : [];
  }

  /** Says which file is shown, or is missing. */
  show() {
    const {file} = this.#scope;
    const {shown} = this;
    this.#notice.hidden = !file;
    this.#again.hidden = Boolean(shown);
    this.#sentences.toggleAttribute('data-not-shown', Boolean(shown));
    const missing = file && strings.import.missing(file);
    this.#text.textContent = shown ? sentencesOn(file, shown).join(' ') : missing;
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
