/**
 * The sentences that the reader has typed and the pairs of words marked in them. They stay when the panel is closed or the
 * page is reloaded, until its tab is closed.
 */

import {wordsIn} from '../engine/syntax/word-pairs.js';
import {mostTyped} from './word-pairs.js';

/** @import {Pairs} from '../engine/syntax/word-pairs.js' */

/** @typedef {{text: string, pairs: Map<string, Pairs>}} TypedPairs  `pairs`: by the line that they are marked in */

const storageKey = 'bertscope-pairs';

/** @param {TypedPairs} typed */
export function keepPairs({text, pairs}) {
  const marked = [...pairs].filter(([, inLine]) => inLine.size);
  const written = {text, pairs: marked.map(([line, inLine]) => [line, [...inLine]])};
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(written));
  } catch {
    // Without storage, or without room in it, they are there until the page is reloaded.
  }
}

/** @returns {TypedPairs} */
export function keptPairs() {
  /** @type {{text?: unknown, pairs?: unknown} | null} */
  let stored = null;
  try {
    stored = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null');
  } catch {
    // There is no storage, or something else is in it.
  }
  const {text, pairs} = stored ?? {};
  return {
    text: typeof text === 'string' ? text : '',
    pairs: new Map(Array.isArray(pairs) ? pairs.flatMap(readLine) : []),
  };
}

/** Reads a line with its pairs; none if its words are not those that were marked. @param {unknown} written @returns {[string, Pairs][]} */
function readLine(written) {
  const [line, pairs] = Array.isArray(written) ? written : [];
  if (typeof line !== 'string' || line.length > mostTyped.characters || !Array.isArray(pairs))
    return [];
  const words = wordsIn(line);
  const isWord = (/** @type {unknown} */ at) => words[/** @type {number} */ (at)]?.isWord === true;
  const isPair = (/** @type {unknown} */ pair) =>
    Array.isArray(pair) && pair.length === 2 && pair.every(isWord) && pair[0] !== pair[1];
  return pairs.every(isPair) ? [[line, new Map(pairs)]] : [];
}
