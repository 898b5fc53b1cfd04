/** Whether a tokenizer's vocabulary is that of the model: ids are rows of its word embeddings. */

import {BertscopeError} from '../errors.js';
import {isRecord, shorten} from '../json.js';

/** A vocabulary that has fewer tokens than this share of the rows is not one padded to a round number. */
const PADDED_SHARE = 0.9;

/**
 * Entries beyond the last row are refused: any text may be cut into them, so the vocabulary is another
 * model's. Not so tokens that were added to it, such as a `[PAD]` that a library added for batches and
 * the model never saw: only a text that spells one has it, and is then refused by itself.
 * @param {Record<string, unknown>} json `tokenizer.json`
 * @param {number} rows
 * @param {string} file The tokenizer's, for messages.
 */
export function refuseOtherVocabulary({model, added_tokens: added}, rows, file) {
  const spelled = new Set(Array.isArray(added) ? added.map((token) => token?.content) : []);
  // No text has an empty token, such as empty lines behind a vocabulary make.
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
 * More rows than tokens are common: they are padded to a multiple of 8 or 128.
 * @param {number} tokens
 * @param {number} rows
 * @param {string} file
 * @returns {string[]} A note on a vocabulary that is probably cut off or another model's.
 */
export function notesOnVocabulary(tokens, rows, file) {
  if (tokens >= PADDED_SHARE * rows) return [];
  return [
    `${file} has ${tokens} tokens, the model word embeddings for ${rows}: the others have no name`,
  ];
}

/**
 * @param {unknown} model Of `tokenizer.json`.
 * @returns {Iterable<[string, unknown]>} Tokens with their ids.
 */
function* entriesOf(model) {
  const vocabulary = isRecord(model) ? model.vocab : undefined;
  if (isRecord(vocabulary)) return yield* Object.entries(vocabulary);
  // Unigram's: pairs of a token and its score, in the order of their ids.
  const pairs = Array.isArray(vocabulary) ? vocabulary : [];
  for (const [id, pair] of pairs.entries()) {
    const token = Array.isArray(pair) ? pair[0] : pair;
    if (typeof token === 'string') yield [token, id];
  }
}
