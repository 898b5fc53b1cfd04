/** Checks that a vocabulary belongs to a model: each id must be a row of the word embeddings. */

import {BertscopeError} from '../errors.js';
import {isRecord, shorten} from '../json.js';

/**
 * Models pad their word embeddings to a round number of rows. If a vocabulary has fewer tokens than
 * this share of the rows, padding does not explain it.
 */
const PADDED_SHARE = 0.9;

/**
 * Refuses tokens beyond the last row: any text may contain them, so the vocabulary belongs to
 * another model. Tokens that were added to the vocabulary are accepted, such as a `[PAD]` that a
 * library added for batches. Only a text that spells such a token contains it, and that text is
 * refused.
 * @param {Record<string, unknown>} json `tokenizer.json`
 * @param {number} rows
 * @param {string} file The name of the tokenizer's file, for messages.
 */
export function refuseOtherVocabulary({model, added_tokens: added}, rows, file) {
  const spelled = new Set(Array.isArray(added) ? added.map((token) => token?.content) : []);
  // Empty lines at the end of a vocabulary make empty tokens, which no text contains.
  spelled.add('');
  let [last, token] = [-1, ''];
  for (const [each, id] of entriesOf(model)) {
    if (typeof id === 'number' && id > last && !spelled.has(each)) [last, token] = [id, each];
  }
  if (last < rows) return;
  const expected = `${rows} tokens at most, as many as the model has word embeddings (vocab_size)`;
  const message = `${file}: expected ${expected}, found ids up to ${last} (${shorten(token)}): it belongs to another model`;
  throw new BertscopeError('bad-tokenizer', message);
}

/**
 * More rows than tokens are common, since rows are padded to a multiple of 8 or 128.
 * @param {number} tokens
 * @param {number} rows
 * @param {string} file
 * @returns {string[]} A note if the vocabulary is probably cut off or another model's.
 */
export function notesOnVocabulary(tokens, rows, file) {
  if (tokens >= PADDED_SHARE * rows) return [];
  return [
    `${file} has ${tokens} tokens, the model word embeddings for ${rows}: the others have no name`,
  ];
}

/** A vocabulary with more capitals than this is of a model that tells them apart. */
const CASED_SHARE = 0.05;

/**
 * Without a `tokenizer_config.json` that says so, transformers and this engine write the text of a
 * `vocab.txt` in small letters. Then a vocabulary with capitals is hardly used.
 * @param {Record<string, unknown>} json `tokenizer.json`
 * @param {string} file
 * @returns {string[]} A note if capitals of the vocabulary never occur.
 */
export function notesOnCase({model, normalizer}, file) {
  if (!isRecord(normalizer) || normalizer.lowercase !== true) return [];
  let [capitals, all] = [0, 0];
  for (const [token] of entriesOf(model)) {
    all += 1;
    if (/\p{Lu}/u.test(token) && !/^\[.*\]$/.test(token)) capitals += 1;
  }
  if (capitals <= CASED_SHARE * all) return [];
  return [
    `${file} has ${capitals} tokens with capitals, but the text is read in small letters: tokenizer_config.json with {"do_lower_case": false} keeps its capitals`,
  ];
}

/**
 * @param {unknown} model The `model` of a `tokenizer.json`.
 * @returns {Iterable<[string, unknown]>} The tokens with their ids.
 */
function* entriesOf(model) {
  const vocabulary = isRecord(model) ? model.vocab : undefined;
  if (isRecord(vocabulary)) return yield* Object.entries(vocabulary);
  // Unigram has pairs of a token and its score, in the order of their ids.
  const pairs = Array.isArray(vocabulary) ? vocabulary : [];
  for (const [id, pair] of pairs.entries()) {
    const token = Array.isArray(pair) ? pair[0] : pair;
    if (typeof token === 'string') yield [token, id];
  }
}
