import {pageStrings} from '../strings/page.js';
import {find} from './find-element.js';

/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {SnapshotParts} from '../attention/import-attention.js' */

/**
 * Holds attention from files, which is shown in place of the sentence's. An address has only the name of the file:
 * back and forward find the file while the page is open; after a link, the page asks for it.
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
   * @param {SnapshotParts} parts
   * @returns {boolean}  whether to show it; false where it is only the baseline that the picture waits for
   */
  add(name, parts) {
    const {files, file, compare} = this.#scope;
    this.#scope.files = new Map(files).set(name, parts);
    return files.has(name) || file === name || compare?.file !== name;
  }

  /** The file that is shown; undefined: the sentence is shown. */
  get shown() {
    return this.#scope.files.get(this.#scope.file);
  }

  /** The parts of the status line while a file is shown. @returns {string[]} */
  get facts() {
    return this.shown ? [this.#scope.file, shapeOf(this.shown)] : [];
  }

  /** Writes which file is shown or missing. */
  show() {
    const {file} = this.#scope;
    const {shown} = this;
    this.#notice.hidden = !file;
    this.#again.hidden = Boolean(shown);
    this.#sentences.toggleAttribute('data-not-shown', Boolean(shown));
    const missing = file && pageStrings.import.missing(file);
    this.#text.textContent = shown ? sentencesOn(file, shown).join(' ') : missing;
  }
}

/** Returns the sentences about a file that is shown. @param {string} name @param {SnapshotParts} parts */
function sentencesOn(name, parts) {
  const [{about, isNumbered}] = Object.values(parts);
  const {shown, ran, numbered} = pageStrings.import;
  return [
    shown(name, shapeOf(parts), tokenCounts(parts)),
    ...(about?.model ? [ran(about.model, about.interventions)] : []),
    ...(isNumbered ? [numbered] : []),
  ];
}

/** @param {SnapshotParts} parts */
function shapeOf(parts) {
  const [{layers, heads}] = Object.values(parts);
  return pageStrings.status.shape(layers, heads);
}

/** Writes the number of tokens; of encoder-decoder models, that of input and output. @param {SnapshotParts} parts */
function tokenCounts({all, encoder, decoder, cross}) {
  const input = encoder?.queryTokens ?? cross?.keyTokens;
  const output = decoder?.queryTokens ?? cross?.queryTokens;
  const counts = [all?.queryTokens, input, output].flatMap((tokens) => tokens?.length ?? []);
  return counts.join(' → ');
}
