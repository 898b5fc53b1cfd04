/**
 * Finds the tokens that a folder without `tokenizer.json` adds to its vocabulary. New folders list
 * them in `tokenizer_config.json`, older ones in two files of their own.
 * Source: `PreTrainedTokenizerBase._from_pretrained` of transformers.
 */

import {BertscopeError} from '../errors.js';
import {isRecord, parseJsonObject, quote, shorten} from '../json.js';

/**
 * @typedef {object} AddedToken As `tokenizer.json` has it.
 * @property {number} id
 * @property {string} content
 * @property {boolean} single_word
 * @property {boolean} lstrip Whether it includes the spaces before it.
 * @property {boolean} rstrip
 * @property {boolean} normalized Whether it is looked for in the normalized text.
 * @property {boolean} special
 */

/**
 * @param {Record<string, string>} files
 * @param {Record<string, unknown>} config `tokenizer_config.json`
 * @param {string} name The name of the model, for messages.
 * @returns {{config: Record<string, unknown>, added: AddedToken[]}} The configuration with the
 *   special tokens that another file names.
 */
export function readAddedTokens(files, config, name) {
  const {added_tokens_decoder: decoder} = config;
  if (isRecord(decoder)) return {config, added: tokensOf(decoder, name)};
  const read = (/** @type {string} */ file) =>
    parseJsonObject(files[file] ?? '{}', `${name}: ${file}`, 'bad-tokenizer');
  const stated = {...config, ...read('special_tokens_map.json')};
  const special = new Map(
    Object.values(stated)
      .flat()
      .map((token) => [contentOf(token), token]),
  );
  const added = Object.entries(read('added_tokens.json')).map(([content, id]) => {
    const isSpecial = special.has(content);
    const token = special.get(content);
    return addedToken(content, checkedId(id, content, name), {
      ...(isRecord(token) ? token : {normalized: !isSpecial}),
      special: isSpecial,
    });
  });
  return {config: stated, added};
}

/**
 * @param {Record<string, unknown>} decoder Tokens by their ids.
 * @param {string} name
 */
function tokensOf(decoder, name) {
  return Object.entries(decoder).map(([id, token]) => {
    const content = contentOf(token);
    if (content === undefined || !isRecord(token)) {
      const message = `${name}: tokenizer_config.json: expected a token under ${shorten(id)} of added_tokens_decoder, found ${quote(token)}`;
      throw new BertscopeError('bad-tokenizer', message);
    }
    return addedToken(content, checkedId(Number(id), content, name), token);
  });
}

/**
 * @param {string} content
 * @param {number} id
 * @param {Record<string, unknown>} [flags]
 * @returns {AddedToken}
 */
export function addedToken(content, id, flags = {}) {
  const {single_word, lstrip, rstrip, normalized, special} = flags;
  return {
    id,
    content,
    single_word: single_word === true,
    lstrip: lstrip === true,
    rstrip: rstrip === true,
    normalized: normalized === true,
    special: special !== false,
  };
}

/**
 * @param {unknown} token A special token, which is a string or an object with that string.
 * @returns {string | undefined}
 */
export function contentOf(token) {
  const content = isRecord(token) ? token.content : token;
  return typeof content === 'string' ? content : undefined;
}

/** @param {unknown} id @param {string} content @param {string} name */
function checkedId(id, content, name) {
  if (Number.isInteger(id) && Number(id) >= 0) return Number(id);
  const message = `${name}: expected an id for the added token ${shorten(content)}, found ${quote(id)}`;
  throw new BertscopeError('bad-tokenizer', message);
}
