/** Finds the files of a Hugging Face model: weights, configuration and tokenizer. */

import {BertscopeError} from '../errors.js';
import {isRecord, parseJsonObject, quote, shorten} from '../json.js';
import {hasFile, readText, readWhole} from './byte-file.js';
import {refusePointer} from './git-lfs.js';
import {lazily} from '../lazy-part.js';
import {findOther} from './refused-formats.js';
import {readSafetensors} from './safetensors.js';
import {checkTensorNames} from './safetensors-header.js';

/** @import {ByteFile} from './byte-file.js' */
/** @import {Piece, Reader} from './safetensors.js' */
/** @import {Source} from './model-sources.js' */

/**
 * @typedef {object} Folder
 * @property {string} name
 * @property {string} path For messages.
 * @property {(file: string) => Promise<ByteFile | undefined>} open Resolves with undefined if
 *   there is no such file.
 */

/** The files beside the weights that a model may need. */
export const TEXT_FILES = Object.freeze([
  'config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'vocab.txt',
  'vocab.json',
  'merges.txt',
  'added_tokens.json',
  'special_tokens_map.json',
  'modules.json',
  'target_vocab.json',
  'generation_config.json',
]);

/**
 * If `config.json` matches these, the model is an encoder-decoder, or has vocabularies of
 * SentencePiece.
 */
const WRITES_TEXTS = /"is_encoder_decoder":\s*true/;
const IS_MARIAN = /"model_type":\s*"marian"/;

/** If `config.json` matches this, the model has no head, such as those of sentence-transformers. */
const NAMES_NO_HEAD = /"architectures":\s*\[\s*"\w+Model"/;

/** Vocabularies in SentencePiece's own format, which are not read. */
const SENTENCEPIECE_FILES = ['sentencepiece.bpe.model', 'spiece.model'];

/**
 * This is enough for a vocabulary of a million tokens, which has some tens of megabytes. Once it is
 * parsed, it takes up to five times as much memory.
 */
export const MAX_TEXT_BYTES = 1 << 26;

/**
 * Each part is opened, so their number is limited. The largest models of any family have some
 * hundred files.
 */
const MAX_PARTS = 1024;

/**
 * The files that may have the weights, the best first. The JSON files list the parts of the
 * weights.
 */
export const WEIGHT_FILES = Object.freeze([
  'model.safetensors',
  'model.safetensors.index.json',
  'pytorch_model.bin',
  'pytorch_model.bin.index.json',
]);

/**
 * @param {Folder} folder
 * @param {string} [weights] The file with the weights, if it is known.
 * @returns {Promise<Source>}
 */
export async function openFolder(folder, weights) {
  // What is beside a file of GGUF may belong to other weights. It has its own texts.
  const files = weights && isGguf(weights) ? {} : await readTexts(folder);
  const candidates = weights === undefined ? WEIGHT_FILES : [weights];
  for (const name of candidates) {
    const file = await folder.open(name);
    if (!file) continue;
    const {name: model, path} = folder;
    return {name: model, path, weights: file.path, files, open: () => openWeights(file, folder)};
  }
  const other = (await findOther(folder.open)) ?? 'none of them';
  const message = `${folder.path}: expected ${candidates.join(', ')}, found ${other}`;
  throw new BertscopeError('not-found', message);
}

/**
 * @param {Folder} folder
 * @returns {Promise<Record<string, string>>} The texts that belong to a model.
 */
export async function readTexts(folder) {
  /** @type {Record<string, string>} */
  const files = {};
  const readAs = async (/** @type {string} */ name, /** @type {string} */ stored) => {
    const file = await folder.open(stored);
    if (!file) return;
    files[name] = await readText(file, MAX_TEXT_BYTES);
    refusePointer(files[name], file.path);
  };
  const read = (/** @type {string} */ name) => readAs(name, name);
  await Promise.all(['config.json', 'tokenizer.json', 'tokenizer_config.json'].map(read));
  // The first published configurations had this name.
  if (files['config.json'] === undefined) await readAs('config.json', 'bert_config.json');
  const config = files['config.json'] ?? '';
  if (WRITES_TEXTS.test(config)) await read('generation_config.json');
  const isComplete =
    files['tokenizer.json'] !== undefined ||
    (IS_MARIAN.test(config) && (await readMarian(folder, files, read)));
  if (!isComplete) await readVocabulary(folder, files, read);
  if (NAMES_NO_HEAD.test(config)) await read('modules.json');
  return files;
}

/**
 * Makes a `tokenizer.json` from the files that Marian has instead.
 * @param {Folder} folder
 * @param {Record<string, string>} files
 * @param {(name: string) => Promise<void>} read
 * @returns {Promise<boolean>} Whether the folder has such files.
 */
async function readMarian(folder, files, read) {
  const [source] = await Promise.all([folder.open('source.spm'), read('vocab.json')]);
  const {'vocab.json': vocabulary, 'tokenizer_config.json': text = '{}'} = files;
  if (!source || vocabulary === undefined) return false;
  const stated = parseJsonObject(text, `${folder.path}: tokenizer_config.json`, 'bad-tokenizer');
  // This is the default of transformers since its version 5.
  const config = {clean_up_tokenization_spaces: false, ...stated};
  files['tokenizer_config.json'] = JSON.stringify(config);
  // Few models need this part, so it is loaded only for them.
  const {marianTokenizer, readSentencePiece} = await lazily(() => import('./sentencepiece.js'));
  const model = readSentencePiece(await readWhole(source, MAX_TEXT_BYTES), source.path);
  const path = `${folder.path}: vocab.json`;
  files['tokenizer.json'] = marianTokenizer(model, vocabulary, config, path);
  delete files['vocab.json'];
  if (stated.separate_vocabs !== true) return true;
  await read('target_vocab.json');
  const {'target_vocab.json': target = '{}'} = files;
  const targetPath = `${folder.path}: target_vocab.json`;
  files['target_tokenizer.json'] = marianTokenizer(model, target, config, targetPath);
  delete files['target_vocab.json'];
  return true;
}

/**
 * Reads the files that a folder without `tokenizer.json` has instead. Files that are not needed are
 * not asked for, because a hub answers each request for a missing file with an error.
 * @param {Folder} folder
 * @param {Record<string, string>} files Those that were read.
 * @param {(name: string) => Promise<void>} read
 */
async function readVocabulary(folder, files, read) {
  const has = (/** @type {string} */ name) => files[name] !== undefined;
  await read('vocab.txt');
  if (!has('vocab.txt')) await Promise.all(['vocab.json', 'merges.txt'].map(read));
  if (has('vocab.txt') || has('vocab.json')) {
    await Promise.all(['added_tokens.json', 'special_tokens_map.json'].map(read));
    return;
  }
  // Only the names of these files matter: a message mentions them if there is no tokenizer.
  for (const name of SENTENCEPIECE_FILES) {
    if (await hasFile(folder.open, name)) files[name] = '';
  }
}

/** @param {string} path A path or an address, whose query says nothing of the format. */
export const isGguf = (path) => /^[^?#]*\.gguf(?:[?#].*)?$/i.test(path);

/**
 * @param {ByteFile} file Weights in one of the known formats.
 * @param {Folder} [folder] Has the parts if the file is a list of parts.
 * @returns {Promise<Reader>}
 */
export async function openWeights(file, folder) {
  if (folder && file.path.endsWith('.index.json')) return openParts(file, folder);
  if (/\.(bin|pt|pth)$/.test(file.path)) {
    const {readPyTorch} = await lazily(() => import('./pytorch.js'));
    return readPyTorch(file);
  }
  if (isGguf(file.path)) {
    const {readGguf} = await lazily(() => import('./gguf.js'));
    return readGguf(file);
  }
  return readSafetensors(file.read(), file.path, file.bytes);
}

/**
 * Reads weights from several files. The list says which tensor is in which file.
 * @param {ByteFile} list
 * @param {Folder} folder
 * @returns {Promise<Reader>}
 */
async function openParts(list, folder) {
  const places = readPlaces(await readText(list, MAX_TEXT_BYTES), list);
  const names = new Set(places.values());
  if (names.size > MAX_PARTS) {
    throw refuse(list, `at most ${MAX_PARTS} files with weights`, `${names.size}`);
  }
  /** @type {Reader[]} */
  const parts = [];
  const close = async () => void (await Promise.all(parts.map((part) => part.close())));
  try {
    for (const name of names) {
      const file = await folder.open(name);
      if (!file) {
        throw refuse(list, `${shorten(name)} beside it`, 'no such file');
      }
      const part = await openWeights(file);
      parts.push(part);
      for (const tensor of part.header.tensors) {
        if (places.get(tensor.name) === name) continue;
        const where = quote(places.get(tensor.name));
        throw refuse(list, `${shorten(tensor.name)} to be in ${name}, where it is`, where);
      }
    }
  } catch (error) {
    await close();
    throw error;
  }
  const tensors = parts.flatMap((part) => part.header.tensors);
  const tensorNames = new Set(tensors.map((tensor) => tensor.name));
  const lost = [...places.keys()].find((name) => !tensorNames.has(name));
  if (lost !== undefined) {
    await close();
    throw refuse(list, `${shorten(lost)} in ${places.get(lost)}`, 'none');
  }
  const sum = (/** @type {(part: Reader) => number} */ of) =>
    parts.reduce((total, part) => total + of(part), 0);
  return {
    header: {tensors, metadata: {}, fileBytes: sum((part) => part.header.fileBytes)},
    dataBytes: sum((part) => part.dataBytes),
    pieces: oneAfterTheOther(parts),
    close,
  };
}

/**
 * @param {string} text
 * @param {ByteFile} list
 * @returns {Map<string, string>} The file of each tensor.
 */
function readPlaces(text, list) {
  const {weight_map: map} = parseJsonObject(text, list.path, 'bad-checkpoint');
  const entries = isRecord(map) ? Object.entries(map) : [];
  checkTensorNames(
    entries.map(([tensor]) => tensor),
    (expected, found) => refuse(list, expected, found),
  );
  const isPlain = (/** @type {unknown} */ file) =>
    typeof file === 'string' && /^[\w][\w.-]*\.(safetensors|bin)$/.test(file);
  const wrong = entries.find(([, file]) => !isPlain(file));
  if (entries.length === 0 || wrong) {
    const value = quote(wrong ? wrong[1] : map);
    throw refuse(list, 'weight_map to name a file beside it for each tensor', value);
  }
  return new Map(/** @type {[string, string][]} */ (entries));
}

/**
 * @param {Reader[]} parts
 * @returns {AsyncGenerator<Piece, void>}
 */
async function* oneAfterTheOther(parts) {
  for (const part of parts) yield* part.pieces;
}

/**
 * @param {ByteFile} file
 * @param {string} expected
 * @param {string} found
 */
function refuse({path}, expected, found) {
  return new BertscopeError('bad-checkpoint', `${path}: expected ${expected}, found ${found}`);
}
