/** Splits texts into tokens exactly as Hugging Face's fast tokenizers do. */

import {contentOf} from './added-tokens.js';
import {BertscopeError} from '../errors.js';
import {isRecord, MAX_DRAWN, quote, shorten} from '../json.js';
import {findOffsets} from './token-offsets.js';
import {wholeCharacters} from './whole-characters.js';
import {readTokenizerFiles, vocabularyFile} from './tokenizer-files.js';
import {normalizedTokens, openLibrary, tried} from './tokenizer-library.js';
import {checkLimits} from './tokenizer-limits.js';
import {longestFirst} from './truncation.js';
import {BERT_TOKENS, GPT2_TOKENS, ROBERTA_TOKENS, specialTokenNames} from './vocabulary.js';
import {splitters, wordStart} from './word-starts.js';
import {notesOnCase, notesOnVocabulary, refuseOtherVocabulary} from './vocabulary-check.js';

/** @import {Offset} from './token-offsets.js' */
/** @import {Tokenizer as HuggingFaceTokenizer} from '@huggingface/tokenizers' */

/**
 * @typedef {object} EncodeOptions
 * @property {string} [pair] A second sentence.
 * @property {boolean} [specialTokens] Whether to put `[CLS]` and `[SEP]`, or what the model has in
 *   their place, around the text; the default is true.
 * @property {number} [maxTokens] Longer texts are cut off.
 * @property {ArrayLike<number>} [ids] The tokens of the text, without special ones around it. They have to spell
 *   what the text's own tokens spell; bytes that are no whole character do not count.
 */

/**
 * @typedef {object} Encoding
 * @property {number[]} ids
 * @property {string[]} tokens As they are drawn: long ones are shortened.
 * @property {number[]} tokenTypeIds The tokenizer's; some models have no token types.
 * @property {number[]} sentences For each token: 0 in the first text and the special tokens around
 *   it, 1 in the second.
 * @property {boolean[]} specialTokens For each token, whether it is a special one, such as `[CLS]`
 *   or `</s>`.
 * @property {(number | null)[]} words For each token, the index of its word in its sentence; null
 *   for the special tokens around the text.
 * @property {(Offset | null)[]} offsets For each token, its place in its sentence, or null.
 * @property {number} truncated How many tokens were cut off.
 */

/** A word that most vocabularies have and a letter that hardly any has. */
const PROBE = 'a \u{13000}';

/**
 * Ideographs beyond 16 bits. BERT takes each ideograph for a word, but the tokenizer's library does
 * so only within 16 bits, since it looks at 16 bits at a time.
 */
const FAR_IDEOGRAPHS =
  /[\u{20000}-\u{2A6DF}\u{2A700}-\u{2B73F}\u{2B740}-\u{2B81F}\u{2B820}-\u{2CEAF}\u{2F800}-\u{2FA1F}]/gu;

export class Tokenizer {
  /** @type {HuggingFaceTokenizer} */
  #tokenizer;
  /** Whether a token is the first of its word. */
  startsWord;
  /** The id of the unknown token of Unigram, which keeps its text, unlike the other kinds. */
  #unknown;
  /** The token that the other kinds put in place of a word without pieces. @type {string | undefined} */
  #unknownToken;
  /** Whether each character of a token stands for one byte of UTF-8. */
  isByteLevel;
  #name;
  #rows;
  #file;
  #spacesIdeographs;
  /** The ids of the tokens that only mark where a text begins or ends. */
  #marks;
  /** Added tokens by their normalized form, in which the library finds and returns them. */
  #added;
  /** The files that it was made from. A quantized model contains them. */
  files;

  /**
   * @param {Record<string, string>} files `tokenizer.json`, `vocab.txt`, or `vocab.json` with
   *   `merges.txt`; and perhaps `tokenizer_config.json`.
   * @param {string} name The name of the model, for messages.
   * @param {number} [rows] The number of word embeddings of the model.
   */
  constructor(files, name, rows = Infinity) {
    const configText = files['tokenizer_config.json'] ?? '{}';
    const {json, config} = readTokenizerFiles(files, configText, name);
    this.startsWord = wordStart(json);
    const {model} = json;
    this.#rows = rows;
    this.#file = `${name}: ${vocabularyFile(files)}`;
    refuseOtherVocabulary(json, rows, this.#file);
    checkLimits(json, this.#file);
    this.isByteLevel = splitters(json).includes('ByteLevel');
    if (isRecord(model) && typeof model.unk_token === 'string')
      this.#unknownToken = model.unk_token;
    this.#unknown = isRecord(model) && Array.isArray(model.vocab) ? model.unk_id : undefined;
    this.#marks = new Set();
    const {normalizer} = json;
    this.#spacesIdeographs =
      isRecord(normalizer) &&
      normalizer.type === 'BertNormalizer' &&
      normalizer.handle_chinese_chars !== false;
    this.#name = name;
    this.#tokenizer = openLibrary(json, config, name, this.#file);
    this.#added = tried(name, () => normalizedTokens(this.#tokenizer));
    // Some mistakes in the files cause errors only when a text is encoded.
    this.encode(PROBE, {pair: PROBE});
    this.encode(PROBE);
    this.files = {
      'tokenizer.json': files['tokenizer.json'] ?? JSON.stringify(json),
      'tokenizer_config.json': files['tokenizer.json'] ? configText : JSON.stringify(config),
    };
    const idOf = (/** @type {string} */ token) => this.#tokenizer.token_to_id(token);
    const isUsable = (/** @type {number | undefined} */ id) => id !== undefined && id < rows;
    const usual =
      [BERT_TOKENS, ROBERTA_TOKENS].find(({mask}) => idOf(mask) !== undefined) ??
      (idOf(GPT2_TOKENS.begin) === undefined ? ROBERTA_TOKENS : GPT2_TOKENS);
    /** The names of the special tokens. */
    this.special = specialTokenNames(config, usual);
    const {mask, begin, separator, pad} = this.special;
    /** The id of `[MASK]` or `<mask>`, if the vocabulary and the word embeddings have it. */
    this.maskId = isUsable(idOf(mask)) ? idOf(mask) : undefined;
    /** The id of the token that ends a text, if the vocabulary has it. */
    this.endId = idOf(contentOf(config.eos_token) ?? separator);
    /** The id that pads a batch: that of `[PAD]`, or the first one of a vocabulary without it. */
    this.padId = (isUsable(idOf(pad)) && idOf(pad)) || 0;
    this.#marks = new Set([begin, separator, pad].map(idOf));
    const vocabulary = isRecord(model) ? model.vocab : undefined;
    /** The number of tokens in the vocabulary, without those that were added to it. */
    this.size = Array.isArray(vocabulary)
      ? vocabulary.length
      : Object.keys(isRecord(vocabulary) ? vocabulary : {}).length;
    /** Sentences on what is unusual and does no harm. */
    const notes = rows < Infinity ? notesOnVocabulary(this.size, rows, this.#file) : [];
    this.notes = [...notes, ...notesOnCase(json, this.#file)];
  }

  /** @param {number} id @returns {string} As it is drawn. */
  token(id) {
    return shorten(this.#tokenizer.id_to_token(id) ?? '', MAX_DRAWN);
  }

  /**
   * A token as the vocabulary has it, such as `like` in BERT's, `##ing` or `Ġlike`, is that token. But
   * where tokens that begin a word carry a mark, `like` is what a reader writes for `Ġlike`: the token
   * that continues a word has this name only if no token of the other kind has it, and is best
   * asked for by its id.
   * @param {string} word
   * @returns {number | undefined} The id of the one token that it is.
   */
  idOfWord(word) {
    const id = this.#tokenizer.token_to_id(word);
    const exact = isId(id) && id < this.#rows ? id : undefined;
    if (exact !== undefined && this.startsWord(word)) return exact;
    for (const text of [` ${word}`, word]) {
      const {ids, tokens} = this.encode(text, {specialTokens: false});
      if (ids.length === 1 && tokens[0] !== this.#unknownToken) return ids[0];
    }
    return exact;
  }

  /**
   * @param {number[]} ids
   * @returns {string} The text of the tokens, special tokens included, as Hugging Face writes it.
   */
  decode(ids) {
    // A model may have more word embeddings than tokens; the library would write the unknown token for these.
    const known = ids.filter((id) => this.#tokenizer.id_to_token(id) !== undefined);
    // The library refuses an empty list.
    return known.length > 0 ? tried(this.#name, () => this.#tokenizer.decode(known)) : '';
  }

  /**
   * @param {string} text Special tokens written in it, such as `[MASK]`, are recognised.
   * @param {EncodeOptions} [options]
   * @returns {Encoding}
   */
  encode(text, {pair, specialTokens = true, maxTokens = Infinity, ids} = {}) {
    for (const each of [text, pair ?? '']) {
      if (typeof each === 'string') continue;
      throw new BertscopeError('bad-option', `expected a text, found ${quote(each)}`);
    }
    if (ids && pair) {
      throw new BertscopeError('bad-option', 'expected ids of a single text, found a pair');
    }
    return tried(this.#name, () => this.#encode(text, pair, specialTokens, maxTokens, ids));
  }

  /**
   * @param {string} text
   * @param {string | undefined} pair
   * @param {boolean} specialTokens
   * @param {number} maxTokens
   * @param {ArrayLike<number>} [ids]
   * @returns {Encoding}
   */
  #encode(text, pair, specialTokens, maxTokens, ids) {
    const [first, firstCount] = ids
      ? this.#givenPieces(text, Array.from(ids))
      : this.#pieces(text, maxTokens);
    // An empty second sentence counts as none, as in Hugging Face's pipelines.
    const [second, secondCount] = pair ? this.#pieces(pair, maxTokens) : [null, 0];
    const around = this.#assemble([], second && [], specialTokens).length;
    if (ids && firstCount + around > maxTokens) {
      const expected = `at most ${maxTokens - around} token ids, which the model has positions for`;
      const message = `${this.#name}: expected ${expected}, found ${firstCount}`;
      throw new BertscopeError('bad-option', message);
    }
    const [keepFirst, keepSecond] = longestFirst(
      firstCount,
      secondCount,
      Math.max(0, maxTokens - around),
    );
    const assembled = this.#assemble(
      first.slice(0, keepFirst),
      second && second.slice(0, keepSecond),
      specialTokens,
    );
    return {
      ids: assembled.map(({piece}) => piece.id),
      tokens: assembled.map(({piece}) => shorten(piece.token, MAX_DRAWN)),
      tokenTypeIds: assembled.map(({type}) => type),
      sentences: assembled.map(({sentence}) => sentence),
      specialTokens: assembled.map(({piece}) => piece.word === null || this.#marks.has(piece.id)),
      words: assembled.map(({piece}) => piece.word),
      offsets: assembled.map(({piece}) => piece.offset),
      truncated: firstCount + secondCount - keepFirst - keepSecond,
    };
  }

  /**
   * @param {string} text
   * @param {number} most
   * @returns {[Piece[], number]} At most so many pieces from the beginning, and how many there are.
   */
  #pieces(text, most) {
    const spaced = this.#spacesIdeographs ? text.replace(FAR_IDEOGRAPHS, ' $& ') : text;
    const all = this.#tokenizer.tokenize(spaced);
    const tokens = all.slice(0, most).map((token) => this.#added.get(token) ?? token);
    return [this.#placed(text, tokens), all.length];
  }

  /**
   * @param {string} text
   * @param {number[]} ids
   * @returns {[Piece[], number]} The pieces, and how many there are.
   */
  #givenPieces(text, ids) {
    const tokens = ids.map((id) => this.#tokenizer.id_to_token(id));
    const unknown = ids.find((id, at) => tokens[at] === undefined || id >= this.#rows);
    if (unknown !== undefined) {
      const message = `${this.#name}: expected token ids of the vocabulary, found ${unknown}`;
      throw new BertscopeError('bad-index', message);
    }
    const [own] = this.#pieces(text, Infinity);
    const [spelt, wanted] = [ids, own.map(({id}) => id)].map((each) =>
      wholeCharacters(this.decode(each)),
    );
    if (spelt !== wanted) {
      const expected = `token ids that spell the text, ${quote(wanted)}`;
      const message = `${this.#name}: expected ${expected}, found some that spell ${quote(spelt)}`;
      throw new BertscopeError('bad-option', message);
    }
    const pieces = this.#placed(text, /** @type {string[]} */ (tokens));
    return [pieces.map((piece, at) => ({...piece, id: ids[at]})), ids.length];
  }

  /**
   * @param {string} text
   * @param {string[]} tokens
   * @returns {Piece[]} With their words and their places in the text.
   */
  #placed(text, tokens) {
    let word = -1;
    const how = {isByteLevel: this.isByteLevel, unknown: this.#unknownToken};
    const offsets = findOffsets(text, tokens, how);
    return tokens.map((token, index) => {
      // A mask includes the space before it, and with it the mark of a word's beginning.
      if (word < 0 || this.startsWord(token) || token === this.special?.mask) word += 1;
      return {...this.#piece(token, word, this.#unknown), offset: offsets[index]};
    });
  }

  /**
   * @param {string} token
   * @param {number | null} word
   * @param {unknown} [unknown] The id of the token for what the vocabulary does not have.
   * @returns {Piece}
   */
  #piece(token, word, unknown) {
    const id = this.#tokenizer.token_to_id(token) ?? unknown;
    if (!isId(id)) {
      const expected = `a token id for ${shorten(token)} in the tokenizer's vocabulary`;
      const message = `${this.#name}: expected ${expected}, found ${quote(id)}`;
      throw new BertscopeError('bad-tokenizer', message);
    }
    if (id >= this.#rows) {
      const expected = `tokens that the model has word embeddings for (ids below ${this.#rows})`;
      const message = `${this.#file}: expected ${expected}, found ${shorten(token)} with id ${id}`;
      throw new BertscopeError('bad-tokenizer', message);
    }
    return {token, id, word, offset: null};
  }

  /**
   * Puts the pieces into the model's template. The post-processor works on strings, so it gets one
   * label for each piece, and the labels in its answer say where the pieces are. Nothing else tells
   * a `[SEP]` of the template from one in the text.
   * @param {Piece[]} first
   * @param {Piece[] | null} second
   * @param {boolean} specialTokens
   * @returns {{piece: Piece, type: number, sentence: number}[]}
   */
  #assemble(first, second, specialTokens) {
    const labelsOfFirst = first.map((_, index) => `\0a${index}`);
    const labelsOfSecond = second && second.map((_, index) => `\0b${index}`);
    const labels = [...labelsOfFirst, ...(labelsOfSecond ?? [])];
    const pieces = new Map([...first, ...(second ?? [])].map((piece, i) => [labels[i], piece]));
    const template = this.#tokenizer.post_processor;
    const laidOut = template
      ? template(labelsOfFirst, labelsOfSecond, specialTokens)
      : {tokens: labels, token_type_ids: undefined};
    let sentence = 0;
    return laidOut.tokens.map((label, index) => {
      // Special tokens between and after the texts belong to the text before them.
      if (label.startsWith('\0b')) sentence = 1;
      const piece = pieces.get(label) ?? this.#piece(label, null);
      const type = laidOut.token_type_ids?.[index] ?? Number(label.startsWith('\0b'));
      if (!isId(type)) {
        const expected = `a token type for ${shorten(piece.token)} in the tokenizer's template`;
        const message = `${this.#name}: expected ${expected}, found ${quote(type)}`;
        throw new BertscopeError('bad-tokenizer', message);
      }
      return {piece, type, sentence};
    });
  }
}

/**
 * @typedef {object} Piece
 * @property {string} token
 * @property {number} id
 * @property {number | null} word
 * @property {Offset | null} offset
 */

/** @param {unknown} value @returns {value is number} Whether an Int32Array can hold it. */
function isId(value) {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 31;
}
