/** This file checks what an answer of a model is about: a word at a token's place, a class, or the sentence vector. */

import {BertscopeError} from '../errors.js';
import {isRecord, MAX_DRAWN, parseJsonObject, quote, shorten} from '../json.js';
import {withMasks} from './masked-copies.js';

/** @import {Encoder, PassInput} from './encoder.js' */
/** @import {AnyMethod, ExplainTarget, NamedAnswer} from './explanations.js' */
/** @import {Target} from './head-effects.js' */
/** @import {Tokenizer} from '../text/tokenizer.js' */

/** Checks the targets that callers give, and refuses those that the model has no head for. */
export class Targets {
  #name;
  #encoder;
  #tokenizer;
  #configText;
  /** @type {string[] | undefined} As they are drawn. */
  #labelNames;

  /**
   * @param {string} name The name of the model, for messages.
   * @param {Encoder} encoder
   * @param {Tokenizer} tokenizer
   * @param {string} configText `config.json`
   */
  constructor(name, encoder, tokenizer, configText) {
    this.#name = name;
    this.#encoder = encoder;
    this.#tokenizer = tokenizer;
    this.#configText = configText;
  }

  /**
   * @param {PassInput} pass
   * @param {Target} [target]
   * @returns {Target} The target, after it was checked and without fields of other things; by
   *   default the first `[MASK]`, or what follows the last token.
   */
  target({ids}, target) {
    if (target === undefined) {
      if (this.#encoder.heads.tokenLabels) refuseTarget('a class and a token that has it', target);
      return {token: this.#firstBlank(ids)};
    }
    if (!isRecord(target) || !('token' in target || 'label' in target)) {
      refuseTarget('a token or label', target);
    }
    if ('label' in target) {
      this.requireClassifier();
      const {label} = target;
      this.checkIndex('a class', label, this.#labelCount);
      if (!this.#encoder.heads.tokenLabels) return {label};
      const {token} = target;
      if (token === undefined) refuseTarget('a class and a token that has it', target);
      this.checkIndex('a token of the text', token, ids.length);
      return {label, token};
    }
    const {token, id, masked} = target;
    this.requireWordHead();
    this.checkIndex('a token of the text', token, ids.length);
    if (id !== undefined) this.checkIndex('an entry of the vocabulary', id, this.#vocabulary);
    return {token, ...(id !== undefined && {id}), ...(masked && {masked: true})};
  }

  /**
   * @param {PassInput} pass
   * @param {ExplainTarget} [target]
   * @returns {Target | 'vector'} The target, after it was checked.
   */
  explainTarget(pass, target = 'mask') {
    if (target === 'vector') return target;
    if (target === 'mask') return this.target(pass);
    if (typeof target === 'string' && target.startsWith('class:')) {
      return this.target(pass, this.#classNamed(target.slice('class:'.length)));
    }
    if (!isRecord(target)) {
      refuseTarget('mask, vector, class:LABEL, or a token or label', target);
    }
    if (!('word' in target)) return this.target(pass, target);
    const {token, word, masked} = target;
    this.requireWordHead();
    return this.target(pass, {token, id: this.#idOfWord(word), masked});
  }

  /**
   * @param {Target | 'vector'} target
   * @param {unknown} instead A word or a class, by its name or its number.
   * @returns {number} What the answer is set against, after it was checked.
   */
  rivalOf(target, instead) {
    if (target === 'vector') {
      return refuseTarget('a word or a class, which can be set against another one', target);
    }
    if ('label' in target) {
      if (typeof instead === 'string') return this.#labelIndex(instead);
      this.checkIndex('a class', /** @type {number} */ (instead), this.#labelCount);
    } else {
      if (typeof instead === 'string') return this.#idOfWord(instead);
      const what = 'an entry of the vocabulary';
      this.checkIndex(what, /** @type {number} */ (instead), this.#vocabulary);
    }
    return /** @type {number} */ (instead);
  }

  /**
   * @template {Target | 'vector'} T
   * @param {T} target
   * @param {number} [index] The index of the word, or of a class other than the target's.
   * @returns {T extends 'vector' ? 'vector' : NamedAnswer} With names for its numbers.
   */
  named(target, index) {
    return /** @type {any} */ (target === 'vector' ? target : this.#namedAnswer(target, index));
  }

  /** @param {Target} target @param {number} [index] @returns {NamedAnswer} */
  #namedAnswer(target, index) {
    if ('label' in target) {
      const {label, token} = target;
      const named = {label: index ?? label, name: this.labels()[index ?? label]};
      return token === undefined ? named : {...named, token};
    }
    const id = index ?? 0;
    return {token: target.token, id, word: this.#tokenizer.token(id)};
  }

  /**
   * The pass that the target is read from. Its token is masked if the target asks for that.
   * @param {PassInput} pass
   * @param {Target | 'vector'} target
   * @returns {Omit<PassInput, 'id'>}
   */
  passOf(pass, target) {
    const isMasked = target !== 'vector' && !('label' in target) && target.masked;
    return isMasked ? withMasks(pass, [[target.token]], this.requireMask()) : pass;
  }

  /**
   * Finds the place and the answer that a patch map reads. Without a target, the answer is the
   * likeliest word for a blank that both texts have, or the likeliest class if the model is a
   * classifier.
   * @param {PassInput} pass
   * @param {PassInput} from
   * @param {ExplainTarget} [target]
   * @returns {{place: Target | 'vector', index?: number}}
   */
  patchTarget(pass, from, target) {
    const {maskedLm, nextToken, labels} = this.#encoder.heads;
    if (target === undefined && !maskedLm && !nextToken && labels > 0) return {place: {label: 0}};
    const place = this.explainTarget(pass, target);
    if (place === 'vector') return {place};
    if ('label' in place) return {place, index: place.label};
    const isBlank = pass.ids[place.token] === this.#tokenizer.maskId;
    if (isBlank && !place.masked) this.#requireBlank(from, place.token);
    return {place, index: place.id};
  }

  /**
   * @param {PassInput} from
   * @param {number} token
   */
  #requireBlank(from, token) {
    const {maskId, special} = this.#tokenizer;
    if (from.ids[token] === maskId) return;
    const other = this.#tokenizer.token(from.ids[token]);
    const message = `${this.#name}: expected ${special.mask} at the same place in both texts, token ${token}, found ${other} in the text to patch from`;
    throw new BertscopeError('bad-target', message);
  }

  /**
   * @param {PassInput} pass
   * @param {AnyMethod} method
   * @param {boolean} [hasDecoder] Whether it is the encoder of an encoder-decoder.
   * @returns {Int32Array} The ids from which integrated gradients begin: all masked but the special
   *   ones. A decoder has no mask, and the token that ends its texts, which says nothing of what comes next, stands in
   *   its place, and in the text that it looks into. Other methods need none.
   */
  baselineOf(pass, method, hasDecoder = this.#encoder.heads.nextToken) {
    if (method !== 'integrated-gradients') return new Int32Array(0);
    const {endId} = this.#tokenizer;
    const blank = hasDecoder && endId !== undefined ? endId : this.requireMask();
    const ids = Int32Array.from(pass.ids);
    for (const token of this.ordinary(pass)) ids[token] = blank;
    return ids;
  }

  /**
   * The tokens whose part in an answer can be tested by masking them.
   * @param {PassInput} pass
   * @param {Target | 'vector'} target
   */
  maskable(pass, target) {
    // A word that is explained is hidden already; a token that has a class is not.
    const own = target === 'vector' || 'label' in target ? undefined : target.token;
    return this.ordinary(pass).filter((token) => token !== own);
  }

  /**
   * @param {PassInput} pass
   * @returns {number[]} The tokens that are not special.
   */
  ordinary({ids}) {
    const {begin, separator, mask, pad} = this.#tokenizer.special;
    const special = new Set([begin, separator, mask, pad]);
    return [...ids.keys()].filter((at) => !special.has(this.#tokenizer.token(ids[at])));
  }

  /** @returns {string[]} The names of the classes. */
  labels() {
    return (this.#labelNames ??= labelsOf(this.#configText, this.#labelCount));
  }

  /** The number of classes of a text, or of a token. */
  get #labelCount() {
    const {labels, tokenLabels} = this.#encoder.heads;
    return labels || tokenLabels;
  }

  /**
   * @param {string} name Of a class; of a classifier of tokens with the token's index, as `B-PER@3`.
   * @returns {Target}
   */
  #classNamed(name) {
    this.requireClassifier();
    if (!this.#encoder.heads.tokenLabels) return {label: this.#labelIndex(name)};
    const [, label, token] = /^(.*)@(\d+)$/s.exec(name) ?? [];
    if (label === undefined) {
      const message = `${this.#name}: expected a class and a token that has it, such as class:${shorten(this.labels()[0], MAX_DRAWN)}@1, found ${quote(`class:${name}`)}`;
      throw new BertscopeError('bad-target', message);
    }
    return {label: this.#labelIndex(label), token: Number(token)};
  }

  /** @param {string} name */
  #labelIndex(name) {
    this.requireClassifier();
    const index = this.labels().indexOf(name);
    if (index >= 0) return index;
    const labels = shorten(this.labels().join(', '), MAX_DRAWN);
    const message = `${this.#name}: expected a class of ${labels}, found ${quote(name)}`;
    throw new BertscopeError('bad-target', message);
  }

  /** @param {unknown} word */
  #idOfWord(word) {
    const id = typeof word === 'string' ? this.#tokenizer.idOfWord(word) : undefined;
    if (id !== undefined) return id;
    const message = `${this.#name}: expected a word that is one token of the vocabulary, found ${quote(word)}`;
    throw new BertscopeError('bad-target', message);
  }

  get #vocabulary() {
    return this.#encoder.config.vocabulary;
  }

  /** @param {Int32Array} ids */
  #firstBlank(ids) {
    this.requireWordHead();
    if (this.#encoder.heads.nextToken) return ids.length - 1;
    const token = ids.indexOf(this.#tokenizer.maskId ?? -1);
    if (token >= 0) return token;
    const message = 'expected a target or a text with [MASK], found neither';
    throw new BertscopeError('bad-target', message);
  }

  requireWordHead() {
    const {maskedLm, nextToken} = this.#encoder.heads;
    if (maskedLm || nextToken) return;
    const message = `${this.#name}: expected weights with a masked-LM head, found none`;
    throw new BertscopeError('no-masked-lm-head', message);
  }

  /** @returns {number} The id of the mask token. */
  requireMask() {
    const {maskId, special} = this.#tokenizer;
    if (maskId !== undefined) return maskId;
    const message = `${this.#name}: expected a vocabulary with ${special.mask}, found none`;
    throw new BertscopeError('no-mask-token', message);
  }

  requireClassifier() {
    if (this.#labelCount > 0) return;
    const message = `${this.#name}: expected weights with a classifier, found none`;
    throw new BertscopeError('no-classifier', message);
  }

  /** @param {'texts' | 'tokens'} whose */
  requireClassifierOf(whose) {
    this.requireClassifier();
    const found = this.#encoder.heads.tokenLabels ? 'tokens' : 'texts';
    if (found === whose) return;
    const message = `${this.#name}: expected weights with a classifier of ${whose}, found one of ${found}`;
    throw new BertscopeError('no-classifier', message);
  }

  /**
   * @param {string} what
   * @param {number} index
   * @param {number} count
   */
  checkIndex(what, index, count) {
    if (Number.isInteger(index) && index >= 0 && index < count) return;
    const message = `${this.#name}: expected ${what} from 0 to ${count - 1}, found ${quote(index)}`;
    throw new BertscopeError('bad-target', message);
  }
}

/**
 * @param {string} expected
 * @param {unknown} found
 * @returns {never}
 */
function refuseTarget(expected, found) {
  const message = `expected the target ${expected}, found ${quote(found)}`;
  throw new BertscopeError('bad-target', message);
}

/**
 * @param {string} configText `config.json`, whose `id2label` is optional.
 * @param {number} count
 */
function labelsOf(configText, count) {
  const {id2label} = parseJsonObject(configText, 'config.json', 'bad-config');
  const names = isRecord(id2label) ? id2label : {};
  return Array.from({length: count}, (_, index) => {
    const name = names[index];
    const isName = typeof name === 'string' || typeof name === 'number';
    return isName ? shorten(`${name}`, MAX_DRAWN) : `LABEL_${index}`;
  });
}
