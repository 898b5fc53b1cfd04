/** The sentences that heads are measured on: those of the page, or a file of the reader's. */

import {PAIR_TABLE_ENDINGS, endingOf} from '../engine/file-endings.js';
import {readTreebank} from '../engine/syntax/conllu.js';
import {readPairTable} from '../engine/syntax/pair-table.js';
import {grammarStrings} from '../strings/grammar.js';
import {linkedSentences} from './pasted-pairs.js';

/** @import {Sentence} from '../engine/syntax/conllu.js' */

/** @typedef {{name: string, file: Blob, pairs?: undefined}} TreebankFile  with no name, of the sentences of the page */

/**
 * A file, or sentences in which the reader has marked pairs of words; `rows`: these pairs, for a link.
 *
 * @typedef {TreebankFile | {name: string, pairs: Sentence[], rows: string}} Treebank
 *
 * What is measured: sentences, those of the page (null), the pairs of a link, or a file in which a measurement was saved.
 *
 * @typedef {Treebank | null | {rows: string} | File} Given
 */

/** The sentences of the tables that were read. A table is read as a whole, because the rows of a sentence may stand anywhere. @type {WeakMap<Blob, Sentence[]>} */
const tables = new WeakMap();

/** The bytes that are read at once: a small file has progress too. */
const portion = 4_096;

/** The name that messages give to the sentences of the page, which nobody should see. */
const ownName = 'sentences.conllu';

/** Loads the sentences that come with the page. @returns {Promise<TreebankFile>} */
export async function builtInTreebank() {
  const {default: text} = await import('../engine/syntax/sentences.conllu?raw');
  return {name: '', file: new Blob([text])};
}

/** The rows of pairs that are or were measured; empty if none were. @param {Given | undefined} given */
export const rowsOf = (given) => (given && 'rows' in given ? given.rows : '');

/** @param {Exclude<Given, File>} given @returns {Treebank | Promise<Treebank>} */
export function treebankOf(given) {
  if (given === null) return builtInTreebank();
  if ('name' in given) return given;
  const {rows} = given;
  return {name: grammarStrings.pairs.name, pairs: linkedSentences(rows), rows};
}

/**
 * Reads the sentences one after another.
 *
 * @param {TreebankFile} treebank
 * @param {AbortSignal} signal
 * @param {(share: number) => void} [onProgress]  is told how much of the file has been read
 * @returns {AsyncGenerator<Sentence>}
 */
export async function* sentencesOf({name, file}, signal, onProgress) {
  if (!endingOf(name, PAIR_TABLE_ENDINGS)) {
    yield* readTreebank(portionsOf(file, signal, onProgress), name || ownName);
    return;
  }
  const sentences = tables.get(file) ?? (await readPairTable(portionsOf(file, signal), name));
  tables.set(file, sentences);
  for (const [index, sentence] of sentences.entries()) {
    yield sentence;
    onProgress?.((index + 1) / sentences.length);
  }
}

/**
 * The sentences of a file, or those that the reader has marked.
 *
 * @param {Treebank} treebank
 * @param {AbortSignal} signal
 * @param {(share: number) => void} [onProgress]
 */
export const sentencesIn = (treebank, signal, onProgress) =>
  treebank.pairs ?? sentencesOf(treebank, signal, onProgress);

/**
 * @param {Blob} file
 * @param {AbortSignal} signal
 * @param {((share: number) => void)} [onProgress]
 */
async function* portionsOf(file, signal, onProgress) {
  for (let at = 0; at < file.size; at += portion) {
    // A file without a sentence would be read to its end otherwise.
    signal.throwIfAborted();
    yield new Uint8Array(await file.slice(at, at + portion).arrayBuffer());
    onProgress?.(Math.min(1, (at + portion) / file.size));
  }
}

/**
 * The largest file that is searched for the sentence on show whenever that changes. In a larger one, only the sentences that
 * the reader opens are known.
 */
const mostSearched = 4_000_000;

/**
 * The annotation of a text.
 *
 * @param {string} text
 * @param {Treebank} treebank
 * @param {AbortSignal} signal
 */
export async function sentenceOf(text, treebank, signal) {
  if (!treebank.pairs && treebank.file.size > mostSearched) return null;
  for await (const sentence of sentencesIn(treebank, signal))
    if (sentence.text === text) return sentence;
  return null;
}

/**
 * The sentence after another one; the first one after the last one, or if the other one is not there.
 *
 * @param {Sentence | null} latest
 * @param {Treebank} treebank
 * @param {AbortSignal} signal
 */
export async function sentenceAfter(latest, treebank, signal) {
  /** @type {Sentence | null} */
  let first = null;
  let isBefore = false;
  for await (const sentence of sentencesIn(treebank, signal)) {
    if (isBefore) return sentence;
    first ??= sentence;
    // A text may be there more than once.
    isBefore = sentence.text === latest?.text && sentence.line === latest.line;
  }
  return first;
}
