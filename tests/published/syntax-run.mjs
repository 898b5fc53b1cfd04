/** Reads a treebank with a model once, and keeps all that `check:syntax` computes its tables from. */

import {execFileSync} from 'node:child_process';
import {
  createReadStream,
  mkdtempSync,
  openSync,
  rmSync,
  closeSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {placedWords, readTreebank} from '../../web/engine/syntax/conllu.js';
import {scoreTreebank} from '../../web/engine/syntax/score-treebank.js';
import {wordsOfTokens} from '../../web/engine/host/word-links.js';
import {python} from './prepare.mjs';
import {strongestPlaces} from './syntax-names.mjs';

/** @import {LoadedModel} from '../../web/engine/host/loaded-model.js' */
/** @import {LinkedWords} from '../../web/engine/host/word-links.js' */
/** @import {Sentence} from '../../web/engine/syntax/conllu.js' */
/** @import {SyntaxReport} from '../../web/engine/syntax/score-treebank.js' */

/**
 * @typedef {object} ReadSentence
 * @property {Sentence} sentence
 * @property {number[]} known  the indices of the words that `links` has, in its order
 * @property {LinkedWords} links
 * @property {Int32Array} strongest  `[layers * heads * known words]`: see `strongestPlaces`
 * @property {number} silent  words in which no token begins
 *
 * @typedef {object} TreebankRun
 * @property {{layers: number, heads: number}} shape
 * @property {ReadSentence[]} sentences
 * @property {SyntaxReport} report
 * @property {AuthorsShares} authors
 *
 * @typedef {object} AuthorsShares  what the authors' functions find
 * @property {Record<string, number>} counts  the words of each relation
 * @property {Record<'to' | 'from', Record<string, number>[]>} shares  of each head; a relation is missing where the head
 *   is always right
 */

/**
 * @param {LoadedModel} model
 * @param {string} treebank
 * @param {string} authors  their checkout
 * @returns {Promise<TreebankRun>}
 */
export async function readWith(model, treebank, authors) {
  const {layers, heads} = model.shape;
  /** @type {ReadSentence[]} */
  const sentences = [];
  const folder = mkdtempSync(join(tmpdir(), 'bertscope-syntax-'));
  try {
    const file = openSync(join(folder, 'attention.f32'), 'w');
    /** @type {object[]} */
    const told = [];
    for await (const sentence of readTreebank(createReadStream(treebank), treebank)) {
      const {known, places} = placedWords(sentence);
      const links = await model.wordLinks(sentence.text, {
        words: places,
        ...mentionsOf(sentence, known),
      });
      if (links.truncated > 0)
        throw new Error(`${sentence.id}: expected a text that the model has room for`);
      const {pass, offsets, tokens} = await model.attend(sentence.text);
      const tokensOf = tokensOfWords(wordsOfTokens(offsets, places), known.length);
      const strongest = [];
      for (let layer = 0; layer < layers; layer++) {
        const attention = await model.layerAttention(pass, layer);
        writeSync(file, attention);
        for (let head = 0; head < heads; head++) {
          const size = tokens.length ** 2;
          const weights = attention.subarray(head * size, (head + 1) * size);
          strongest.push(...strongestPlaces(weights, tokensOf));
        }
      }
      const silent = tokensOf.filter(({length}) => length === 0).length;
      sentences.push({sentence, known, links, strongest: Int32Array.from(strongest), silent});
      told.push({
        tokens: tokens.length,
        ...asAuthorsHave(sentence, known, tokensOf, tokens.length),
      });
    }
    closeSync(file);
    writeFileSync(join(folder, 'sentences.json'), JSON.stringify({layers, heads, sentences: told}));
    const script = fileURLToPath(new URL('syntax_authors.py', import.meta.url));
    const found = execFileSync(python, [script, authors, folder], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    const shape = {layers, heads};
    const report = await scoreAgain(shape, sentences);
    return {shape, sentences, report, authors: JSON.parse(found)};
  } finally {
    rmSync(folder, {recursive: true});
  }
}

/**
 * Scores sentences that were read.
 *
 * @param {{layers: number, heads: number}} shape  of what `changed` returns
 * @param {ReadSentence[]} sentences
 * @param {(links: LinkedWords) => LinkedWords} [changed]
 */
export function scoreAgain(shape, sentences, changed = (links) => links) {
  let next = 0;
  const wordLinks = async () => changed(sentences[next++].links);
  return scoreTreebank(
    {shape, wordLinks},
    sentences.map(({sentence}) => sentence),
  );
}

/** @param {Sentence} sentence @param {number[]} known */
const mentionsOf = ({mentions}, known) => ({
  mentions: mentions.filter(({head}) => known.includes(head)).map(({head}) => known.indexOf(head)),
});

/** @param {Int32Array} wordOfToken  -1 for tokens outside words @param {number} words @returns {number[][]} */
function tokensOfWords(wordOfToken, words) {
  /** @type {number[][]} */
  const tokens = Array.from({length: words}, () => []);
  wordOfToken.forEach((word, token) => word >= 0 && tokens[word].push(token));
  return tokens;
}

/**
 * The authors count words from 1, with 0 for the root, and have [CLS] and [SEP] around them. Where a head has no place in
 * the text, so that `scoreTreebank` counts no link, the word is a root here, which both leave out.
 *
 * @param {Sentence} sentence
 * @param {number[]} known
 * @param {number[][]} tokensOf
 * @param {number} tokens
 */
function asAuthorsHave({words}, known, tokensOf, tokens) {
  const heads = known.map((word) => known.indexOf(words[word].head) + 1);
  return {
    words: known.map((word) => words[word].form),
    heads,
    relns: known.map((word, at) => (heads[at] > 0 ? words[word].relation : 'root')),
    words_to_tokens: [[0], ...tokensOf, [tokens - 1]],
  };
}
