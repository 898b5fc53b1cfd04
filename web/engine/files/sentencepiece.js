/**
 * Reads SentencePiece's own vocabularies (`source.spm` of Marian) and describes them as a
 * `tokenizer.json`. Only models that have such a file load this module.
 * Source: `sentencepiece_model.proto` of google/sentencepiece, and the encoding of Protocol Buffers;
 * `MarianTokenizer` of transformers.
 */

import {BertscopeError} from '../errors.js';
import {isRecord, parseJsonObject, quote, shorten} from '../json.js';

/** Published vocabularies have at most a quarter of a million pieces. */
const MAX_PIECES = 2 ** 20;
/** Symbols are looked for at each character of a text, so many or long ones would make it slow. */
const MAX_SYMBOLS = 1000;
const MAX_SYMBOL_CHARACTERS = 20_000;
/** SentencePiece makes no piece that is longer. */
const MAX_PIECE_LENGTH = 512;

/** The types of pieces that a text may be split into, by their numbers. */
const [NORMAL, UNKNOWN, USER_DEFINED, BYTE] = [1, 2, 4, 6];
/** The kinds of models. The place in this list is the number in the file. */
const MODEL_TYPES = ['', 'unigram', 'BPE', 'word', 'char'];

/**
 * @typedef {object} Field
 * @property {number} number
 * @property {number} [value] An integer, or the bits of a float.
 * @property {Uint8Array} [bytes] A text, or a message inside this one.
 */

/**
 * Takes one message of Protocol Buffers apart. What is inside it stays bytes, so however deep a file
 * nests, nothing here does.
 * @param {Uint8Array} message
 * @param {Refuse} refuse
 * @returns {Generator<Field, void>}
 */
function* fieldsOf(message, refuse) {
  const view = new DataView(message.buffer, message.byteOffset, message.length);
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (at >= message.length) break;
      const byte = message[at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
    throw refuse('a number of at most 10 bytes', `none that ends before byte ${at}`);
  };
  const taken = (/** @type {number} */ length) => {
    if (length > message.length - at) {
      throw refuse(`${length} bytes from ${at} on`, `${message.length - at}`);
    }
    at += length;
    return at - length;
  };
  while (at < message.length) {
    const tag = varint();
    const [number, type] = [Math.floor(tag / 8), tag % 8];
    if (type === 0) yield {number, value: varint()};
    else if (type === 1) taken(8);
    else if (type === 2) {
      const length = varint();
      const begin = taken(length);
      yield {number, bytes: message.subarray(begin, at)};
    } else if (type === 5) yield {number, value: view.getUint32(taken(4), true)};
    else throw refuse('fields of type 0, 1, 2 or 5', `type ${type} before byte ${at}`);
  }
}

/**
 * @typedef {object} SentencePiece
 * @property {[string, number][]} pieces Those that a text may be split into, with their scores.
 * @property {string[]} symbols Those that are always split off, whose scores do not count.
 * @property {string} charsmap In base64; empty if no character is replaced.
 * @property {boolean} prefix Whether a text begins with a space.
 * @property {boolean} single Whether several spaces count as one, and those at both ends as none.
 */

/**
 * @param {Uint8Array} file
 * @param {string} path For messages.
 * @returns {SentencePiece}
 */
export function readSentencePiece(file, path) {
  /** @param {string} expected @param {string} found */
  const refuse = (expected, found) =>
    new BertscopeError('bad-tokenizer', `${path}: expected ${expected}, found ${found}`);
  const decoder = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true});
  /** @type {[string, number][]} */
  const pieces = [];
  /** @type {string[]} */
  const symbols = [];
  const names = new Set();
  let unknowns = 0;
  let spaces = {charsmap: '', prefix: true, single: true};

  let symbolCharacters = 0;
  const addSymbol = (/** @type {string} */ symbol) => {
    symbolCharacters += symbol.length;
    if (symbols.push(symbol) > MAX_SYMBOLS || symbolCharacters > MAX_SYMBOL_CHARACTERS) {
      const all = `${MAX_SYMBOLS} pieces of type USER_DEFINED with ${MAX_SYMBOL_CHARACTERS} characters`;
      throw refuse(`at most ${all}`, 'more');
    }
  };
  const addPiece = (/** @type {Uint8Array} */ bytes) => {
    const {piece, score, type} = readPiece(bytes, decoder, refuse);
    if (piece === '' || names.has(piece) || [...piece].length > MAX_PIECE_LENGTH) {
      const expected = `different pieces of 1 to ${MAX_PIECE_LENGTH} characters`;
      throw refuse(expected, piece === '' ? 'an empty one' : shorten(piece));
    }
    if (names.size === MAX_PIECES) throw refuse(`at most ${MAX_PIECES} pieces`, 'more');
    if (!Number.isFinite(score)) throw refuse(`a finite score of ${shorten(piece)}`, `${score}`);
    names.add(piece);
    if (type === BYTE) throw refuse('pieces of characters', `the byte ${shorten(piece)}`);
    if (type === UNKNOWN) unknowns += 1;
    if (type === NORMAL) pieces.push([piece, score]);
    if (type === USER_DEFINED) addSymbol(piece);
  };
  const readNormalizer = (/** @type {Uint8Array} */ bytes) => {
    spaces = normalizerOf(bytes, spaces, refuse);
  };
  const readTraining = (/** @type {Uint8Array} */ bytes) => checkTraining(bytes, refuse);
  const readers = [undefined, addPiece, readTraining, readNormalizer];
  for (const {number, bytes} of fieldsOf(file, refuse)) {
    if (bytes) readers[number]?.(bytes);
  }
  if (pieces.length === 0 || unknowns !== 1) {
    throw refuse('pieces, and one that is unknown', `${pieces.length} and ${unknowns}`);
  }
  return {pieces, symbols, ...spaces};
}

/** @typedef {(expected: string, found: string) => BertscopeError} Refuse */

/** @param {Uint8Array} bytes @param {TextDecoder} decoder @param {Refuse} refuse */
function readPiece(bytes, decoder, refuse) {
  let [piece, score, type] = ['', 0, NORMAL];
  for (const {number, value = 0, bytes: text} of fieldsOf(bytes, refuse)) {
    if (number === 1 && text) piece = decodeText(decoder, text, refuse);
    if (number === 2) score = asFloat(value);
    if (number === 3) type = value;
  }
  return {piece, score, type};
}

/** Refuses models that were trained to split texts in a way that does not run here. @param {Uint8Array} bytes @param {Refuse} refuse */
function checkTraining(bytes, refuse) {
  for (const {number, value = 0} of fieldsOf(bytes, refuse)) {
    if (number === 3 && value !== 1) {
      throw refuse('a unigram model', `${MODEL_TYPES[value] ?? `type ${value}`}`);
    }
    if (number === 24 && value) throw refuse('spaces before words', 'treat_whitespace_as_suffix');
  }
}

/**
 * @param {Uint8Array} bytes
 * @param {Pick<SentencePiece, 'charsmap' | 'prefix' | 'single'>} usual What holds where the file says nothing.
 * @param {Refuse} refuse
 */
function normalizerOf(bytes, {charsmap, prefix, single}, refuse) {
  for (const {number, value = 0, bytes: table} of fieldsOf(bytes, refuse)) {
    if (number === 2 && table) charsmap = toBase64(table);
    if (number === 3) prefix = value !== 0;
    if (number === 4) single = value !== 0;
    if (number === 5 && !value) throw refuse('spaces as ▁', 'escape_whitespaces false');
  }
  return {charsmap, prefix, single};
}

/**
 * @param {TextDecoder} decoder
 * @param {Uint8Array} bytes
 * @param {Refuse} refuse
 */
function decodeText(decoder, bytes, refuse) {
  try {
    return decoder.decode(bytes);
  } catch {
    throw refuse('pieces in UTF-8', 'other bytes');
  }
}

/** @param {number} bits */
function asFloat(bits) {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, bits);
  return view.getFloat32(0);
}

/** @param {Uint8Array} bytes */
function toBase64(bytes) {
  let signs = '';
  for (let at = 0; at < bytes.length; at += 4096) {
    signs += String.fromCharCode(...bytes.subarray(at, at + 4096));
  }
  return btoa(signs);
}

/**
 * @param {SentencePiece} model What splits texts.
 * @param {string} vocabulary `vocab.json`: the ids, by token. They are not those of SentencePiece.
 * @param {Record<string, unknown>} config `tokenizer_config.json`
 * @param {string} path The path of the vocabulary, for messages.
 * @returns {string} `tokenizer.json`. What SentencePiece does unlike Hugging Face's tokenizers is in
 *   fields of our own, `sentencepiece`.
 */
export function marianTokenizer({pieces, symbols, charsmap, ...spaces}, vocabulary, config, path) {
  const ids = parseJsonObject(vocabulary, path, 'bad-tokenizer');
  const tokens = Object.entries(ids);
  /** @type {[string, number][]} */
  const vocab = [];
  const beyond = 2 * tokens.length;
  for (const [token, id] of tokens) {
    if (!(Number.isInteger(id) && Number(id) >= 0 && Number(id) < beyond)) {
      const message = `${path}: expected an id below ${beyond} for ${shorten(token)}, found ${quote(id)}`;
      throw new BertscopeError('bad-tokenizer', message);
    }
    vocab[Number(id)] = [token, 0];
  }
  /** @param {string} key @param {string} usual */
  const nameOf = (key, usual) => {
    const {[key]: stated = usual} = config;
    return String(isRecord(stated) ? stated.content : stated);
  };
  const end = nameOf('eos_token', '</s>');
  const [unknown, padding] = [nameOf('unk_token', '<unk>'), nameOf('pad_token', '<pad>')];
  for (const token of [end, unknown]) {
    if (Object.hasOwn(ids, token)) continue;
    const message = `${path}: expected an id for ${shorten(token)}, found none`;
    throw new BertscopeError('bad-tokenizer', message);
  }
  const flags = {single_word: false, lstrip: false, rstrip: false, normalized: false};
  const special = [end, unknown, padding].filter((token) => Object.hasOwn(ids, token));
  const sequence = (/** @type {string} */ id) => ({Sequence: {id, type_id: 0}});
  const last = {SpecialToken: {id: end, type_id: 0}};
  return JSON.stringify({
    version: '1.0',
    added_tokens: special.map((content) => ({id: ids[content], content, ...flags, special: true})),
    normalizer: {
      type: 'Precompiled',
      precompiled_charsmap: charsmap,
      sentencepiece: {...spaces, symbols},
    },
    pre_tokenizer: {type: 'Metaspace', replacement: '▁', prepend_scheme: 'never'},
    post_processor: {
      type: 'TemplateProcessing',
      single: [sequence('A'), last],
      pair: [sequence('A'), sequence('B'), last],
      special_tokens: {[end]: {id: end, ids: [ids[end]], tokens: [end]}},
    },
    decoder: {type: 'Metaspace', replacement: '▁', prepend_scheme: 'always'},
    model: {
      type: 'Unigram',
      unk_id: ids[unknown],
      vocab: Array.from(vocab, (entry) => entry ?? ['', 0]),
      sentencepiece: {pieces, symbols},
    },
  });
}
