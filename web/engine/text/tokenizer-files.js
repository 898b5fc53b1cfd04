/** Reads the files of a tokenizer, whichever of them a folder has. */

import {readAddedTokens} from './added-tokens.js';
import {BertscopeError} from '../errors.js';
import {isRecord, parseJsonObject} from '../json.js';
import {statedNormalization, tokenizerFromMerges, tokenizerFromVocabulary} from './vocabulary.js';

/** @import {AddedToken} from './added-tokens.js' */

/** A quantized file may hold a longer text than a folder. */
const MAX_CHARACTERS = 1 << 26;

/** The parts that old files leave out if there are none. */
const ABSENT = {
  added_tokens: [],
  normalizer: null,
  pre_tokenizer: null,
  post_processor: null,
  decoder: null,
};

/** This advice tells how to make a tokenizer.json. */
const SAVE_AGAIN =
  'AutoTokenizer.from_pretrained(folder).save_pretrained(folder) of transformers writes a tokenizer.json';

/** The tokenizers whose vocabularies are not those of BERT, RoBERTa or GPT-2, although their files have the same names. */
const OTHER_CLASSES = /^(Herbert|MPNet|CLIP|Deberta\w*)Tokenizer(Fast)?$/;
/** Those of them that are programs in Python, for which there is no tokenizer.json. */
const PYTHON_CLASSES = /^(BertJapanese|Bertweet|Phobert|Canine)Tokenizer$/;

/**
 * @param {Record<string, string>} files Without tokenizer.json.
 * @param {Record<string, unknown>} config
 * @param {string} name
 */
function refuseOtherClass(files, {tokenizer_class: kind}, name) {
  if (typeof kind !== 'string') return;
  const isPython = PYTHON_CLASSES.test(kind);
  if (!isPython && !OTHER_CLASSES.test(kind)) return;
  const advice = isPython ? 'its rules are a program in Python, which is not run here' : SAVE_AGAIN;
  const vocabulary = `${vocabularyFile(files)} of ${kind}; ${advice}`;
  const message = `${name}: expected tokenizer.json, or the vocabulary of a BERT, a RoBERTa or a GPT-2, found ${vocabulary}`;
  throw new BertscopeError('bad-tokenizer', message);
}

/**
 * @param {Record<string, string>} files
 * @param {string} configText `tokenizer_config.json`
 * @param {string} name The name of the model, for messages.
 * @returns {{json: Record<string, unknown>, config: Record<string, unknown>}} `tokenizer.json`, and
 *   `tokenizer_config.json` with the special tokens that another file names.
 */
export function readTokenizerFiles(files, configText, name) {
  const config = parseJsonObject(configText, `${name}: tokenizer_config.json`, 'bad-tokenizer');
  const {'tokenizer.json': tokenizer} = files;
  if (tokenizer === undefined) {
    refuseOtherClass(files, config, name);
    const {config: whole, added} = readAddedTokens(files, config, name);
    return {json: makeTokenizer(files, whole, added, name), config: whole};
  }
  if (tokenizer.length > MAX_CHARACTERS) {
    const expected = `a tokenizer.json of at most ${MAX_CHARACTERS} characters`;
    const message = `${name}: expected ${expected}, found ${tokenizer.length}`;
    throw new BertscopeError('bad-tokenizer', message);
  }
  const json = parseJsonObject(tokenizer, `${name}: tokenizer.json`, 'bad-tokenizer');
  const {normalizer} = json;
  const isBert = isRecord(normalizer) && normalizer.type === 'BertNormalizer';
  return {
    json: {
      ...ABSENT,
      ...json,
      ...(isBert ? {normalizer: {...normalizer, ...statedNormalization(config)}} : {}),
    },
    config,
  };
}

/**
 * @param {Record<string, string>} files
 * @param {Record<string, unknown>} config
 * @param {AddedToken[]} added
 * @param {string} name
 */
function makeTokenizer(files, config, added, name) {
  const {'vocab.txt': vocabulary, 'vocab.json': entries, 'merges.txt': merges} = files;
  if (vocabulary !== undefined) return tokenizerFromVocabulary(vocabulary, config, added);
  if (entries !== undefined && merges !== undefined) {
    return tokenizerFromMerges(entries, merges, config, name, added);
  }
  const other = Object.keys(files).find((file) => file.endsWith('.model'));
  const instead = other ? `only ${other}; ${SAVE_AGAIN}` : 'none of them';
  const message = `${name}: expected tokenizer.json, vocab.txt or vocab.json with merges.txt, found ${instead}`;
  throw new BertscopeError('bad-tokenizer', message);
}

/** @param {Record<string, string>} files @returns {string} The name of the one that is read. */
export const vocabularyFile = (files) =>
  ['tokenizer.json', 'vocab.txt'].find((file) => files[file] !== undefined) ?? 'vocab.json';
