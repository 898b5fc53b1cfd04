/** Opens the tokenizer of `@huggingface/tokenizers`, the library that splits texts. */

import {Tokenizer} from '@huggingface/tokenizers';
import {BertscopeError} from '../errors.js';
import {shorten} from '../json.js';
import {repairLibrary} from './library-repairs.js';
import {useSentencePiece} from './sentencepiece.js';
import {countText} from './tokenizer-limits.js';

/** @import {CountedStep} from './tokenizer-limits.js' */

/**
 * Makes the tokenizer of the library, and repairs it.
 * @param {Record<string, unknown>} json `tokenizer.json`
 * @param {Record<string, unknown>} config `tokenizer_config.json`
 * @param {string} name The name of the model, for messages.
 * @param {string} file The model and the file of its vocabulary, for messages.
 */
export function openLibrary(json, config, name, file) {
  const obeyed = {
    ...config,
    // The library obeys these two fields, so they are set to false. Hugging Face's tokenizers
    // obey tokenizer.json alone.
    remove_space: false,
    do_lowercase_and_remove_accent: false,
    // These matter only where special tokens are left out of a text. The library compares each
    // with all.
    additional_special_tokens: [],
  };
  const tokenizer = tried(name, () => new Tokenizer(json, obeyed));
  tried(name, () => {
    repairLibrary(tokenizer, json);
    useSentencePiece(tokenizer, json);
  });
  for (const stage of /** @type {const} */ (['normalizer', 'pre_tokenizer', 'decoder'])) {
    const step = /** @type {CountedStep | null} */ (tokenizer[stage]);
    countText(step, json[stage], file);
  }
  return tokenizer;
}

/**
 * @param {Tokenizer} tokenizer
 * @returns {Map<string, string>} The added tokens that differ from their normalized form, by that.
 */
export function normalizedTokens(tokenizer) {
  const {normalizer} = tokenizer;
  const added = [...tokenizer.get_added_tokens_decoder().values()];
  return new Map(
    added
      .filter((token) => token.normalized && normalizer)
      .map(({content}) => [normalizer?.normalize(content) ?? content, content]),
  );
}

/**
 * Turns any error of the tokenizer's library into one of ours, which names the file.
 *
 * @template T
 * @param {string} name The name of the model.
 * @param {() => T} action
 * @returns {T}
 */
export function tried(name, action) {
  try {
    return action();
  } catch (error) {
    if (error instanceof BertscopeError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new BertscopeError(
      'bad-tokenizer',
      `${name}: expected a tokenizer.json as Hugging Face writes it, found one that fails: ${shorten(reason)}`,
    );
  }
}
